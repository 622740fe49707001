-- Notes through which history sequence a lease has been given the run.
--
-- p_task      the leased task, its run's row locked by the caller.
-- p_sequence  the last sequence that is being delivered; null: none.
-- Locks       the run's row (already held).
-- Writes      workflow_tasks.
create or replace function byssus.record_delivery(p_task byssus.workflow_tasks, p_sequence bigint)
returns void
language plpgsql
as $$
begin
    if p_sequence > p_task.delivered_sequence then
        update byssus.workflow_tasks as t set delivered_sequence = p_sequence where t.run_id = p_task.run_id;
    end if;
end;
$$;

comment on function byssus.record_delivery(byssus.workflow_tasks, bigint) is
'Raises the delivered boundary of a lease to a page that is being delivered.';
