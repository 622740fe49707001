-- What a start answers of a run, its closing brace left to the caller.
--
-- p_namespace, p_workflow_id, p_run_id, p_workflow_type, p_status  the run.
-- p_outcome   started_new or returned_existing_active.
-- Result      a JSON object without its closing brace.
-- Locks       none. Writes nothing.
create or replace function byssus.started_body(
    p_namespace text, p_workflow_id text, p_run_id text, p_workflow_type text, p_status text, p_outcome text
)
returns text
language sql
stable
as $$
    select '{"workflow_id":' || byssus.json_string(p_workflow_id)
        || ',"run_id":"' || p_run_id
        || '","workflow_type":' || byssus.json_string(p_workflow_type)
        || ',"namespace":' || byssus.json_string(p_namespace)
        || ',"status":"' || p_status
        || '","payload_codec":"avro","outcome":"' || p_outcome
        || '","command_status":"accepted","command_source":"control_plane"';
$$;

comment on function byssus.started_body(text, text, text, text, text, text) is 'The body of a successful start.';
