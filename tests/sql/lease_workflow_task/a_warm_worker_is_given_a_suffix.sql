begin;
select plan(11);
set local role byssus_owner;

create function pg_temp.lease(p_worker text default 'w1', p_more jsonb default '{}') returns jsonb language sql as $$
    select (byssus.lease_workflow_task(
        byssus_test.poll(p_worker, 'p2', p_more) -> 0, byssus_test.the_registration(p_worker), byssus_test.moment()
    )).body::jsonb -> 'task'
$$;
select retained_run();
select signal();
create temporary table told as select pg_temp.lease('w1', '{"page_size":1}') as task;
select is((select task ->> 'sticky_replay_mode' from told), 'sticky_hit_expected', 'its cache is warm');
select is((select task ->> 'history_after_sequence' from told), '1', 'so it is told of what came since');
select is((select task ->> 'history_last_sequence' from told), '3', 'to the end');
select is((select jsonb_array_length(task -> 'history_events') from told), 1, 'a page at a time');
select is((select task #>> '{history_events,0,sequence}' from told), '2', 'from the first new event on');
select is((select task ->> 'next_history_page_token' from told), 'Mg==', 'with a token for the rest');
select is((the_task()).sticky_replay_mode, 'sticky_hit_expected', 'the task keeps its mode');
select is((the_task()).sticky_claimed_at, moment(), 'when it was claimed');
select is((the_task()).after_sequence, 1::bigint, 'where its history begins');
select is((the_task()).claimed_sequence, 3::bigint, 'where it ends');
select is((the_task()).delivered_sequence, 2::bigint, 'and how much was delivered');

select * from finish();
rollback;
