-- Says which schema this is, so that a server can tell whether it fits.
--
-- Outcomes  schema_state: the migration's revision, and a checksum over all routines.
-- Locks     none. Writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS read_schema_state//

CREATE PROCEDURE read_schema_state()
READS SQL DATA
SQL SECURITY DEFINER
COMMENT 'The schema revision and the checksum of the installed routines.'
BEGIN
    DECLARE v_revision VARCHAR(255);
    DECLARE v_routines LONGTEXT;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY;
    START TRANSACTION;
    steps: BEGIN
        -- GROUP_CONCAT cuts what is longer.
        SET SESSION group_concat_max_len = 67108864;
        SELECT v.version_num INTO v_revision FROM alembic_version AS v;
        SELECT SHA2(GROUP_CONCAT(r.name, ' ', r.checksum ORDER BY r.name SEPARATOR ','), 256) INTO v_routines
        FROM schema_routines AS r;
        SET v_outcome = 'schema_state';
        SET v_body = CONCAT(
            '{"revision":', COALESCE(json_string(v_revision), 'null'),
            ',"routines":', COALESCE(json_string(v_routines), 'null'), '}'
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
