begin;
select plan(8);
set local role byssus_app;

select held_activity();
select start('other');
create temporary table carried as select jsonb_build_object(
    'continuation', continuation(2, schedule()),
    'workflow_poll', carried_poll('a'),
    'activity_poll', carried_poll('b', '{"history_after_sequence":2,"if_applied":true}')
) as parts;
create temporary table first as select * from finish_activity((select parts from carried));
select start('third');
create temporary table again as select * from finish_activity((select parts from carried));
select is((select body::jsonb from again), (select body::jsonb from first), 'the same answer');
select is((select hints from again), null, 'and no hints again');
select is((the_task(run('third'))).status, 'ready', 'nothing new is claimed');
create temporary table conflict as select * from finish_activity((select parts from carried), 'other');
select is((select outcome from conflict), 'conflicting_completion', 'another body is refused');
select is((select body::jsonb ? 'workflow_poll' from conflict), false, 'with what it carries');
select pass_time(60);
create temporary table late as select * from finish_activity((select parts from carried));
select is((select body::jsonb #>> '{workflow_poll,poll_status}' from late), 'empty', 'claims last as their leases do');
select is(
    (select body::jsonb -> 'continuation' from late), (select body::jsonb -> 'continuation' from first),
    'what was applied stays so'
);
select is((events())[3:], array['ActivityCompleted', 'ActivityScheduled'], 'it was recorded once');

select * from finish();
rollback;
