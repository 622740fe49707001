begin;
select plan(4);
set local role byssus_owner;

select register_sticky();
select register_sticky('w2');
select is((the_liveness()).polling_until, null, 'it has not polled yet');
select byssus.record_poll('default', 'w1', 10, moment());
select is((the_liveness()).polling_until, moment(10), 'for as long as was said');
select is((the_liveness('w2')).polling_until, null, 'for no other worker');
select lives_ok($$ select byssus.record_poll('default', 'w9', 10, byssus_test.moment()) $$, 'nor for one that is gone');

select * from finish();
rollback;
