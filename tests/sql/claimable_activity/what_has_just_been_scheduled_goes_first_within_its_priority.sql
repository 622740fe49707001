begin;
select plan(12);
set local role byssus_owner;

select register();
select waiting_run('other', schedule());
select pass_time(1);
select waiting_run('wf', schedule(), schedule());
create function pg_temp.may(p_registration jsonb default '{}', p_run text default byssus_test.run()) returns integer
language sql as $$
    select (byssus.claimable_activity(
        p_run, jsonb_populate_record(byssus_test.the_registration(), p_registration), byssus_test.moment()
    )).position
$$;
select is(pg_temp.may(), 1, 'the first of the run');
select is(pg_temp.may('{"namespace":"other"}'), null, 'not in another namespace');
select is(pg_temp.may('{"task_queue":"other"}'), null, 'nor of another queue');
select is(pg_temp.may('{"activity_types":["other"]}'), null, 'nor of another type');
select is(pg_temp.may(p_run => run('other')), null, 'nor what an earlier transition has scheduled');
select is(pg_temp.may(p_run => null), null, 'nor without a run');
update byssus.activities as a set build_id = 'b2' where a.run_id = run() and a.position = 1;
select is(pg_temp.may(), 2, 'nor of another build');
select is(pg_temp.may('{"build_id":"b2"}'), 1, 'though of its own');
update byssus.activities as a set priority = 4 where a.run_id = run() and a.position = 2;
select is(pg_temp.may('{"build_id":"b2"}'), 2, 'a higher priority before a lower position');
update byssus.activities as a set priority = 3 where a.run_id = run('other');
select is(pg_temp.may(), null, 'what waits with a higher priority goes first');
update byssus.activities as a set timeout_at = moment() where a.run_id = run('other');
select is(pg_temp.may(), 2, 'unless it has timed out');
update byssus.activities as a set attempt_number = 1, priority = 5 where a.run_id = run() and a.position = 2;
select is(pg_temp.may('{"build_id":"b2"}'), 1, 'what was tried before waits its turn');

select * from finish();
rollback;
