begin;
select plan(3);
set local role byssus_app;

select register();
select start();
create temporary table first as select * from claim('w1', 'p1');
select is((select body from claim('w1', 'p1')), (select body from first), 'the same answer');
select is((the_task()).attempt, 1, 'and no new attempt');
select pass_time(60);
select is((claim('w1', 'p1')).outcome, 'empty', 'but not when the lease is over');

select * from finish();
rollback;
