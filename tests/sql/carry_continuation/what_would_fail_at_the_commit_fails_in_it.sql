begin;
select plan(5);
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
create constraint trigger broken after insert on byssus.timers deferrable initially deferred
for each row execute function byssus_test.breaks();
create temporary table told as select * from pg_temp.carry(continuation(2, timer(), completes()));
select is((select part ->> 'reason' from told), 'failed', 'it failed');
select is((the_run()).closed_at, null, 'and is undone');
select is((select hints from told) like '%,["failed","continuation","BY999"]]', true, 'the log is told why');
select is(
    (select remembered from told), 3::bigint,
    'its caller knows nothing of it'
);
select lives_ok('set constraints all immediate', 'the rest can commit');

select * from finish();
rollback;
