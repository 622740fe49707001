begin;
select plan(4);
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
select pass_time(1);
select pg_temp.carry(continuation(2, schedule()));
select is((the_affinity()).sticky_until, moment(300), 'from now on');
select is((the_affinity()).reported_sequence, 2::bigint, 'through where it says');
select is((the_affinity()).delivered_sequence, 2::bigint, 'since the result was not delivered to it');
select is((the_liveness()).sticky_hits, 7::bigint, 'its totals are kept');

select * from finish();
rollback;
