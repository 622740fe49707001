-- What the files of these folders share. Loaded once into a database, by a superuser; each file then works in a
-- transaction of its own and rolls it back. Helpers run with their owner's rights, so that a file can play the
-- server (set local role byssus_app) and still prepare and inspect.
create schema byssus_test;
create schema pgtap;
create extension pgtap schema pgtap;
grant usage on schema byssus_test, pgtap to byssus_owner, byssus_app;
set search_path = byssus_test, pgtap;

-- The clock stands still until a file moves it.
create table clock (moment timestamptz not null);
insert into clock values ('2030-01-01 00:00:00+00');
grant select on clock to byssus_owner;

do $$
begin
    execute replace(
        pg_get_functiondef('byssus.current_instant'::regproc), 'byssus.current_instant',
        'byssus_test.shipped_current_instant'
    );
end;
$$;

create or replace function byssus.current_instant() returns timestamptz
language sql volatile
as 'select moment from byssus_test.clock';

create function moment(p_later numeric default 0) returns timestamptz
language sql security definer
as 'select moment + make_interval(secs => p_later) from byssus_test.clock';

create function pass_time(p_seconds numeric) returns void
language sql security definer
as 'update byssus_test.clock set moment = moment + make_interval(secs => p_seconds)';

-- Commands, as complete_workflow_task takes them: what is passed on unread is JSON in a string. p_more adds members
-- or replaces them.
create function envelope() returns jsonb
language sql immutable
as $$ select '{"codec":"avro","blob":"AA=="}'::jsonb $$;

create function schedule(p_more jsonb default '{}') returns jsonb
language sql immutable
as $$
    select '{"type":"schedule_activity","activity_type":"charge","task_queue":"q","max_attempts":3,
        "backoff_seconds":[10,20],"non_retryable_error_types":["Fatal"],
        "fields":"{\"activity_type\":\"charge\",\"queue\":\"q\"}"}'::jsonb
        || jsonb_build_object('arguments', byssus_test.envelope()::text) || p_more
$$;

create function timer(p_seconds integer default 60) returns jsonb
language sql immutable
as $$
    select jsonb_build_object(
        'type', 'start_timer', 'delay_seconds', p_seconds,
        'fields', jsonb_build_object('delay_seconds', p_seconds)::text
    )
$$;

create function wait_for(p_key text default 'paid', p_timeout integer default null) returns jsonb
language sql immutable
as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'type', 'open_condition_wait', 'condition_key', p_key, 'timeout_seconds', p_timeout,
        'fields', jsonb_strip_nulls(jsonb_build_object('condition_key', p_key, 'timeout_seconds', p_timeout))::text
    ))
$$;

create function side_effect() returns jsonb
language sql immutable
as $$ select '{"type":"record_side_effect","fields":"{\"result\":\"42\",\"payload_codec\":\"avro\"}"}'::jsonb $$;

create function completes() returns jsonb
language sql immutable
as $$
    select jsonb_build_object(
        'type', 'complete_workflow', 'output', byssus_test.envelope()::text,
        'fields', jsonb_build_object('output', byssus_test.envelope(), 'payload_codec', 'avro')::text
    )
$$;

create function fails() returns jsonb
language sql immutable
as $$ select '{"type":"fail_workflow","fields":"{\"message\":\"no more\"}"}'::jsonb $$;

create function continues(p_more jsonb default '{}') returns jsonb
language sql immutable
as $$ select '{"type":"continue_as_new","task_queue":"q","input":"{\"codec\":\"avro\",\"blob\":\"AQ==\"}"}'::jsonb || p_more $$;

-- A command as leaf p_index of the parallel group of p_size leaves at authored position p_base.
create function leaf(p_command jsonb, p_base integer, p_index integer, p_size integer) returns jsonb
language sql immutable
as $$
    select p_command || jsonb_build_object(
        'group', jsonb_build_object(
            'parallel_group_base_sequence', p_base, 'parallel_group_index', p_index, 'parallel_group_size', p_size
        )::text,
        'group_position', p_base + p_index, 'group_base', p_base, 'group_size', p_size
    )
$$;

-- Runs, by their workflow id.
create function run(p_workflow text default 'wf') returns text
language sql security definer
as $$
    select current_run_id from byssus.workflows where namespace = 'default' and workflow_id = p_workflow
$$;

