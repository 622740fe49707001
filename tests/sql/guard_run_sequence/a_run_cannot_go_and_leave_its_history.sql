begin;
select plan(1);
set local role byssus_owner;

select leased_run();
set constraints all immediate;
select throws_ok($$delete from byssus.runs where run_id = run()$$, 'BY003', null, 'its events would belong to nobody');

select * from finish();
rollback;
