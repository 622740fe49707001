begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.lease(p_worker text default 'w1', p_more jsonb default '{}') returns jsonb language sql as $$
    select (byssus.lease_workflow_task(
        byssus_test.poll(p_worker, 'p2', p_more) -> 0, byssus_test.the_registration(p_worker), byssus_test.moment()
    )).body::jsonb -> 'task'
$$;
select register_sticky();
select retained_run();
select signal();
create function pg_temp.lease_as(p_more jsonb) returns text language sql as $$
    select (byssus.lease_workflow_task(
        byssus_test.poll('w1', 'p2') -> 0, jsonb_populate_record(byssus_test.the_registration(), p_more),
        byssus_test.moment()
    )).outcome
$$;
select is(pg_temp.lease_as('{"workflow_types":["other"]}'), null, 'not the type');
update byssus.workflow_tasks set build_id = 'b7';
select is(pg_temp.lease_as('{}'), null, 'not the build');
update byssus.workflow_tasks set build_id = null, available_at = moment(1);
select is(pg_temp.lease_as('{}'), null, 'not yet');
update byssus.workflow_tasks set available_at = moment();
update byssus.runs set run_deadline_at = moment();
select is(pg_temp.lease_as('{}'), null, 'not beyond the deadline of its run');
update byssus.runs set run_deadline_at = null;
select is(pg_temp.lease_as('{}'), 'leased', 'but else');

select * from finish();
rollback;
