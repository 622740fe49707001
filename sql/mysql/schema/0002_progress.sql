-- How far the upgrade to each revision has come. DDL commits by itself here, so an upgrade that is interrupted leaves
-- what it has done; it is run again and goes on behind the last step noted here.
CREATE TABLE IF NOT EXISTS schema_progress (
    revision VARCHAR(32) NOT NULL PRIMARY KEY,
    steps_done INT NOT NULL DEFAULT 0,
    -- Set before a step and taken back after it: a step found so may have been carried out or not.
    is_in_step BOOLEAN NOT NULL DEFAULT FALSE
) COMMENT = 'One row per revision: how many of its statements have been carried out.';
