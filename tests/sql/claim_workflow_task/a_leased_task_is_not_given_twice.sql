begin;
select plan(3);
set local role byssus_app;

select register();
select register('w2');
select start();
select is((claim('w1', 'p1')).outcome, 'leased', 'the first worker has it');
select is((claim('w2', 'p2')).outcome, 'empty', 'another gets nothing');
select is((claim('w1', 'p3')).outcome, 'empty', 'nor does the first, polling anew');

select * from finish();
rollback;
