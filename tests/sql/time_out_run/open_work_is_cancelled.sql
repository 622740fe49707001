begin;
select plan(1);
set local role byssus_owner;

select waiting_run('wf', schedule(), timer());
select byssus.time_out_run(the_run(), moment());
select is((events())[4:], array['ActivityCancelled', 'TimerCancelled', 'WorkflowTimedOut'], 'before the end');

select * from finish();
rollback;
