begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_workflow_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select start();
create temporary table told as
select (pg_temp.carry(p_more => '{"task_queue":"other"}')).body::jsonb -> 'workflow_poll' as answer;
select is((select answer ->> 'poll_status' from told), 'rejected', 'rejected');
select is((select answer ->> 'reason' from told), 'task_queue_mismatch', 'with the reason');
select is(
    (pg_temp.carry(p_more => '{"build_id":"b2"}')).body::jsonb #>> '{workflow_poll,reason}', 'build_id_mismatch',
    'likewise of another build'
);
select is((the_task()).status, 'ready', 'nothing was claimed');
select is((the_liveness()).polling_until, null, 'nor does it vouch for anything');

select * from finish();
rollback;
