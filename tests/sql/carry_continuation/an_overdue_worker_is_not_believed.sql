begin;
select plan(2);
set local role byssus_owner;

select register('w0');
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
select register('w2');
update byssus.worker_liveness set stale_at = moment();
select is((pg_temp.carry(continuation(2, schedule()))).part ->> 'reason', 'registration_changed', 'it is overdue');
update byssus.worker_liveness set stale_at = moment(0.000001) where worker_id = 'w1';
select is((pg_temp.carry(continuation(2, schedule()))).is_applied, true, 'and was not until then, unlike others');

select * from finish();
rollback;
