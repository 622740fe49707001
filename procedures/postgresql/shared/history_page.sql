-- One page of a run's history, in wire form: an index range scan and a concatenation.
--
-- p_run_id     the run.
-- p_after      the page begins behind this sequence.
-- p_through    and ends here at the latest.
-- p_page_size  how many events at most. A page also ends before it passes 4 MiB, but holds one event at least.
-- Result       events: the events joined by commas; last: the last one's sequence, null on an empty page;
--              token: what fetches the next page, null when there is none.
-- Locks        none. Writes nothing.
create or replace function byssus.history_page(
    p_run_id text, p_after bigint, p_through bigint, p_page_size integer,
    out events text, out last bigint, out token text
)
language plpgsql
stable
as $$
begin
    -- Sequences have no gaps, so a range of them is a limit too, and one that costs the same in every plan.
    select string_agg(e.wire, ',' order by e.sequence), max(e.sequence)
    into events, last
    from (
        select p.sequence, p.wire, sum(octet_length(p.wire)) over (order by p.sequence) as bytes
        from (
            select h.sequence, h.wire
            from byssus.history_events as h
            where h.run_id = p_run_id and h.sequence > p_after
                and h.sequence <= least(p_through, p_after + p_page_size)
        ) as p
    ) as e
    where e.bytes <= 4194304 or e.sequence = p_after + 1;

    if last < p_through then
        token := encode(convert_to(last::text, 'UTF8'), 'base64');
    end if;
end;
$$;

comment on function byssus.history_page(text, bigint, bigint, integer) is
'A page of history events in wire form, bounded in number and bytes.';
