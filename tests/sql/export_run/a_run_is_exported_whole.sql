begin;
select plan(5);
set local role byssus_app;

select leased_run();
select complete(run(), schedule(), timer());
create function pg_temp.exported() returns jsonb language sql as
'select (byssus.export_run(''default'', ''wf'', run())).body::jsonb';
select is((byssus.export_run('default', 'wf', run())).outcome, 'exported', 'it is exported');
select is(jsonb_array_length(pg_temp.exported() -> 'events'), 3, 'with its history');
select is(pg_temp.exported() #>> '{activities,0,id}', activity(), 'its activities');
select is(pg_temp.exported() #>> '{timers,0,id}', run() || ':t2', 'its timers');
select is(pg_temp.exported() -> 'tasks', '[]', 'and its open task, if it has one');

select * from finish();
rollback;
