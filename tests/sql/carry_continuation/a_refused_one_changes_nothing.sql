begin;
select plan(7);
set local role byssus_owner;

select held_activity();
select finish_activity(null);
delete from byssus.workflow_tasks;
create function pg_temp.carry(
    p_continuation jsonb, p_asks boolean default true, out is_applied boolean, out part jsonb, out hints text,
    out remembered bigint
) language sql as $$
    select c.is_applied, c.body::jsonb -> 'continuation', c.hints,
        c.last_sequence
    from byssus.carry_continuation(
        byssus_test.the_run(), byssus_test.the_registration(), p_continuation::json, p_asks, byssus_test.moment(),
        byssus_test.completed('[["run","r"],["held","default","q"]]')
    ) as c
$$;
create temporary table told as select * from pg_temp.carry(continuation(1, schedule()));
select is((select is_applied from told), false, 'not applied');
select is((select part from told), '{"outcome":"refused","reason":"history_moved"}', 'with the reason');
select is((select hints from told), '[["run","r"],["held","default","q"]]', 'the task calls as before');
select is(
    (select remembered from told), 3::bigint,
    'its caller knows the run as it is'
);
select is((the_task()).run_id, null, 'no task was made');
select is((pg_temp.carry(continuation(2, schedule()), false)).part ->> 'reason', 'no_workflow_task', 'nobody was woken');
select is((events())[3:], array['ActivityCompleted'], 'history did not go on');

select * from finish();
rollback;
