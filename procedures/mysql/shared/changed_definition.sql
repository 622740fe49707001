-- Which workflow type a worker has changed under its id: one that stays advertised with another fingerprint.
--
-- p_old_types, p_old_fingerprints  what the worker said of itself before: an array and an object; or null.
-- p_types, p_fingerprints          what it says now.
-- Result   the first such type, by bytes, or null.
-- Locks    none. Writes nothing.
DELIMITER //

DROP FUNCTION IF EXISTS changed_definition//

CREATE FUNCTION changed_definition(
    p_old_types LONGTEXT, p_old_fingerprints LONGTEXT, p_types LONGTEXT, p_fingerprints LONGTEXT
)
RETURNS VARCHAR(255)
DETERMINISTIC READS SQL DATA
COMMENT 'The first workflow type whose fingerprint has changed, or null.'
BEGIN
    IF p_old_types IS NULL OR p_fingerprints = '{}' OR p_old_fingerprints = '{}' THEN
        RETURN NULL;
    END IF;
    -- An object is unpacked as its keys beside its values: both come in the same order.
    RETURN (
        SELECT MIN(k.type)
        FROM JSON_TABLE(
            JSON_KEYS(p_fingerprints), '$[*]' COLUMNS (number FOR ORDINALITY, type VARCHAR(255) PATH '$')
        ) AS k
        INNER JOIN JSON_TABLE(
            JSON_EXTRACT(p_fingerprints, '$.*'), '$[*]' COLUMNS (number FOR ORDINALITY, fingerprint LONGTEXT PATH '$')
        ) AS v ON k.number = v.number
        INNER JOIN JSON_TABLE(
            JSON_KEYS(p_old_fingerprints), '$[*]' COLUMNS (number FOR ORDINALITY, type VARCHAR(255) PATH '$')
        ) AS old_k ON k.type = old_k.type
        INNER JOIN JSON_TABLE(
            JSON_EXTRACT(p_old_fingerprints, '$.*'), '$[*]' COLUMNS (number FOR ORDINALITY, fingerprint LONGTEXT PATH '$')
        ) AS old_v ON old_k.number = old_v.number
        WHERE v.fingerprint <> old_v.fingerprint
            AND JSON_CONTAINS(p_old_types, JSON_QUOTE(k.type)) AND JSON_CONTAINS(p_types, JSON_QUOTE(k.type))
    );
END//

DELIMITER ;
