begin;
select plan(2);
set local role byssus_owner;

create function pg_temp.insert_run(p_sequence bigint) returns void language sql as $$
    insert into byssus.runs (run_id, namespace, workflow_id, run_number, first_run_id, workflow_type, task_queue,
        priority, fairness_weight, status, started_at, last_progress_at, last_history_sequence)
    values ('r', 'default', 'other', 1, 'r', 'order', 'q', 5, 1, 'pending', now(), now(), p_sequence)
$$;
set constraints all immediate;
select throws_ok('select pg_temp.insert_run(2)', 'BY003', null, 'two events that are not there');
select lives_ok('select pg_temp.insert_run(0)', 'an empty history ends at 0');

select * from finish();
rollback;
