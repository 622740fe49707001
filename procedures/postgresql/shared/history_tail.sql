-- What a worker that holds a run in its cache has not seen of the run's history, if it is one page at most.
--
-- p_run_id        the run, whose row the caller has locked; null: none.
-- p_registration  the registration of the worker.
-- p_after         through which history sequence the worker says that it holds the run; null: it does not ask.
-- p_through       the last sequence that it is to be given; null: no more than has been delivered to it already.
-- p_now           the moment.
-- Result          {after_sequence, last_sequence, events}; null when it is not asked for, when the affinity is not the
--                 worker's, or ends before p_after, or when there is more than a page.
-- Locks           none of its own. Writes nothing.
create or replace function byssus.history_tail(
    p_run_id text, p_registration byssus.worker_registrations, p_after bigint, p_through bigint, p_now timestamptz
)
returns text
language plpgsql
stable
as $$
declare
    v_through bigint;
    v_page record;
begin
    if p_after is null then
        return null;
    end if;
    select coalesce(p_through, a.delivered_sequence) into v_through from byssus.affinities as a
    where a.run_id = p_run_id and a.sticky_worker_id = p_registration.worker_id
        and a.registration_token = p_registration.registration_token and a.sticky_until > p_now
        and a.delivered_sequence >= p_after;
    if v_through is null then
        return null;
    end if;
    v_page := byssus.history_page(p_run_id, p_after, v_through, 500);
    if v_page.token is not null then
        return null;
    end if;
    return '{"after_sequence":' || p_after || ',"last_sequence":' || v_through
        || ',"events":[' || coalesce(v_page.events, '') || ']}';
end;
$$;

comment on function byssus.history_tail(text, byssus.worker_registrations, bigint, bigint, timestamptz) is
'The rest of a run''s history for the worker that holds the run, or null.';
