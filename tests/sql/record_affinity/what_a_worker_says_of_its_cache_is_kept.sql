begin;
select plan(9);
set local role byssus_owner;

select register_sticky();
select leased_run();
select byssus.record_affinity(the_run(), the_task(), the_registration(), sticky_cache(), moment());
select is((the_affinity()).sticky_worker_id::text, 'w1', 'who holds the run');
select is((the_affinity()).registration_token, (the_registration()).registration_token, 'under which registration');
select is((the_affinity()).build_id::text, 'b1', 'in which build');
select is((the_affinity()).sticky_until, moment(300), 'until when');
select is((the_affinity()).hold_seconds, 5, 'for how long its tasks wait for it');
select is((the_affinity()).reported_sequence, 1::bigint, 'through where it says that it holds the history');
select is((the_affinity()).delivered_sequence, 1::bigint, 'through where it was given it');
select is((the_affinity()).history_size_bytes, (the_run()).history_size_bytes, 'and how much that was');
select is((the_affinity()).namespace::text, 'default', 'for the operators of its namespace');

select * from finish();
rollback;
