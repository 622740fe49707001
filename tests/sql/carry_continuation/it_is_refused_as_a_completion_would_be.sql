begin;
select plan(6);
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
create temporary table told as select * from pg_temp.carry(
    continuation(2, schedule()) || '{"sticky":"{\"worker_id\":\"w2\"}"}'
);
select is((select part ->> 'reason' from told), 'sticky_cache_identity_mismatch', 'for its cache');
select is((select is_applied from told), false, 'not applied');
select is((select hints from told), '[["run","r"],["held","default","q"]]', 'this is no failure');
select is((the_task()).run_id, null, 'no task was made');
select is(
    (pg_temp.carry(continuation(2, leaf(schedule(), 7, 0, 1)))).part ->> 'reason', 'invalid_commands',
    'or for a command out of place'
);
select is((the_affinity()).delivered_sequence, 2::bigint, 'the run is kept as before');

select * from finish();
rollback;
