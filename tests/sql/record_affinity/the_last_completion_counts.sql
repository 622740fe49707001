begin;
select plan(9);
set local role byssus_owner;

select register_sticky();
select register_sticky('w2', '{"build_id":"b2"}');
select retained_run();
select signal();
select pass_time(5);
select claim('w2', 'p2');
select byssus.record_affinity(
    the_run(), the_task(), the_registration('w2'),
    sticky_cache(run(), '{"ttl_seconds":7,"hold_seconds":0,"history_last_sequence":null}'), moment()
);
select is(rows_of('affinities'), 1::bigint, 'a run is held by one worker');
select is((the_affinity()).sticky_worker_id::text, 'w2', 'by the last one');
select is((the_affinity()).registration_token, (the_registration('w2')).registration_token, 'under its registration');
select is((the_affinity()).build_id::text, 'b2', 'in its build');
select is((the_affinity()).sticky_until, moment(7), 'until it said');
select is((the_affinity()).hold_seconds, 0, 'without a hold');
select is((the_affinity()).reported_sequence, null, 'it did not say through where');
select is((the_affinity()).delivered_sequence, 3::bigint, 'it was given all');
select is((the_affinity()).history_size_bytes, (the_run()).history_size_bytes, 'which is more than before');

select * from finish();
rollback;
