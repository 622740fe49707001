-- Removes recorded answers and ended registrations that are too old to be asked for again, and counts that no metric
-- looks at any more.
--
-- p_batch_size       how many answers and registrations at most; of the counts, which are small, twenty times that.
-- p_receipt_seconds  for how long they are kept.
-- Outcomes           swept: how many answers and registrations went, and whether there may be more.
-- Locks              the rows that go.
-- Writes             receipts, worker_incarnations, sticky_counts.
DELIMITER //

DROP PROCEDURE IF EXISTS prune_receipts//

CREATE PROCEDURE prune_receipts(p_batch_size INT, p_receipt_seconds INT)
MODIFIES SQL DATA
SQL SECURITY DEFINER
COMMENT 'Deletes receipts and ended registrations past their retention.'
BEGIN
    DECLARE v_now DATETIME(6) DEFAULT current_instant();
    DECLARE v_before DATETIME(6) DEFAULT v_now - INTERVAL p_receipt_seconds SECOND;
    DECLARE v_receipts, v_incarnations INT;
    DECLARE v_counts_limit INT DEFAULT p_batch_size * 20;
    DECLARE v_outcome VARCHAR(64);
    DECLARE v_body, v_hints LONGTEXT;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION, 1265
    BEGIN
        ROLLBACK;
        RESIGNAL;
    END;

    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
    START TRANSACTION;
    steps: BEGIN
        DELETE FROM receipts WHERE recorded_at < v_before ORDER BY recorded_at LIMIT p_batch_size;
        SET v_receipts = ROW_COUNT();

        DELETE FROM worker_incarnations WHERE finished_at < v_before ORDER BY finished_at LIMIT p_batch_size;
        SET v_incarnations = ROW_COUNT();

        DELETE FROM sticky_counts WHERE counted_at < v_now - INTERVAL 2 MINUTE ORDER BY counted_at LIMIT v_counts_limit;

        CALL swept(
            v_receipts + v_incarnations, v_receipts = p_batch_size OR v_incarnations = p_batch_size, NULL,
            v_outcome, v_body, v_hints
        );
    END steps;
    COMMIT;

    SELECT v_outcome AS outcome, v_body AS body, v_hints AS hints;
END//

DELIMITER ;
