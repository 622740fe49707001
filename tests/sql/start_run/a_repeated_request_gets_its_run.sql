begin;
select plan(4);
set local role byssus_app;

create function pg_temp.begin(p_digest text) returns byssus.answer language sql as $$
    select byssus.start_run('default', 'wf', 'order', 'q', 'fail', 'r1', p_digest, byssus_test.start_options())
$$;
create temporary table first as select * from pg_temp.begin('d');
select is((pg_temp.begin('d')).outcome, 'started_new', 'as if it were the first time');
select is((pg_temp.begin('d')).body::jsonb ->> 'run_id', (select body::jsonb ->> 'run_id' from first), 'the same run');
select is((pg_temp.begin('other')).outcome, 'request_id_conflict', 'another body is refused');
select is(rows_of('runs'), 1::bigint, 'there is one run');

select * from finish();
rollback;
