-- Lets everything that a worker holds run out now. expire_leases, told by a hint, offers it again at once.
--
-- p_namespace  the worker's namespace.
-- p_worker_id  the worker.
-- p_now        the moment.
-- Result       the number of workflow tasks among it.
-- Locks        the worker's leased workflow tasks and running activities; no run, so that it waits for none.
-- Writes       workflow_tasks, activities.
create or replace function byssus.expire_worker_leases(p_namespace text, p_worker_id text, p_now timestamptz)
returns integer
language plpgsql
as $$
declare
    v_count integer;
begin
    update byssus.workflow_tasks as t set lease_expires_at = p_now
    where t.namespace = p_namespace and t.lease_owner = p_worker_id and t.lease_expires_at > p_now;
    get diagnostics v_count = row_count;

    update byssus.activities as a set lease_expires_at = p_now
    where a.namespace = p_namespace and a.lease_owner = p_worker_id and a.lease_expires_at > p_now;
    return v_count;
end;
$$;

comment on function byssus.expire_worker_leases(text, text, timestamptz) is
'Expires all leases of a worker and returns how many workflow tasks were among them.';
