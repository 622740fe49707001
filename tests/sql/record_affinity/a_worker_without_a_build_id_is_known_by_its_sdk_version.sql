begin;
select plan(1);
set local role byssus_owner;

select register_sticky('w1', '{"build_id":null,"sdk_version":"2.12.0"}');
select leased_run();
select byssus.record_affinity(the_run(), the_task(), the_registration(), sticky_cache(), moment());
select is((the_affinity()).build_id::text, '2.12.0', 'its version stands for its build');

select * from finish();
rollback;
