-- Takes a worker out of service and offers again what it held. With a token it is fenced: only that very
-- registration is ended, and the answer can be had again while its receipt is kept.
--
-- p_namespace           the worker's namespace.
-- p_worker_id           its id.
-- p_registration_token  the registration to end; null: whichever is current.
-- p_receipt_seconds     for how long a receipt can be asked for.
-- Outcomes              deregistered; worker_not_found, worker_registration_token_not_found,
--                       worker_registration_lost_authority (another registration took its place),
--                       worker_registration_receipt_expired, namespace_not_found.
-- Locks                 the registration, its incarnation; then what the worker had leased.
-- Writes                worker_registrations, worker_liveness, worker_incarnations, workflow_tasks, activities.
create or replace function byssus.deregister_worker(
    p_namespace text, p_worker_id text, p_registration_token text, p_receipt_seconds integer
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz;
    v_registration byssus.worker_registrations;
    v_incarnation byssus.worker_incarnations;
    v_token text := p_registration_token;
    v_recovered integer;
    v_hints text;
begin
    select * into v_registration from byssus.worker_registrations as w
    where w.namespace = p_namespace and w.worker_id = p_worker_id
    for update;
    v_now := byssus.current_instant();

    if p_registration_token is null then
        if v_registration.worker_id is null then
            return byssus.refuse_missing(
                p_namespace, 'worker_not_found', ',"worker_id":' || byssus.json_string(p_worker_id)
            );
        end if;
        v_token := v_registration.registration_token;
    end if;

    select * into v_incarnation from byssus.worker_incarnations as i
    where i.registration_token = v_token and i.namespace = p_namespace and i.worker_id = p_worker_id
    for update;

    if v_incarnation.registration_token is null then
        return byssus.refuse_missing(
            p_namespace, 'worker_registration_token_not_found',
            ',"worker_id":' || byssus.json_string(p_worker_id)
        );
    elsif v_incarnation.status = 'superseded' then
        return byssus.refuse(
            'worker_registration_lost_authority', ',"worker_id":' || byssus.json_string(p_worker_id)
        );
    elsif v_incarnation.status = 'deregistered'
        and v_incarnation.finished_at <= v_now - make_interval(secs => p_receipt_seconds)
    then
        return byssus.refuse(
            'worker_registration_receipt_expired', ',"worker_id":' || byssus.json_string(p_worker_id)
        );
    end if;

    v_recovered := v_incarnation.recovered_workflow_task_count;
    if v_incarnation.status = 'active' then
        v_recovered := byssus.expire_worker_leases(p_namespace, p_worker_id, v_now);
        if byssus.release_sticky_holds(v_token, v_now) then
            v_hints := ',' || byssus.ready_hint('workflow', p_namespace, v_registration.task_queue);
        end if;
        delete from byssus.worker_registrations as w
        where w.namespace = p_namespace and w.worker_id = p_worker_id;
        delete from byssus.worker_liveness as l
        where l.namespace = p_namespace and l.worker_id = p_worker_id;
        update byssus.worker_incarnations as i
        set status = 'deregistered', finished_at = v_now, recovered_workflow_task_count = v_recovered
        where i.registration_token = v_token;
    end if;

    return (
        'deregistered',
        '{"worker_id":' || byssus.json_string(p_worker_id)
        || ',"outcome":"deregistered","recovered_workflow_task_count":' || v_recovered
        || byssus.json_member('registration_token', byssus.json_string(p_registration_token)) || '}',
        '[["due","' || byssus.wire_time(v_now) || '"]' || coalesce(v_hints, '') || ']'
    )::byssus.answer;
end;
$$;

comment on function byssus.deregister_worker(text, text, text, integer) is
'Ends a worker''s registration, fenced by its token, and lets its leases run out at once.';
