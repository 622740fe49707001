begin;
select plan(5);
set local role byssus_owner;

select retained_run();
select is(
    byssus.wake_run(the_run(), 2, moment()), '["held","default","q","w1","2030-01-01T00:00:05.000000Z"]', 'it is told'
);
select is((the_task()).sticky_worker_id::text, 'w1', 'the task names it');
select is((the_task()).sticky_registration_token, (the_registration()).registration_token, 'and its registration');
select is((the_task()).sticky_until, moment(300), 'its cache is warm for so long');
select is((the_task()).held_until, moment(5), 'and others wait for so long');

select * from finish();
rollback;
