begin;
select plan(3);
set local role byssus_app;

select register_sticky();
select register_sticky('w2');
select retained_run();
select signal();
select pass_time(4);
select is((claim('w2', 'p2')).outcome, 'empty', 'not before');
select pass_time(1);
select is((claim('w2', 'p2')).body::jsonb #>> '{task,history_after_sequence}', '0', 'then, with full history');
select is((claim('w1', 'p3')).outcome, 'empty', 'its worker comes too late');

select * from finish();
rollback;
