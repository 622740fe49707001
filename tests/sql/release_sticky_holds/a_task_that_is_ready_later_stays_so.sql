begin;
select plan(2);
set local role byssus_owner;

select retained_run();
select signal();
select claim('w1', 'p2');
select byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd');
select is((the_task()).held_until, moment(6), 'it is held from when it is ready');
select byssus.release_sticky_holds((the_registration()).registration_token, moment());
select is((the_task()).held_until, moment(1), 'any worker may claim it from then on, not before');

select * from finish();
rollback;
