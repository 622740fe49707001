begin;
select plan(5);
set local role byssus_app;

select leased_run();
select complete(run(), continues());
create function pg_temp.page(p_after integer, p_size integer) returns jsonb language sql as
'select (byssus.list_workflow_runs(''default'', ''wf'', p_after, p_size)).body::jsonb';
select is(pg_temp.page(0, 10) -> 'run_count', '2', 'it says how many there are');
select is(pg_temp.page(0, 10) #>> '{runs,1,run_id}', run(), 'the current one is the last');
select is(pg_temp.page(0, 10) -> 'next_page_token', 'null', 'all were listed');
select is(pg_temp.page(0, 1) ->> 'next_page_token', encode('1'::bytea, 'base64'), 'a token names the last number');
select is(jsonb_array_length(pg_temp.page(1, 10) -> 'runs'), 1, 'a page goes on behind it');

select * from finish();
rollback;
