begin;
select plan(4);
set local role byssus_app;

select held_activity(schedule(), schedule());
create temporary table told as select * from finish_activity(jsonb_build_object(
    'workflow_poll', carried_poll('a'), 'activity_poll', carried_poll('b', '{"history_after_sequence":3}')
));
select is((select body::jsonb #>> '{workflow_poll,task,task_id}' from told), task(), 'the task that the result made');
select is((select body::jsonb #>> '{activity_poll,task,task_id}' from told), activity(run(), 2), 'the other activity');
select is(
    (select jsonb_path_query_array(body::jsonb, '$.activity_poll.history_tail.events[*].event_type') from told),
    '["ActivityCompleted"]', 'with the event of the completion itself'
);
select is((select body::jsonb ? 'continuation' from told), false, 'and nothing that was not carried');

select * from finish();
rollback;
