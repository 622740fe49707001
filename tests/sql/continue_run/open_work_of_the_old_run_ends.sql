begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', schedule(), timer());
create temporary table old as select run() as run_id;
select byssus.continue_run(the_run(), continues()::json, moment(), '{}', '{}');
select is((the_activity((select run_id from old))).status, 'cancelled', 'its activity');
select is(rows_of('timers'), 0::bigint, 'its timer');
select is(rows_of('workflow_tasks'), 1::bigint, 'there is the task of the new run');

select * from finish();
rollback;
