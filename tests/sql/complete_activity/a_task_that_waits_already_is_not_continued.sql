begin;
select plan(2);
set local role byssus_app;

select held_activity();
select signal();
create function pg_temp.reason(p_basis bigint) returns text language sql as $$
    select (byssus_test.finish_activity(
        jsonb_build_object('continuation', byssus_test.continuation(p_basis, byssus_test.timer()))
    )).body::jsonb #>> '{continuation,reason}'
$$;
savepoint signalled;
select is(pg_temp.reason(2), 'history_moved', 'the worker has not seen why it waits');
rollback to savepoint signalled;
select is(pg_temp.reason(3), 'workflow_task_pending', 'nor would it help, if it had');

select * from finish();
rollback;
