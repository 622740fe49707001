begin;
select plan(11);
set local role byssus_owner;

select register_sticky();
select start();
create function pg_temp.may(p_registration jsonb default '{}', p_run jsonb default '{}') returns boolean
language sql as $$
    select (byssus.claimable_task(
        jsonb_populate_record(byssus_test.the_run(), p_run),
        jsonb_populate_record(byssus_test.the_registration(), p_registration), byssus_test.moment()
    )).run_id is not null
$$;
select ok(pg_temp.may(), 'it is free');
select ok(not pg_temp.may('{"namespace":"other"}'), 'not in another namespace');
select ok(not pg_temp.may('{"task_queue":"other"}'), 'nor of another queue');
select ok(not pg_temp.may('{"workflow_types":["other"]}'), 'nor of another type');
select ok(not pg_temp.may(p_run => jsonb_build_object('deadline_at', moment())), 'nor beyond the deadline of its run');
select ok(pg_temp.may(p_run => jsonb_build_object('deadline_at', moment(0.000001))), 'though until then');
update byssus.workflow_tasks set build_id = 'b2';
select ok(not pg_temp.may(), 'nor of another build');
select ok(pg_temp.may('{"build_id":"b2"}'), 'though of its own');
update byssus.workflow_tasks set build_id = null, available_at = moment(0.000001);
select ok(not pg_temp.may(), 'nor before it is due');
select pass_time(1);
select claim();
select ok(not pg_temp.may(), 'nor while it is leased');
select is((byssus.claimable_task(null, the_registration(), moment())).run_id, null, 'nor without a run');

select * from finish();
rollback;
