begin;
select plan(6);
set local role byssus_app;

select leased_run('done');
select complete(run('done'), completes());
select start('open');
select start('stopped');
select byssus.terminate_run('default', 'stopped', null, null, null, 'd');
create function pg_temp.names(p_type text, p_bucket text) returns text[] language sql as $$
    select array(
        select w ->> 'workflow_id' from jsonb_array_elements(
            (byssus.list_runs('default', p_type, p_bucket, 10, null)).body::jsonb -> 'workflows'
        ) as w order by 1
    )
$$;
select is(pg_temp.names(null, 'running'), array['open'], 'running');
select is(pg_temp.names(null, 'completed'), array['done'], 'completed');
select is(pg_temp.names(null, 'failed'), array['stopped'], 'failed, cancelled and terminated ones');
select is(pg_temp.names('order', null), array['done', 'open', 'stopped'], 'of a type');
select is(pg_temp.names('order', 'running'), array['open'], 'of a type and running');
select is(pg_temp.names('other', null), '{}', 'of a type that has none');

select * from finish();
rollback;
