-- Forgets which worker holds a run in its cache: the run has closed, or its worker retained nothing.
--
-- p_run_id  the run, whose row the caller has locked.
-- Locks     the run's row (already held).
-- Writes    affinities.
create or replace function byssus.clear_affinity(p_run_id text)
returns void
language plpgsql
as $$
begin
    delete from byssus.affinities as a where a.run_id = p_run_id;
end;
$$;

comment on function byssus.clear_affinity(text) is 'Removes the affinity of a run.';
