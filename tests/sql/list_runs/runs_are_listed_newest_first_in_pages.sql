begin;
select plan(6);
set local role byssus_app;

select start('a');
select pass_time(1);
select start('b');
select pass_time(1);
select start('c');
create function pg_temp.page(p_size integer, p_token text) returns jsonb language sql as
'select (byssus.list_runs(''default'', null, null, p_size, p_token)).body::jsonb';
create function pg_temp.names(p_page jsonb) returns text[] language sql as
'select array(select w ->> ''workflow_id'' from jsonb_array_elements(p_page -> ''workflows'') as w)';
select is(pg_temp.names(pg_temp.page(10, null)), array['c', 'b', 'a'], 'all of them');
select is(pg_temp.names(pg_temp.page(2, null)), array['c', 'b'], 'the first page');
select is(
    pg_temp.page(2, null) ->> 'next_page_token', encode(run('b')::bytea, 'base64'), 'its token names the last of them'
);
select is(pg_temp.names(pg_temp.page(2, run('b'))), array['a'], 'the second page');
select is(pg_temp.page(2, run('b')) -> 'next_page_token', 'null', 'there is no third');
select is(pg_temp.page(3, null) -> 'next_page_token', 'null', 'a page that is just full is the last');

select * from finish();
rollback;
