begin;
select plan(6);
set local role byssus_app;

select start();
create function pg_temp.start_again(p_policy text, p_type text default 'order') returns byssus.answer language sql as $$
    select byssus.start_run('default', 'wf', p_type, 'q', p_policy, null, 'd', byssus_test.start_options())
$$;
select is((pg_temp.start_again('fail')).outcome, 'instance_already_started', 'a second start fails');
select is((pg_temp.start_again('use-existing')).outcome, 'returned_existing_active', 'or gets the open run');
select is((pg_temp.start_again('use-existing')).body::jsonb ->> 'run_id', run(), 'by its id');
select is((pg_temp.start_again('use-existing', 'other')).outcome, 'workflow_type_mismatch', 'but not of another type');
select byssus.terminate_run('default', 'wf', null, null, null, 'd');
select is((pg_temp.start_again('use-existing')).outcome, 'instance_already_started', 'a closed one is not used again');
select is(rows_of('runs'), 1::bigint, 'there is one run');

select * from finish();
rollback;
