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
select is((pg_temp.carry(continuation(2, timer()))).is_applied, true, 'applied');
select is((signal()).outcome, 'signal_received', 'a run may go on before its events');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
