begin;
select plan(2);
set local role byssus_app;

select start('a', '{"run_timeout_seconds":1}');
select start('b', '{"run_timeout_seconds":1}');
select start('c', '{"run_timeout_seconds":1}');
select pass_time(1);
select is((byssus.enforce_timeouts(2)).body, '{"count":2,"more":true}', 'two at a time');
select is((byssus.enforce_timeouts(2)).body, '{"count":1,"more":false}', 'then the rest');

select * from finish();
rollback;
