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
create trigger broken before insert on byssus.activities for each row execute function byssus_test.breaks();
create temporary table told as select * from pg_temp.carry(continuation(2, timer(), schedule()));
select is((select is_applied from told), false, 'not applied');
select is((select part from told), '{"outcome":"refused","reason":"failed"}', 'it failed');
select is(
    (select hints from told), '[["run","r"],["held","default","q"],["failed","continuation","BY999"]]',
    'the task calls its worker, and the log is told why'
);
select is((the_task()).run_id, null, 'no task was made');
select is((the_affinity()).reported_sequence, 1::bigint, 'the run is kept as before');
select is((events())[3:], array['ActivityCompleted'], 'history did not go on');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
