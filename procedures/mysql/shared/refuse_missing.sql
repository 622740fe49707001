-- The refusal of something that was not found: the namespace, if that is what is missing.
--
-- p_namespace        the namespace of the request.
-- p_reason           what to answer when the namespace exists.
-- p_members          more members of the body, with a leading comma.
-- p_outcome, p_body  the refusal: namespace_not_found or p_reason.
-- Locks none, writes nothing.
DELIMITER //

DROP PROCEDURE IF EXISTS refuse_missing//

CREATE PROCEDURE refuse_missing(
    p_namespace VARCHAR(255), p_reason VARCHAR(64), p_members LONGTEXT, OUT p_outcome VARCHAR(64), OUT p_body LONGTEXT
)
READS SQL DATA
COMMENT 'A not-found refusal that tells a missing namespace from a missing row.'
BEGIN
    DECLARE v_namespaces INT;

    SELECT COUNT(*) INTO v_namespaces FROM namespaces AS n WHERE n.name = p_namespace;
    IF v_namespaces = 1 THEN
        CALL refuse(p_reason, p_members, p_outcome, p_body);
    ELSE
        CALL refuse(
            'namespace_not_found', CONCAT(',"namespace":', json_string(p_namespace)), p_outcome, p_body
        );
    END IF;
END//

DELIMITER ;
