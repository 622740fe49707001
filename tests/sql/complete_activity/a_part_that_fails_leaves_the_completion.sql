begin;
select plan(9);
set local role byssus_owner;

select held_activity();
create constraint trigger broken after insert on byssus.activities deferrable initially deferred
for each row execute function byssus_test.breaks();
create temporary table told as select * from finish_activity(jsonb_build_object(
    'continuation', continuation(2, timer(), schedule()), 'workflow_poll', carried_poll('a'),
    'activity_poll', carried_poll('b', '{"if_applied":true}')
));
select is((select outcome from told), 'completed', 'the completion stands');
select is((select body::jsonb #>> '{continuation,reason}' from told), 'failed', 'the workflow did not go on');
select is((the_activity()).status, 'completed', 'the activity has ended');
select is((events())[3:], array['ActivityCompleted'], 'and history says so');
select is(
    (select body::jsonb #> '{workflow_poll,task,history_last_sequence}' from told), '3',
    'the poll gets the run as the completion has left it'
);
select is((select body::jsonb #>> '{activity_poll,poll_status}' from told), 'empty', 'no activity comes of it');
select is(
    (select hints from told), '[["run","' || run() || '"],["failed","continuation","BY999"]]', 'the log is told why'
);
select is((finish_activity(null)).outcome, 'completed', 'the answer was recorded');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
