begin;
select plan(5);
set local role byssus_owner;

select register();
select start();
select claim('w1', 'p1');
create function pg_temp.outcome(p_poll json) returns text language sql as
'select (byssus.repeat_workflow_claim(p_poll -> 0, byssus_test.the_registration(), byssus_test.moment())).outcome';
select is(pg_temp.outcome(poll('w1', 'p1')), 'leased', 'the same poll');
select is(pg_temp.outcome(poll('w1', 'p2')), null, 'another poll');
select is(pg_temp.outcome(poll('w2', 'p1')), null, 'another worker');
select is(pg_temp.outcome(poll('w1', 'p1', '{"namespace":"elsewhere"}')), null, 'another namespace');
select pass_time(60);
select is(pg_temp.outcome(poll('w1', 'p1')), null, 'a lease that is over');

select * from finish();
rollback;
