-- The guarded history sequence: for every run, its events are numbered 1..n without a gap and n is the run's
-- last_history_sequence. These triggers hold for the owner of the tables too.
--
-- append_history first advances the run, then inserts. So an event that does not follow on, or that the run does not
-- account for, is refused at once; and so is a run that is advanced while an event of its last advance is missing.
--
-- What only a check at commit could see, and neither MySQL nor MariaDB has one: a transaction that advances a run once
-- and commits without the events, and one that deletes a run and leaves its history. Nor is there a trigger on
-- TRUNCATE, which takes the right to DROP. `byssus audit` finds what got by.
DELIMITER //

CREATE TRIGGER guard_history_insert
BEFORE INSERT ON history_events
FOR EACH ROW
BEGIN
    DECLARE v_last BIGINT;
    DECLARE v_message VARCHAR(128);

    SELECT r.last_history_sequence INTO v_last FROM runs AS r WHERE r.run_id = NEW.run_id;
    IF v_last IS NULL OR NEW.sequence > v_last OR (
        NEW.sequence > 1 AND NOT EXISTS (
            SELECT 1 FROM history_events AS e WHERE e.run_id = NEW.run_id AND e.sequence = NEW.sequence - 1
        )
    ) THEN
        SET v_message = CONCAT(
            'history of run ', NEW.run_id, ' cannot take event ', NEW.sequence,
            ': it ends at ', COALESCE(v_last, 'nothing')
        );
        SIGNAL SQLSTATE 'BY001' SET MESSAGE_TEXT = v_message, MYSQL_ERRNO = 31001;
    END IF;
END//

CREATE TRIGGER guard_history_update
BEFORE UPDATE ON history_events
FOR EACH ROW
BEGIN
    DECLARE v_message VARCHAR(128);

    SET v_message = CONCAT('history of run ', OLD.run_id, ' is immutable: update of event ', OLD.sequence, ' refused');
    SIGNAL SQLSTATE 'BY002' SET MESSAGE_TEXT = v_message, MYSQL_ERRNO = 31002;
END//

CREATE TRIGGER guard_history_delete
BEFORE DELETE ON history_events
FOR EACH ROW
BEGIN
    DECLARE v_message VARCHAR(128);

    IF EXISTS (SELECT 1 FROM runs AS r WHERE r.run_id = OLD.run_id) THEN
        SET v_message = CONCAT('history of run ', OLD.run_id, ' is immutable: delete of event ', OLD.sequence, ' refused');
        SIGNAL SQLSTATE 'BY002' SET MESSAGE_TEXT = v_message, MYSQL_ERRNO = 31002;
    END IF;
END//

CREATE TRIGGER guard_run_sequence_inserted
BEFORE INSERT ON runs
FOR EACH ROW
BEGIN
    DECLARE v_message VARCHAR(128);

    IF NEW.last_history_sequence <> 0 THEN
        SET v_message = CONCAT('run ', NEW.run_id, ' is new and cannot have a history');
        SIGNAL SQLSTATE 'BY003' SET MESSAGE_TEXT = v_message, MYSQL_ERRNO = 31003;
    END IF;
END//

CREATE TRIGGER guard_run_sequence_updated
BEFORE UPDATE ON runs
FOR EACH ROW
BEGIN
    DECLARE v_message VARCHAR(128);

    IF NEW.last_history_sequence <> OLD.last_history_sequence AND (
        NEW.last_history_sequence < OLD.last_history_sequence
        OR (
            OLD.last_history_sequence > 0 AND NOT EXISTS (
                SELECT 1 FROM history_events AS e
                WHERE e.run_id = OLD.run_id AND e.sequence = OLD.last_history_sequence
            )
        )
    ) THEN
        SET v_message = CONCAT('run ', OLD.run_id, ' cannot go on: its history does not end at ', OLD.last_history_sequence);
        SIGNAL SQLSTATE 'BY003' SET MESSAGE_TEXT = v_message, MYSQL_ERRNO = 31003;
    END IF;
END//

DELIMITER ;