create function the_run(p_run text default byssus_test.run()) returns byssus.runs
language sql security definer
as 'select r.* from byssus.runs as r where r.run_id = p_run';

create function the_task(p_run text default byssus_test.run()) returns byssus.workflow_tasks
language sql security definer
as 'select t.* from byssus.workflow_tasks as t where t.run_id = p_run';

create function the_activity(p_run text default byssus_test.run(), p_position integer default 1)
returns byssus.activities
language sql security definer
as 'select a.* from byssus.activities as a where a.run_id = p_run and a.position = p_position';

create function the_timer(p_run text default byssus_test.run(), p_position integer default 1)
returns byssus.timers
language sql security definer
as 'select t.* from byssus.timers as t where t.run_id = p_run and t.position = p_position';

create function the_registration(p_worker text default 'w1') returns byssus.worker_registrations
language sql security definer
as $$
    select w.* from byssus.worker_registrations as w where w.namespace = 'default' and w.worker_id = p_worker
$$;

create function the_affinity(p_run text default byssus_test.run()) returns byssus.affinities
language sql security definer
as 'select a.* from byssus.affinities as a where a.run_id = p_run';

create function the_liveness(p_worker text default 'w1') returns byssus.worker_liveness
language sql security definer
as $$
    select l.* from byssus.worker_liveness as l where l.namespace = 'default' and l.worker_id = p_worker
$$;

-- The id of a run's open workflow task; of an activity; of its present attempt.
create function task(p_run text default byssus_test.run()) returns text
language sql security definer
as $$ select t.run_id || ':k' || t.task_number from byssus.workflow_tasks as t where t.run_id = p_run $$;

create function activity(p_run text default byssus_test.run(), p_position integer default 1) returns text
language sql security definer
as $$ select p_run || ':a' || p_position $$;

create function attempt(p_run text default byssus_test.run(), p_position integer default 1) returns text
language sql security definer
as $$
    select p_run || ':a' || p_position || '.' || a.attempt_number
    from byssus.activities as a where a.run_id = p_run and a.position = p_position
$$;

-- A run's event types in order; those that it holds, in order of arrival; the payload of its nth event of a type.
create function events(p_run text default byssus_test.run()) returns text[]
language sql security definer
as $$
    select array_agg(e.event_type order by e.sequence) from byssus.history_events as e where e.run_id = p_run
$$;

create function held(p_run text default byssus_test.run()) returns text[]
language sql security definer
as $$ select array_agg(i.event_type order by i.arrival) from byssus.inbox as i where i.run_id = p_run $$;

create function payload(p_type text, p_nth integer default 1, p_run text default byssus_test.run()) returns jsonb
language sql security definer
as $$
    select e.wire::jsonb -> 'payload' from byssus.history_events as e
    where e.run_id = p_run and e.event_type = p_type
    order by e.sequence offset p_nth - 1 limit 1
$$;

-- How many rows a table has.
create function rows_of(p_table text) returns bigint
language plpgsql security definer
as $$
declare
    v_count bigint;
begin
    execute format('select count(*) from byssus.%I', p_table) into v_count;
    return v_count;
end;
$$;

-- Polls and requests, with everything that a file does not care about.
create function poll(p_worker text default 'w1', p_request text default 'p1', p_more jsonb default '{}') returns json
language sql immutable
as $$
    select json_build_array(jsonb_build_object(
        'namespace', 'default', 'worker_id', p_worker, 'task_queue', 'q', 'poll_request_id', p_request,
        'page_size', 100, 'lease_seconds', 60, 'sticky_execution', true, 'hold_seconds', 5, 'polling_seconds', 10
    ) || p_more)
$$;

create function registration(p_more jsonb default '{}') returns json
language sql immutable
as $$
    select json_object_agg(
        m.key, case when jsonb_typeof(m.value) in ('array', 'object') then to_jsonb(m.value::text) else m.value end
    )
    from jsonb_each('{"runtime":"python","workflow_types":["order"],"activity_types":["charge"],
        "workflow_definition_fingerprints":{},"workflow_command_contracts":{},"capabilities":[],
        "capability_manifest":{},"sticky_execution":false,"sticky_history_suffix":false,"merged_transitions":false,
        "stale_seconds":60,
        "max_concurrent_workflow_tasks":10,"max_concurrent_activity_tasks":10,"max_concurrent_worker_sessions":10,
        "task_slots":{},"process_metrics":{},"protocol_version":"1.20"}'::jsonb
        || p_more) as m
