-- Removes recorded answers and ended registrations that are too old to be asked for again, and counts that no metric
-- looks at any more.
--
-- p_batch_size       how many answers and registrations at most; of the counts, which are small, twenty times that.
-- p_receipt_seconds  for how long they are kept.
-- Outcomes           swept: how many answers and registrations went, and whether there may be more.
-- Locks              the rows that go, skipping what others hold.
-- Writes             receipts, worker_incarnations, sticky_counts.
create or replace function byssus.prune_receipts(p_batch_size integer, p_receipt_seconds integer)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_before timestamptz := v_now - make_interval(secs => p_receipt_seconds);
    v_receipts integer;
    v_incarnations integer;
begin
    delete from byssus.receipts as c
    where c.ctid = any (array(
        select o.ctid from byssus.receipts as o
        where o.recorded_at < v_before
        order by o.recorded_at
        limit p_batch_size
        for update skip locked
    ));
    get diagnostics v_receipts = row_count;

    delete from byssus.worker_incarnations as i
    where i.ctid = any (array(
        select o.ctid from byssus.worker_incarnations as o
        where o.finished_at < v_before
        order by o.finished_at
        limit p_batch_size
        for update skip locked
    ));
    get diagnostics v_incarnations = row_count;

    delete from byssus.sticky_counts as c
    where c.ctid = any (array(
        select o.ctid from byssus.sticky_counts as o
        where o.counted_at < v_now - interval '2 minutes'
        order by o.counted_at
        limit p_batch_size * 20
        for update skip locked
    ));

    return byssus.swept(
        v_receipts + v_incarnations, v_receipts = p_batch_size or v_incarnations = p_batch_size, '{}'
    );
end;
$$;

comment on function byssus.prune_receipts(integer, integer) is 'Deletes receipts and ended registrations past their retention.';
