begin;
select plan(3);
set local role byssus_app;

create function pg_temp.reason(p_position integer) returns text language sql as $$
    select (byssus_test.finish_activity(
        jsonb_build_object('continuation', byssus_test.continuation(3, byssus_test.timer())), 'd', p_position
    )).body::jsonb #>> '{continuation,reason}'
$$;
select held_activity(leaf(schedule(), 1, 0, 2), leaf(schedule(), 1, 1, 2));
select claim_activity('w1', 'second');
select is(pg_temp.reason(1), 'no_workflow_task', 'its group is still open');
select signal();
select claim('w1', 'p2');
select is(pg_temp.reason(2), 'no_workflow_task', 'or a worker has the task already');
select is(held(), array['ActivityCompleted'], 'and the result is held');

select * from finish();
rollback;
