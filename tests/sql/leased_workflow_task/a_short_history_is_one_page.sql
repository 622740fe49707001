begin;
select plan(3);
set local role byssus_owner;

select register();
select byssus.start_run(
    'default', 'wf', 'order', 'q', 'fail', null, 'd', '{"priority":5,"fairness_weight":1}'
);
select claim();
create temporary table told as
select body::jsonb -> 'task' as task from byssus.leased_workflow_task(the_run(), the_task(), false, '{}', null);
select is((select task -> 'next_history_page_token' from told), 'null', 'no token');
select is((select task -> 'arguments' from told), 'null', 'no input is a null');
select is((select task ->> 'cancel_requested' from told), 'false', 'nobody cancelled it');

select * from finish();
rollback;
