-- The guarded history sequence: for every run its events are numbered 1..n without a gap and n is the run's
-- last_history_sequence. These triggers hold for everybody who writes to the file.
--
-- append_history first advances the run, then inserts. So an insert that does not follow on, or that the run does
-- not account for, is refused at once.
--
-- SQLite has no triggers that run at commit, and its errors are fixed texts. So, other than on PostgreSQL:
--   an advance without its rows is refused not at commit but when the run is next advanced or appended to;
--   a run that is inserted and never gets an event, or is deleted without its history, is not noticed here;
--   the messages do not name the run (append_history's own error does).

-- Refuses (BY001) history rows that do not extend their run by what the run was advanced by. A row that exists is
-- refused as well: INSERT OR REPLACE would delete it without asking the trigger for deletions.
create trigger guard_history_insert
before insert on history_events
when
    new.sequence > coalesce((
        select r.last_history_sequence from runs as r
        where r.run_id = new.run_id
    ), 0)
    or (
        new.sequence > 1
        and not exists (
            select 1 from history_events as e
            where e.run_id = new.run_id and e.sequence = new.sequence - 1
        )
    )
    or exists (
        select 1 from history_events as e
        where e.run_id = new.run_id and e.sequence = new.sequence
    )
begin
    select raise(abort, 'BY001: the history of this run cannot take this event: only append_history writes history');
end;

-- Refuses (BY002) any update of a history row.
create trigger guard_history_update
before update on history_events
begin
    select raise(abort, 'BY002: history is immutable: update refused');
end;

-- Refuses (BY002) the deletion of a history row while its run exists: history rows go only after their run.
create trigger guard_history_delete
before delete on history_events
when
    exists (
        select 1 from runs as r
        where r.run_id = old.run_id
    )
begin
    select raise(abort, 'BY002: history of existing runs is immutable: delete refused');
end;

-- Refuses (BY003) a new run that claims to have history already, or whose id has some.
create trigger guard_run_sequence_inserted
after insert on runs
when
    new.last_history_sequence <> 0
    or exists (
        select 1 from history_events as e
        where e.run_id = new.run_id
    )
begin
    select raise(abort, 'BY003: a new run has no history: only append_history advances a run');
end;

-- Refuses (BY003) to move a run's last_history_sequence back, or on while its history does not reach it.
create trigger guard_run_sequence_updated
after update of last_history_sequence on runs
when
    new.last_history_sequence < old.last_history_sequence
    or (
        old.last_history_sequence > 0
        and not exists (
            select 1 from history_events as e
            where e.run_id = old.run_id and e.sequence = old.last_history_sequence
        )
    )
begin
    select raise(abort, 'BY003: the history of this run does not end there: only append_history advances a run');
end;
