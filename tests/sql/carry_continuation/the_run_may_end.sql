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
create temporary table told as select * from pg_temp.carry(continuation(2, completes()));
select is((select is_applied from told), true, 'applied');
select is((select part ->> 'run_status' from told), 'completed', 'the run has ended');
select is((select part -> 'history_last_sequence' from told), '4', 'with its last event');
select is((the_run()).status, 'completed', 'indeed');

select * from finish();
rollback;