$$;

create function start_options(p_more jsonb default '{}') returns json
language sql immutable
as $$
    select ('{"priority":5,"fairness_weight":1}'::jsonb || jsonb_build_object('input', byssus_test.envelope()::text)
        || p_more)::json
$$;

-- Registers a worker of queue q and returns its token.
create function register(p_worker text default 'w1', p_more jsonb default '{}') returns text
language sql security definer
as $$
    select (byssus.register_worker('default', p_worker, 'q', byssus_test.registration(p_more))).body::json
        ->> 'registration_token'
$$;

-- Registers a worker of build b1 that takes history suffixes.
create function register_sticky(p_worker text default 'w1', p_more jsonb default '{}') returns text
language sql security definer
as $$
    select byssus_test.register(
        p_worker, '{"build_id":"b1","sticky_execution":true,"sticky_history_suffix":true}'::jsonb || p_more
    )
$$;

-- Starts a workflow of type order on queue q and returns its run.
create function start(p_workflow text default 'wf', p_more jsonb default '{}') returns text
language sql security definer
as $$
    select (byssus.start_run(
        'default', p_workflow, 'order', 'q', 'fail', null, 'd', byssus_test.start_options(p_more)
    )).body::json ->> 'run_id'
$$;

create function claim(p_worker text default 'w1', p_request text default 'p1') returns byssus.answer
language sql security definer
as 'select * from byssus.claim_workflow_task(byssus_test.poll(p_worker, p_request))';

create function claim_activity(p_worker text default 'w1', p_request text default 'p1') returns byssus.answer
language sql security definer
as 'select * from byssus.claim_activity_task(byssus_test.poll(p_worker, p_request))';

create function signal(p_name text default 'go', p_workflow text default 'wf') returns byssus.answer
language sql security definer
as $$ select byssus.signal_run('default', p_workflow, null, p_name, byssus_test.envelope()::json, null, 'd') $$;

-- Completes the open workflow task of a run, as its holder.
create function complete(p_run text, variadic p_commands jsonb[]) returns byssus.answer
language sql security definer
as $$
    select byssus.complete_workflow_task(
        'default', byssus_test.task(p_run), t.lease_owner, t.attempt, array_to_json(p_commands),
        md5(p_commands::text), null
    )
    from byssus.workflow_tasks as t where t.run_id = p_run
$$;

-- What the holder of a run's task says of its cache: that it has all of the history that the claim announced.
create function sticky_cache(p_run text default byssus_test.run(), p_more jsonb default '{}') returns json
language sql security definer
as $$
    select (jsonb_build_object(
        'worker_id', t.lease_owner, 'workflow_id', r.workflow_id, 'run_id', r.run_id, 'build_id', 'b1',
        'ttl_seconds', 300, 'hold_seconds', 5, 'history_last_sequence', t.claimed_sequence, 'hit', 0, 'miss', 0,
        'eviction', 0, 'forced_cold_replay', 0, 'protocol_version', '1.20'
    ) || p_more)::json
    from byssus.workflow_tasks as t
    inner join byssus.runs as r on t.run_id = r.run_id
    where t.run_id = p_run
$$;

-- Completes the open workflow task of a run, as its holder, who keeps the run in its cache.
create function retain(p_run text, p_more jsonb, variadic p_commands jsonb[]) returns byssus.answer
language sql security definer
as $$
    select byssus.complete_workflow_task(
        'default', byssus_test.task(p_run), t.lease_owner, t.attempt, array_to_json(p_commands),
        md5(p_commands::text), byssus_test.sticky_cache(p_run, p_more)
    )
    from byssus.workflow_tasks as t where t.run_id = p_run
$$;

-- A run whose workflow task w1 holds.
create function leased_run(p_workflow text default 'wf', p_more jsonb default '{}') returns text
language plpgsql security definer
as $$
declare
    v_run text;
begin
    if byssus_test.the_registration() is null then
        perform byssus_test.register();
    end if;
    v_run := byssus_test.start(p_workflow, p_more);
    perform byssus_test.claim('w1', 'start ' || p_workflow);
    if (byssus_test.the_task(v_run)).status <> 'leased' then
        raise exception 'w1 was given another task than that of %', p_workflow;
    end if;
    return v_run;
end;
$$;

