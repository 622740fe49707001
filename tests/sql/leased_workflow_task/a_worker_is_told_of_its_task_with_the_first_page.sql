begin;
select plan(7);
set local role byssus_owner;

select waiting_run('wf', timer(), timer());
select signal();
select claim('w1', 'p2');
create temporary table told as
select body::jsonb -> 'task' as task from byssus.leased_workflow_task(
    the_run(), the_task(), false, '{"sequence":1},{"sequence":2}', 'Mg=='
);
select is((select task ->> 'workflow_id' from told), 'wf', 'the workflow');
select is((select task ->> 'run_status' from told), 'waiting', 'the status');
select is((select task -> 'history_events' from told), '[{"sequence":1},{"sequence":2}]', 'a page of history');
select is((select task ->> 'next_history_page_token' from told), 'Mg==', 'a token for the next');
select is((select task ->> 'total_history_events' from told), '4', 'how many there are');
select is((select task ->> 'sticky_replay_mode' from told), 'cold_replay', 'what to expect of its cache');
select is((select task ? 'history_after_sequence' from told), false, 'and nothing of suffixes, which it does not know');

select * from finish();
rollback;
