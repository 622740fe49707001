-- A new run id: a UUID of version 7, which sorts by the moment it was made.
--
-- p_now   the transition's moment.
-- Result  36 characters.
-- Locks   none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS new_run_id//

CREATE FUNCTION new_run_id(p_now DATETIME(6))
RETURNS VARCHAR(36)
NOT DETERMINISTIC NO SQL
COMMENT 'A UUIDv7 as text: ids sort by creation time.'
BEGIN
    DECLARE v_time VARCHAR(12)
        DEFAULT LPAD(LOWER(HEX(ROUND(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', p_now) / 1000))), 12, '0');
    DECLARE v_random VARCHAR(20) DEFAULT LOWER(HEX(RANDOM_BYTES(10)));

    RETURN CONCAT(
        LEFT(v_time, 8), '-', RIGHT(v_time, 4),
        '-7', LEFT(v_random, 3),
        '-', ELT(1 + CONV(SUBSTRING(v_random, 4, 1), 16, 10) % 4, '8', '9', 'a', 'b'), SUBSTRING(v_random, 5, 3),
        '-', SUBSTRING(v_random, 8, 12)
    );
END//

DELIMITER ;
