begin;
select plan(11);
set local role byssus_owner;

-- A worker holds history through 4; the completion wrote 5.
select retained_run();
select signal();
create function pg_temp.reason(
    p_asks boolean default true, p_commands jsonb default '[]', p_run jsonb default '{}', p_task jsonb default '{}',
    p_affinity jsonb default '{}', p_stale boolean default false
) returns text language sql as $$
    select byssus.continuation_refusal(
        jsonb_populate_record(byssus_test.the_run(), '{"last_history_sequence":5}'::jsonb || p_run),
        jsonb_populate_record(null::byssus.workflow_tasks, p_task),
        jsonb_populate_record(byssus_test.the_affinity(), '{"delivered_sequence":4}'::jsonb || p_affinity),
        byssus_test.the_registration(), p_stale,
        json_build_object('basis_sequence', 4, 'commands', p_commands::text), p_asks, byssus_test.moment()
    )
$$;
select is(pg_temp.reason(), null, 'all hold');
-- From the last to the first, each beside all that come after it.
select is(pg_temp.reason(p_stale => true), 'registration_changed', 'its heartbeat is overdue');
select is(
    pg_temp.reason(p_affinity => '{"registration_token":"t"}'), 'registration_changed', 'it has registered anew'
);
select is(
    pg_temp.reason(p_affinity => '{"registration_token":"t","delivered_sequence":3}', p_stale => true),
    'not_sticky_owner', 'it was not given all'
);
select is(
    pg_temp.reason(p_affinity => '{"registration_token":"t","sticky_worker_id":"w2"}', p_stale => true),
    'not_sticky_owner', 'another holds the run'
);
select is(
    pg_temp.reason(
        p_affinity => jsonb_build_object('registration_token', 't', 'sticky_until', moment()), p_stale => true
    ),
    'not_sticky_owner', 'its cache is over'
);
select is(pg_temp.reason(p_affinity => '{"run_id":null}', p_stale => true), 'not_sticky_owner', 'nobody holds the run');
select is(
    pg_temp.reason(p_task => '{"run_id":"r"}', p_affinity => '{"run_id":null}', p_stale => true),
    'workflow_task_pending', 'the run had a task'
);
select is(
    pg_temp.reason(p_run => '{"last_history_sequence":6}', p_affinity => '{"run_id":null}'), 'history_moved',
    'history went on'
);
select is(
    pg_temp.reason(p_commands => jsonb_build_array(wait_for()), p_run => '{"last_history_sequence":6}'),
    'unsupported_continuation_command', 'a command that cannot be carried'
);
select is(
    pg_temp.reason(p_asks => false, p_commands => jsonb_build_array(wait_for())), 'no_workflow_task', 'nobody was woken'
);

select * from finish();
rollback;
