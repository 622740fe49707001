begin;
select plan(4);
set local role byssus_app;

select register('w2');
select waiting_run('wf', schedule());
create temporary table first as select * from claim_activity('w1', 'p1');
select is((select body from claim_activity('w1', 'p1')), (select body from first), 'a repeated poll gets the same');
select is((claim_activity('w1', 'p2')).outcome, 'empty', 'a new one gets nothing');
select is((claim_activity('w2', 'p1')).outcome, 'empty', 'nor does another worker');
select is((the_activity()).attempt_number, 1, 'it is one attempt');

select * from finish();
rollback;
