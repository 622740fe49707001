begin;
select plan(4);
set local role byssus_app;

select waiting_run('wf', timer());
create function pg_temp.answer(p_run text, p_request text) returns jsonb language sql as
'select (byssus.signal_run(''default'', ''wf'', p_run, ''go'', null, p_request, ''d'')).body::jsonb';
select is(pg_temp.answer(null, null) ->> 'target_scope', 'instance', 'the workflow');
select is(pg_temp.answer(run(), null) ->> 'target_scope', 'run', 'or one run');
select is(pg_temp.answer(run(), 'r1') ->> 'request_id', 'r1', 'and the request');
select is(pg_temp.answer(run(), null) -> 'request_id', null, 'when there was one');

select * from finish();
rollback;
