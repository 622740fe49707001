begin;
select plan(5);
set local role byssus_app;

select leased_run();
create temporary table old as select run() as run_id;
create function pg_temp.outcome(p_namespace text, p_workflow text, p_run text) returns text language sql as
'select (byssus.cancel_run(p_namespace, p_workflow, p_run, null, null, ''d'')).outcome';
select complete(run(), continues());
select is(pg_temp.outcome('default', 'nobody', null), 'instance_not_found', 'an unknown workflow');
select is(pg_temp.outcome('default', 'wf', 'no-run'), 'run_not_found', 'an unknown run');
select is(pg_temp.outcome('elsewhere', 'wf', null), 'namespace_not_found', 'an unknown namespace');
select is(
    pg_temp.outcome('default', 'wf', (select run_id from old)), 'historical_run_command_rejected', 'one that continued'
);
select is(pg_temp.outcome('default', 'wf', null), 'cancelled', 'the current run can be');

select * from finish();
rollback;
