begin;
select plan(3);
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
select is((pg_temp.carry(continuation(2, schedule()) - 'sticky')).is_applied, true, 'applied');
select is(the_affinity(), null, 'the run is not kept');
select is((the_liveness()).sticky_hits, 0::bigint, 'and no totals are');

select * from finish();
rollback;
