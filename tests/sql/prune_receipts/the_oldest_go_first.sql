begin;
select plan(1);
set local role byssus_app;

select register('w1');
select byssus.deregister_worker('default', 'w1', null, 60);
select pass_time(1);
select register('w2');
select byssus.deregister_worker('default', 'w2', null, 60);
select pass_time(100);
select byssus.prune_receipts(1, 60);
reset role;
select is((select array_agg(worker_id::text) from byssus.worker_incarnations), array['w2'], 'the first');

select * from finish();
rollback;