-- A run that has answered its first workflow task with these commands, and waits.
create function waiting_run(p_workflow text, variadic p_commands jsonb[]) returns text
language plpgsql security definer
as $$
declare
    v_run text := byssus_test.leased_run(p_workflow);
begin
    perform byssus_test.complete(v_run, variadic p_commands);
    return v_run;
end;
$$;

-- A run that waits for a signal, in the cache of sticky worker w1; p_more is what the worker says of it.
create function retained_run(p_workflow text default 'wf', p_more jsonb default '{}') returns text
language plpgsql security definer
as $$
declare
    v_run text;
begin
    if byssus_test.the_registration() is null then
        perform byssus_test.register_sticky();
    end if;
    v_run := byssus_test.leased_run(p_workflow);
    perform byssus_test.retain(v_run, p_more, byssus_test.wait_for());
    return v_run;
end;
$$;

-- A waiting run with one activity, whose attempt w1 runs.
create function running_activity(p_more jsonb default '{}', p_workflow text default 'wf') returns text
language plpgsql security definer
as $$
declare
    v_run text := byssus_test.waiting_run(p_workflow, byssus_test.schedule(p_more));
begin
    perform byssus_test.claim_activity('w1', 'activity ' || p_workflow);
    return v_run;
end;
$$;

-- Registers a worker that carries what it asks for next, and keeps runs.
create function register_merging(p_worker text default 'w1', p_more jsonb default '{}') returns text
language sql security definer
as $$ select byssus_test.register_sticky(p_worker, '{"merged_transitions":true}'::jsonb || p_more) $$;

-- One poll, as a completion carries it.
create function carried_poll(p_request text default 'next', p_more jsonb default '{}', p_worker text default 'w1')
returns jsonb
language sql immutable
as $$ select byssus_test.poll(p_worker, p_request, p_more)::jsonb -> 0 $$;

-- What the workflow does with a result, computed from its history through p_basis; the worker keeps the run on.
create function continuation(p_basis bigint, variadic p_commands jsonb[]) returns jsonb
language sql immutable
as $$
    select jsonb_build_object(
        'basis_sequence', p_basis, 'commands', array_to_json(p_commands)::text,
        'sticky', jsonb_build_object(
            'worker_id', 'w1', 'workflow_id', 'wf', 'run_id', byssus_test.run(), 'build_id', 'b1',
            'ttl_seconds', 300, 'hold_seconds', 5, 'history_last_sequence', p_basis, 'hit', 7, 'miss', 0,
            'eviction', 0, 'forced_cold_replay', 0, 'protocol_version', '1.20'
        )::text
    )
$$;

-- A run in the cache of merging worker w1, which runs the activity at position 1 and was given all of its history:
-- WorkflowStarted, and an event for each command.
create function held_activity(variadic p_commands jsonb[] default array[byssus_test.schedule()]) returns text
language plpgsql security definer
as $$
declare
    v_run text;
begin
    if byssus_test.the_registration() is null then
        perform byssus_test.register_merging();
    end if;
    v_run := byssus_test.leased_run();
    perform byssus.complete_workflow_task(
        'default', byssus_test.task(v_run), 'w1', 1, array_to_json(p_commands), 'd',
        byssus_test.sticky_cache(v_run), json_build_object('activity_poll', byssus_test.carried_poll(
            'held activity', '{"history_after_sequence":1}'
        ))
    );
    if (byssus_test.the_affinity(v_run)).delivered_sequence <> (byssus_test.the_run(v_run)).last_history_sequence then
        raise exception 'w1 was not given all of the history of %', v_run;
    end if;
    return v_run;
end;
$$;

-- Completes the activity at position 1 of workflow wf, as w1, with what it carries.
create function finish_activity(p_carried jsonb, p_digest text default 'd', p_position integer default 1)
returns byssus.answer
language sql security definer
as $$
    select byssus.complete_activity(
        'default', byssus_test.activity(byssus_test.run(), p_position),
        byssus_test.attempt(byssus_test.run(), p_position), 'w1', null, p_digest, p_carried::json
    )
$$;

-- A completion's answer, for a part to be added to.
create function completed(p_hints text default '[]') returns byssus.answer
language sql immutable
as $$ select ('completed', '{"outcome":"completed"}', p_hints)::byssus.answer $$;

-- For triggers that a file puts where something has to go wrong.
create function breaks() returns trigger
language plpgsql
as $$
begin
    raise exception 'broken' using errcode = 'BY999';
end;
$$;
