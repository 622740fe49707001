begin;
select plan(2);
set local role byssus_owner;

select retained_run('wf', '{"hold_seconds":0}');
select signal();
select claim('w1', 'p2');
select byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd');
select is((the_task()).held_until, moment(1), 'it waits for its time only');
select is(byssus.release_sticky_holds((the_registration()).registration_token, moment()), false, 'there was nothing');

select * from finish();
rollback;
