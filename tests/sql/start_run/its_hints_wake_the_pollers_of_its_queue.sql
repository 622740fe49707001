begin;
select plan(1);
set local role byssus_app;

create temporary table answered as
select * from byssus.start_run('default', 'wf', 'order', 'fast', 'fail', null, 'd', start_options());
select is(
    (select hints from answered)::jsonb,
    jsonb_build_array(jsonb_build_array('run', run()), '["workflow","default","fast"]'::jsonb), 'its run and its queue'
);

select * from finish();
rollback;
