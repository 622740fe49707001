begin;
select plan(6);
set local role byssus_app;

select held_activity();
create temporary table told as select * from finish_activity(jsonb_build_object(
    'continuation', continuation(1, schedule()), 'workflow_poll', carried_poll('a'),
    'activity_poll', carried_poll('b', '{"if_applied":true}')
));
select is((select outcome from told), 'completed', 'completed');
select is((select body::jsonb #>> '{continuation,reason}' from told), 'history_moved', 'the workflow did not go on');
select is((select body::jsonb #>> '{workflow_poll,task,task_id}' from told), task(), 'its task does');
select is(
    (select body::jsonb #> '{workflow_poll,task,history_last_sequence}' from told), '3', 'with the result in its history'
);
select is((select body::jsonb #>> '{activity_poll,poll_status}' from told), 'empty', 'there is no activity yet');
select is((select hints from told), '[["run","' || run() || '"]]', 'nobody else is called');

select * from finish();
rollback;
