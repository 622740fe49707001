begin;
select plan(11);
set local role byssus_owner;

select retained_run();
select signal();
create temporary table told as
select (byssus.grant_workflow_task(
    poll('w1', 'p2', '{"page_size":1}') -> 0, the_registration(), the_run(), moment()
)).body::jsonb -> 'task' as task;
select is((select task ->> 'task_id' from told), task(), 'it is told of its task');
select is((select task -> 'history_after_sequence' from told), '1', 'behind what it holds');
select is((select jsonb_path_query_array(task, '$.history_events[*].sequence') from told), '[2]', 'a page of events');
select is((select task ->> 'next_history_page_token' from told), 'Mg==', 'with a token for the rest');
select is(
    (select array[t.status, t.lease_owner, t.poll_request_id, t.sticky_replay_mode] from the_task() as t),
    array['leased', 'w1', 'p2', 'sticky_hit_expected'], 'the task is leased to it'
);
select is((the_task()).attempt, 1, 'as its first attempt');
select is((the_task()).lease_expires_at, moment(60), 'for as long as the poll says');
select is((the_task()).registration_token, (the_registration()).registration_token, 'under its registration');
select is(
    (select array[t.after_sequence, t.delivered_sequence, t.claimed_sequence] from the_task() as t),
    array[1, 2, 3]::bigint[], 'with the bounds of what was delivered'
);
select is((select sum(hit_expected)::integer from byssus.sticky_counts), 1, 'the claim is counted');
select is(
    (select sum(suffix_bytes_saved)::bigint from byssus.sticky_counts), (the_affinity()).history_size_bytes,
    'with what it saved'
);

select * from finish();
rollback;
