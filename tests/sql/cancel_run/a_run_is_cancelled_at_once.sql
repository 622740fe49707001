begin;
select plan(7);
set local role byssus_app;

select running_activity();
create temporary table answered as
select * from byssus.cancel_run('default', 'wf', null, 'no stock', null, 'd');
select is((select outcome from answered), 'cancelled', 'cancelled');
select is((the_run()).status, 'cancelled', 'the run is closed');
select is(
    (events())[3:], array['CancelRequested', 'ActivityCancelled', 'WorkflowCancelled'], 'history says how it ended'
);
select is(payload('WorkflowCancelled') ->> 'reason', 'no stock', 'and why');
select is((the_activity()).status, 'cancelled', 'its activity is cancelled');
select is((select hints from answered)::jsonb, jsonb_build_array(jsonb_build_array('run', run())), 'readers are told');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
