-- Notes that a worker takes tasks: a poll of it was made, or is waiting. A note that another is just making is not
-- waited for, and one that is fresh is not made again.
--
-- p_namespace        the worker's namespace.
-- p_worker_id        its id.
-- p_polling_seconds  for how long the poll vouches for it.
-- p_now              the moment.
-- Locks              the worker's liveness row, unless another has it.
-- Writes             worker_liveness, at most once a second.
create or replace function byssus.record_poll(
    p_namespace text, p_worker_id text, p_polling_seconds integer, p_now timestamptz
)
returns void
language plpgsql
as $$
declare
    v_until timestamptz := p_now + make_interval(secs => p_polling_seconds);
    v_known timestamptz;
begin
    select l.polling_until into v_known from byssus.worker_liveness as l
    where l.namespace = p_namespace and l.worker_id = p_worker_id;
    if v_known > v_until - interval '1 second' then
        return;
    end if;

    perform from byssus.worker_liveness as l
    where l.namespace = p_namespace and l.worker_id = p_worker_id
    for no key update skip locked;
    if found then
        update byssus.worker_liveness as l set polling_until = v_until
        where l.namespace = p_namespace and l.worker_id = p_worker_id;
    end if;
end;
$$;

comment on function byssus.record_poll(text, text, integer, timestamptz) is
'Records that a poll of a worker vouches for it.';
