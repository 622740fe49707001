-- Registers a worker process: what it can do, under a fresh token. A worker id that registers again is a new
-- process: what the old one held is offered again at once, and what waited for its cache waits no longer. Affinities to
-- the old process end with its token.
--
-- p_namespace     the worker's namespace.
-- p_worker_id     its id.
-- p_task_queue    the queue it polls.
-- p_registration  what it says of itself: runtime, sdk_version, build_id, workflow_types, activity_types,
--                 workflow_definition_fingerprints, workflow_command_contracts, capabilities, capability_manifest,
--                 sticky_execution, sticky_history_suffix, merged_transitions, max_concurrent_*, task_slots,
--                 process_metrics, stale_seconds, protocol_version; arrays and objects as JSON text in strings.
-- Outcomes        registered; namespace_not_found, workflow_definition_changed (a type that stays advertised has
--                 another fingerprint: a changed program needs a new worker id).
-- Locks           the registration (of a new worker id: its liveness row); then the tasks and activities that the
--                 old process had leased.
-- Writes          worker_registrations, worker_incarnations, worker_liveness, workflow_tasks, activities.
create or replace function byssus.register_worker(
    p_namespace text, p_worker_id text, p_task_queue text, p_registration json
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz;
    v_old byssus.worker_registrations;
    v_token text := replace(gen_random_uuid()::text, '-', '');
    v_types text[] := array(select json_array_elements_text((p_registration ->> 'workflow_types')::json));
    v_stale_at timestamptz;
    v_changed text;
    v_hints text;
begin
    if not exists (select from byssus.namespaces as n where n.name = p_namespace) then
        return byssus.refuse_missing(p_namespace, 'namespace_not_found');
    end if;

    select * into v_old from byssus.worker_registrations as w
    where w.namespace = p_namespace and w.worker_id = p_worker_id
    for no key update;
    v_now := byssus.current_instant();
    v_stale_at := v_now + make_interval(secs => (p_registration ->> 'stale_seconds')::integer);

    if v_old.worker_id is null then
        -- Two first registrations of one id meet here: the second waits for the first, and then finds it.
        insert into byssus.worker_liveness (
            namespace, worker_id, last_heartbeat_at, stale_at, task_slots, process_metrics
        ) values (
            p_namespace, p_worker_id, v_now, v_stale_at, (p_registration ->> 'task_slots')::json,
            (p_registration ->> 'process_metrics')::json
        )
        on conflict (namespace, worker_id) do nothing;
        select * into v_old from byssus.worker_registrations as w
        where w.namespace = p_namespace and w.worker_id = p_worker_id
        for no key update;
    end if;

    select f.key into v_changed
    from json_each_text((p_registration ->> 'workflow_definition_fingerprints')::json) as f
    where f.key = any (v_old.workflow_types) and f.key = any (v_types)
        and f.value <> v_old.workflow_definition_fingerprints ->> f.key
    order by f.key collate "C"
    limit 1;
    if v_changed is not null then
        return byssus.refuse(
            'workflow_definition_changed',
            ',"registered":false,"worker_id":' || byssus.json_string(p_worker_id)
            || ',"workflow_type":' || byssus.json_string(v_changed)
        );
    end if;

    insert into byssus.worker_registrations (
        namespace, worker_id, registration_token, task_queue, runtime, sdk_version, build_id, protocol_version,
        workflow_types, activity_types, workflow_definition_fingerprints, workflow_command_contracts,
        capabilities, capability_manifest, sticky_execution, sticky_history_suffix, merged_transitions,
        max_concurrent_workflow_tasks, max_concurrent_activity_tasks, max_concurrent_worker_sessions, registered_at
    ) values (
        p_namespace, p_worker_id, v_token, p_task_queue, p_registration ->> 'runtime',
        p_registration ->> 'sdk_version', p_registration ->> 'build_id', p_registration ->> 'protocol_version',
        v_types, array(select json_array_elements_text((p_registration ->> 'activity_types')::json)),
        (p_registration ->> 'workflow_definition_fingerprints')::json,
        (p_registration ->> 'workflow_command_contracts')::json,
        array(select json_array_elements_text((p_registration ->> 'capabilities')::json)),
        (p_registration ->> 'capability_manifest')::json,
        (p_registration ->> 'sticky_execution')::boolean,
        (p_registration ->> 'sticky_history_suffix')::boolean,
        (p_registration ->> 'merged_transitions')::boolean,
        (p_registration ->> 'max_concurrent_workflow_tasks')::integer,
        (p_registration ->> 'max_concurrent_activity_tasks')::integer,
        (p_registration ->> 'max_concurrent_worker_sessions')::integer,
        v_now
    )
    on conflict (namespace, worker_id) do update
    set registration_token = excluded.registration_token,
        task_queue = excluded.task_queue,
        runtime = excluded.runtime,
        sdk_version = excluded.sdk_version,
        build_id = excluded.build_id,
        protocol_version = excluded.protocol_version,
        workflow_types = excluded.workflow_types,
        activity_types = excluded.activity_types,
        workflow_definition_fingerprints = excluded.workflow_definition_fingerprints,
        workflow_command_contracts = excluded.workflow_command_contracts,
        capabilities = excluded.capabilities,
        capability_manifest = excluded.capability_manifest,
        sticky_execution = excluded.sticky_execution,
        sticky_history_suffix = excluded.sticky_history_suffix,
        merged_transitions = excluded.merged_transitions,
        max_concurrent_workflow_tasks = excluded.max_concurrent_workflow_tasks,
        max_concurrent_activity_tasks = excluded.max_concurrent_activity_tasks,
        max_concurrent_worker_sessions = excluded.max_concurrent_worker_sessions,
        registered_at = excluded.registered_at;

    if v_old.worker_id is not null then
        update byssus.worker_incarnations as i set status = 'superseded', finished_at = v_now
        where i.registration_token = v_old.registration_token;
        perform byssus.expire_worker_leases(p_namespace, p_worker_id, v_now);
        v_hints := '[["due","' || byssus.wire_time(v_now) || '"]';
        if byssus.release_sticky_holds(v_old.registration_token, v_now) then
            v_hints := v_hints || ',' || byssus.ready_hint('workflow', p_namespace, v_old.task_queue);
        end if;
        v_hints := v_hints || ']';
    end if;
    insert into byssus.worker_incarnations (registration_token, namespace, worker_id, status)
    values (v_token, p_namespace, p_worker_id, 'active');

    insert into byssus.worker_liveness (
        namespace, worker_id, last_heartbeat_at, stale_at, task_slots, process_metrics
    ) values (
        p_namespace, p_worker_id, v_now, v_stale_at, (p_registration ->> 'task_slots')::json,
        (p_registration ->> 'process_metrics')::json
    )
    on conflict (namespace, worker_id) do update
    set last_heartbeat_at = excluded.last_heartbeat_at, stale_at = excluded.stale_at, polling_until = null,
        task_slots = excluded.task_slots, process_metrics = excluded.process_metrics, sticky_hits = 0,
        sticky_misses = 0, sticky_evictions = 0, sticky_forced_cold_replays = 0;

    return (
        'registered',
        '{"worker_id":' || byssus.json_string(p_worker_id)
        || ',"registered":true,"namespace":' || byssus.json_string(p_namespace)
        || ',"task_queue":' || byssus.json_string(p_task_queue)
        || ',"runtime":' || (p_registration -> 'runtime')::text
        || byssus.json_member('build_id', (p_registration -> 'build_id')::text)
        || ',"capabilities":' || (p_registration ->> 'capabilities')
        || ',"capability_manifest":' || (p_registration ->> 'capability_manifest')
        || ',"status":"active","registration_token":"' || v_token || '"}',
        v_hints
    )::byssus.answer;
end;
$$;

comment on function byssus.register_worker(text, text, text, json) is
'Registers a worker under a fresh token, and expires what an earlier process of the same id had leased.';
