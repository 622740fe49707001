begin;
select plan(3);
set local role byssus_owner;

select register_sticky();
select byssus.record_poll('default', 'w1', 10, moment());
select byssus.record_poll('default', 'w1', 10, moment(0.999));
select is((the_liveness()).polling_until, moment(10), 'within a second');
select byssus.record_poll('default', 'w1', 10, moment(1));
select is((the_liveness()).polling_until, moment(11), 'but then it is');
select byssus.record_poll('default', 'w1', 2, moment(2));
select is((the_liveness()).polling_until, moment(11), 'and none is taken back');

select * from finish();
rollback;
