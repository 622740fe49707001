-- Lists the runs of a namespace, newest first.
--
-- p_namespace      the namespace.
-- p_workflow_type  only runs of this type; null: of all.
-- p_status_bucket  only running, completed or failed ones; null: all.
-- p_page_size      how many at most.
-- p_page_token     the last run id of the page before; null: from the newest.
-- Outcomes         listed; namespace_not_found.
-- Locks            none. Writes nothing.
create or replace function byssus.list_runs(
    p_namespace text, p_workflow_type text, p_status_bucket text, p_page_size integer, p_page_token text
)
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    -- Run ids begin with hex digits, so this sorts behind all of them.
    v_before text := coalesce(p_page_token, 'g');
    v_ids text[];
    v_rows text;
    v_count integer;
begin
    if not exists (select from byssus.namespaces as n where n.name = p_namespace) then
        return byssus.refuse_missing(p_namespace, 'namespace_not_found');
    end if;

    -- One statement per filter, so that each has the plan of its own index.
    if p_workflow_type is not null then
        -- In the index a type's runs lie apart by status: of the newest of each, the newest.
        v_ids := array(
            select newest.run_id
            from unnest(
                case when p_status_bucket is null then '{running,completed,failed}' else array[p_status_bucket] end
            ) as s (bucket)
            cross join lateral (
                select r.run_id from byssus.runs as r
                where r.namespace = p_namespace and r.workflow_type = p_workflow_type
                    and r.status_bucket = s.bucket and r.run_id < v_before
                order by r.run_id desc limit p_page_size + 1
            ) as newest
            order by newest.run_id desc limit p_page_size + 1
        );
    elsif p_status_bucket is not null then
        v_ids := array(
            select r.run_id from byssus.runs as r
            where r.namespace = p_namespace and r.status_bucket = p_status_bucket and r.run_id < v_before
            order by r.run_id desc limit p_page_size + 1
        );
    else
        v_ids := array(
            select r.run_id from byssus.runs as r
            where r.namespace = p_namespace and r.run_id < v_before
            order by r.run_id desc limit p_page_size + 1
        );
    end if;

    select
        string_agg(
            '{' || byssus.run_summary(r) || ',"is_terminal":' || (r.closed_at is not null)
            || ',"memo":' || coalesce(p.memo::text, '{}')
            || ',"search_attributes":' || coalesce(p.search_attributes::text, '{}') || '}',
            ',' order by r.run_id desc
        ),
        count(*)::integer
    into v_rows, v_count
    from byssus.runs as r
    left join byssus.run_payloads as p on r.run_id = p.run_id
    where r.run_id = any (v_ids[:p_page_size]);

    return (
        'listed',
        '{"workflows":[' || coalesce(v_rows, '') || '],"workflow_count":' || v_count
        || ',"next_page_token":' || case
            when cardinality(v_ids) > p_page_size
                then byssus.json_string(encode(convert_to(v_ids[p_page_size], 'UTF8'), 'base64'))
            else 'null'
        end || '}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.list_runs(text, text, text, integer, text) is
'A page of runs, newest first, by type and by status bucket.';
