begin;
select plan(6);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_activity_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select leased_run();
select retain(run(), '{}', schedule());
create temporary table told as
select (pg_temp.carry(p_more => '{"task_queue":"other"}')).body::jsonb -> 'activity_poll' as answer;
select is((select answer ->> 'poll_status' from told), 'rejected', 'rejected');
select is((select answer ->> 'reason' from told), 'task_queue_mismatch', 'with the reason');
select is(
    (pg_temp.carry(p_more => '{"build_id":"b2"}')).body::jsonb #>> '{activity_poll,reason}', 'build_id_mismatch',
    'likewise of another build'
);
select is((the_activity()).status, 'pending', 'nothing was claimed');
select claim_activity('w1', 'next');
select is(
    (pg_temp.carry(p_more => '{"build_id":"b2","history_after_sequence":1}')).body::jsonb -> 'activity_poll'
    ? 'history_tail', false, 'nor is it told of what it may have claimed before'
);
select is((the_affinity()).delivered_sequence, 1::bigint, 'and nothing more was delivered');

select * from finish();
rollback;
