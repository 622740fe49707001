begin;
select plan(6);
set local role byssus_owner;

select retained_run();
select signal();
select pass_time(5);
select claim('w1', 'p2');
create temporary table before as select * from the_affinity();
select is(
    byssus.end_workflow_lease(the_run(), moment(), moment()),
    '["held","default","q","w1","2030-01-01T00:00:10.000000Z"]', 'it is told'
);
select is((the_task()).sticky_worker_id::text, 'w1', 'the task names it');
select is((the_task()).sticky_registration_token, (the_registration()).registration_token, 'and its registration');
select is((the_task()).sticky_until, (the_affinity()).sticky_until, 'its cache is as warm as before');
select is((the_task()).held_until, moment(5), 'others wait for so long');
select is(the_affinity()::text, (select before::text from before), 'its worker still holds what it reported last');

select * from finish();
rollback;
