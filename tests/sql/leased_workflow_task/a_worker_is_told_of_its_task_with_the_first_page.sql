begin;
select plan(5);
set local role byssus_owner;

select waiting_run('wf', timer(), timer());
select signal();
select claim('w1', 'p2');
create temporary table told as
select body::jsonb -> 'task' as task from byssus.leased_workflow_task(the_run(), the_task(), 2);
select is((select task ->> 'workflow_id' from told), 'wf', 'the workflow');
select is((select task ->> 'run_status' from told), 'waiting', 'the status');
select is((select jsonb_array_length(task -> 'history_events') from told), 2, 'a page of history');
select is((select task ->> 'next_history_page_token' from told), 'Mg==', 'a token for the next');
select is((select task ->> 'total_history_events' from told), '4', 'how many there are');

select * from finish();
rollback;
