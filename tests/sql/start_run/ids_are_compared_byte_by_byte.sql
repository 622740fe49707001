begin;
select plan(3);
set local role byssus_app;

select start('wf');
create function pg_temp.outcome(p_workflow text) returns text language sql as $$
    select (byssus.start_run(
        'default', p_workflow, 'order', 'q', 'fail', null, 'd', byssus_test.start_options()
    )).outcome
$$;
select is(pg_temp.outcome('WF'), 'started_new', 'case counts');
select is(pg_temp.outcome('wf '), 'started_new', 'a trailing space counts');
select is(pg_temp.outcome('wf'), 'instance_already_started', 'the same is the same');

select * from finish();
rollback;
