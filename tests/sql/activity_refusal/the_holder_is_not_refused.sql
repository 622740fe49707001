begin;
select plan(3);
set local role byssus_owner;

select running_activity();
select is(byssus.activity_refusal(the_run(), the_activity(), attempt(), 'w1', moment()), null, 'it may act');
select is(byssus.activity_refusal(the_run(), the_activity(), attempt(), 'w1', moment(59.9)), null, 'to the end');
select is(byssus.activity_refusal(the_run(), the_activity(), attempt(), 'w1', moment(60)), 'lease_expired', 'not longer');

select * from finish();
rollback;
