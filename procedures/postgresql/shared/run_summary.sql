-- What lists and descriptions say of a run alike.
--
-- p_run   the run.
-- Result  members of a JSON object, without its braces.
-- Locks   none. Writes nothing.
create or replace function byssus.run_summary(p_run byssus.runs)
returns text
language sql
stable
as $$
    select '"workflow_id":' || byssus.json_string(p_run.workflow_id)
        || ',"run_id":"' || p_run.run_id
        || '","namespace":' || byssus.json_string(p_run.namespace)
        || ',"workflow_type":' || byssus.json_string(p_run.workflow_type)
        || ',"business_key":' || coalesce(byssus.json_string(p_run.business_key), 'null')
        || ',"status":"' || p_run.status
        || '","status_bucket":"' || p_run.status_bucket
        || '","task_queue":' || byssus.json_string(p_run.task_queue)
        || ',"compatibility":' || coalesce(byssus.json_string(p_run.build_id), 'null')
        || ',"started_at":"' || byssus.wire_time(p_run.started_at)
        || '","closed_at":' || coalesce(byssus.json_string(byssus.wire_time(p_run.closed_at)), 'null');
$$;

comment on function byssus.run_summary(byssus.runs) is 'The members that every representation of a run has.';
