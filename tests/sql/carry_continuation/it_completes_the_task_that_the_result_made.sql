begin;
select plan(8);
set local role byssus_owner;

select start('other', '{"priority":9}');
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
create temporary table told as select * from pg_temp.carry(continuation(2, schedule(), timer(60)));
select is((select is_applied from told), true, 'applied');
select is(
    (select part from told),
    jsonb_build_object(
        'outcome', 'applied', 'reason', null, 'task_id', run() || ':k3', 'run_status', 'waiting',
        'history_last_sequence', 5
    ),
    'it says what came of it'
);
select is((events())[3:], array['ActivityCompleted', 'ActivityScheduled', 'TimerScheduled'], 'history goes on');
select is(
    (select remembered from told), 5::bigint,
    'its caller knows the run as it is now'
);
select is(the_task(), null, 'the task is over');
select is((the_run()).applied_through_sequence, 3::bigint, 'its worker has seen the result');
select matches(
    (select hints from told), '^\[\["run","[^"]+"\],\["activity","default","q"\],\["due","[^"]+"\]\]$',
    'the hints are those of the commands, and call nobody for the task'
);
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
