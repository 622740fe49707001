-- Which task of its run a workflow task id names.
--
-- p_task_id  <run_id>:k<number>
-- Result     the number, or null for what is no such id.
-- Locks      none. Writes nothing.
create or replace function byssus.workflow_task_number(p_task_id text)
returns bigint
language sql
stable
as $$
    select substring(p_task_id from '^[0-9a-f-]{36}:k([0-9]{1,18})$')::bigint;
$$;

comment on function byssus.workflow_task_number(text) is 'The number in a workflow task id, or null.';
