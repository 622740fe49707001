begin;
select plan(9);
set local role byssus_app;

select held_activity();
select start('other');
create temporary table told as
select * from finish_activity(jsonb_build_object(
    'continuation', continuation(2, schedule()),
    'workflow_poll', carried_poll('a'),
    'activity_poll', carried_poll('b', '{"history_after_sequence":2,"if_applied":true}')
));
select is((select outcome from told), 'completed', 'completed');
select is((select body::jsonb #>> '{continuation,outcome}' from told), 'applied', 'the workflow went on');
select is((select body::jsonb #>> '{workflow_poll,task,workflow_id}' from told), 'other', 'a task of another run');
select is((select body::jsonb #>> '{activity_poll,task,task_id}' from told), activity(run(), 2), 'its next activity');
select is(
    (select jsonb_path_query_array(body::jsonb, '$.activity_poll.history_tail.events[*].event_type') from told),
    '["ActivityCompleted", "ActivityScheduled"]', 'with what the continuation made of history'
);
select is((the_affinity()).delivered_sequence, 4::bigint, 'which counts as delivered');
select is((select hints from told), '[["run","' || run() || '"]]', 'nobody else is called');
select is((select array_agg(k) from (select json_object_keys(body::json) as k from told) as m),
    array['task_id', 'activity_attempt_id', 'outcome', 'recorded', 'continuation', 'workflow_poll', 'activity_poll'],
    'a member for each part'
);
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
