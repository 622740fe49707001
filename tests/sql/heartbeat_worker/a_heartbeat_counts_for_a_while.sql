begin;
select plan(2);
set local role byssus_app;

select register_sticky();
select claim();
select pass_time(7);
select byssus.heartbeat_worker('default', 'w1', '{}', '{}', 20);
select is((the_liveness()).stale_at, moment(20), 'as long as was said');
select is((the_liveness()).polling_until, moment(3), 'but it is no poll');

select * from finish();
rollback;
