begin;
select plan(4);
set local role byssus_owner;

select retained_run();
select signal();
create function pg_temp.task(p_page_size integer) returns jsonb language sql as $$
    select (byssus.repeat_workflow_claim(
        byssus_test.poll('w1', 'p2', jsonb_build_object('page_size', p_page_size)) -> 0,
        byssus_test.the_registration(), byssus_test.moment()
    )).body::jsonb -> 'task'
$$;
create temporary table first as
select body::jsonb -> 'task' as task from byssus.claim_workflow_task(poll('w1', 'p2', '{"page_size":1}'));
select is(pg_temp.task(1), (select task from first), 'the same suffix');
select is(pg_temp.task(100), (select task from first), 'also when it asks for more');
select is((the_task()).delivered_sequence, 2::bigint, 'no more counts as delivered');
select byssus.read_history_page('default', task(), 'w1', 1, 2, 100);
select is(jsonb_array_length(pg_temp.task(100) -> 'history_events'), 2, 'what a page has delivered may be sent again');

select * from finish();
rollback;
