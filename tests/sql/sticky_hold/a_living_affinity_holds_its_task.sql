begin;
select plan(4);
set local role byssus_owner;

select retained_run();
create temporary table hold as select * from byssus.sticky_hold(run(), moment(2), moment());
select is((select sticky_worker_id from hold), 'w1', 'for its worker');
select is((select registration_token from hold), (the_registration()).registration_token, 'under its registration');
select is((select sticky_until from hold), moment(300), 'whose cache may be warm so long');
select is((select held_until from hold), moment(7), 'from when it is ready, for as long as was said');

select * from finish();
rollback;
