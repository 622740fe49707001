-- The guarded history sequence: for every run, at every commit, its events are numbered 1..n without a gap and
-- n is the run's last_history_sequence. These triggers hold for the owner of the tables too.
--
-- append_history first advances the run, then inserts. So an insert that does not follow on, or that the run
-- does not account for, is refused at once, and an advance without its rows is refused at commit.

create function byssus.guard_history_insert() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
    v_fault record;
begin
    select b.run_id, b.first, b.last, r.last_history_sequence
    into v_fault
    from (
        select e.run_id, min(e.sequence) as first, max(e.sequence) as last, count(*) as events
        from inserted as e
        group by e.run_id
    ) as b
    left join byssus.runs as r on b.run_id = r.run_id
    left join byssus.history_events as p on b.run_id = p.run_id and p.sequence = b.first - 1
    where r.last_history_sequence is distinct from b.last
        or b.last - b.first + 1 <> b.events
        or (b.first > 1 and p.run_id is null)
    limit 1;

    if found then
        raise exception 'history of run % cannot take events % to %: its last sequence is %',
            v_fault.run_id, v_fault.first, v_fault.last, coalesce(v_fault.last_history_sequence::text, 'unknown')
            using errcode = 'BY001', hint = 'Only append_history writes history.';
    end if;
    return null;
end;
$$;

comment on function byssus.guard_history_insert() is
'Refuses (BY001) history rows that do not extend their run by exactly what the run was advanced by.';

create trigger guard_history_insert
after insert on byssus.history_events
referencing new table as inserted
for each statement execute function byssus.guard_history_insert();

create function byssus.guard_history_immutable() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
    if tg_op = 'DELETE' and not exists (
        select from byssus.runs as r where r.run_id = old.run_id
    ) then
        return old;
    end if;
    raise exception 'history of run % is immutable: % of event % refused', old.run_id, lower(tg_op), old.sequence
        using errcode = 'BY002', hint = 'History rows go only after their run (retention, namespace deletion).';
end;
$$;

comment on function byssus.guard_history_immutable() is
'Refuses (BY002) any update of a history row, and its deletion while its run exists.';

create trigger guard_history_immutable
before update or delete on byssus.history_events
for each row execute function byssus.guard_history_immutable();

create function byssus.guard_history_truncate() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
    if exists (select from byssus.runs) then
        raise exception 'history of existing runs is immutable: truncate refused' using errcode = 'BY002';
    end if;
    return null;
end;
$$;

comment on function byssus.guard_history_truncate() is 'Refuses (BY002) to truncate history while runs exist.';

create trigger guard_history_truncate
before truncate on byssus.history_events
for each statement execute function byssus.guard_history_truncate();

create function byssus.guard_run_sequence() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
    v_run_id text := coalesce(new.run_id, old.run_id);
    v_end record;
begin
    select
        (select r.last_history_sequence from byssus.runs as r where r.run_id = v_run_id) as run_says,
        (select max(e.sequence) from byssus.history_events as e where e.run_id = v_run_id) as history_says
    into v_end;
    -- A run that is gone must have taken its history along; one that has just been made may have none yet.
    if coalesce(v_end.run_says, 0) <> coalesce(v_end.history_says, 0) then
        raise exception 'run % says that its last history sequence is %, its history ends at %',
            v_run_id, coalesce(v_end.run_says::text, 'unknown'), coalesce(v_end.history_says::text, 'nothing')
            using errcode = 'BY003', hint = 'Only append_history advances a run.';
    end if;
    return null;
end;
$$;

comment on function byssus.guard_run_sequence() is
'At commit, refuses (BY003) a run whose last_history_sequence is not the number of its last history row.';

create constraint trigger guard_run_sequence_inserted
after insert on byssus.runs
deferrable initially deferred
for each row
when (new.last_history_sequence <> 0)
execute function byssus.guard_run_sequence();

create constraint trigger guard_run_sequence_updated
after update on byssus.runs
deferrable initially deferred
for each row
when (old.last_history_sequence is distinct from new.last_history_sequence)
execute function byssus.guard_run_sequence();

create constraint trigger guard_run_sequence_deleted
after delete on byssus.runs
deferrable initially deferred
for each row execute function byssus.guard_run_sequence();
