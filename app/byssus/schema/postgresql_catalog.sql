-- Every object of a schema as (kind, name, definition), for comparison with the same of another schema.
-- %(schema)s names the schema. Its own name in definitions is left for the caller to even out.
with space as (
    select n.oid, n.nspname, n.nspowner, n.nspacl
    from pg_catalog.pg_namespace as n
    where n.nspname = %(schema)s
),

relations as (
    select
        c.oid, c.relname, c.relkind, c.relowner, c.relacl, c.relpersistence, c.reloptions, c.relrowsecurity,
        case c.relkind when 'v' then 'view' when 'S' then 'sequence' when 'c' then 'type' else 'table' end as kind
    from pg_catalog.pg_class as c
    inner join space as s on c.relnamespace = s.oid
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'c', 'f') and c.relname <> 'alembic_version'
),

routines as (
    select p.*, p.proname || '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')' as signature
    from pg_catalog.pg_proc as p
    inner join space as s on p.pronamespace = s.oid
    where p.prokind in ('f', 'p')
),

domains as (
    select t.*
    from pg_catalog.pg_type as t
    inner join space as s on t.typnamespace = s.oid
    where t.typtype in ('d', 'e')
),

grants as (
    select 'schema' as kind, s.nspname::text as name, a.grantee, a.privilege_type, a.is_grantable
    from space as s
    cross join lateral pg_catalog.aclexplode(coalesce(s.nspacl, acldefault('n', s.nspowner))) as a
    union all
    select r.kind, r.relname, a.grantee, a.privilege_type, a.is_grantable
    from relations as r
    cross join lateral pg_catalog.aclexplode(
        coalesce(r.relacl, acldefault((case r.relkind when 'S' then 's' else 'r' end)::"char", r.relowner))
    ) as a
    where r.relkind <> 'c'
    union all
    select 'column', r.relname || '.' || t.attname, a.grantee, a.privilege_type, a.is_grantable
    from relations as r
    inner join pg_catalog.pg_attribute as t on r.oid = t.attrelid
    cross join lateral pg_catalog.aclexplode(t.attacl) as a
    union all
    select 'routine', r.signature, a.grantee, a.privilege_type, a.is_grantable
    from routines as r
    cross join lateral pg_catalog.aclexplode(coalesce(r.proacl, acldefault('f', r.proowner))) as a
    union all
    select 'type', d.typname, a.grantee, a.privilege_type, a.is_grantable
    from domains as d
    cross join lateral pg_catalog.aclexplode(coalesce(d.typacl, acldefault('T', d.typowner))) as a
)

select
    'schema' as kind,
    s.nspname::text as name,
    pg_catalog.concat_ws(
        ' ', 'owner', s.nspowner::regrole, 'comment', pg_catalog.obj_description(s.oid, 'pg_namespace')
    ) as definition
from space as s
union all
select
    r.kind,
    r.relname,
    pg_catalog.concat_ws(
        ' ', r.relkind, 'owner', r.relowner::regrole, r.relpersistence,
        (select pg_catalog.string_agg(o.option, ' ' order by o.option) from unnest(r.reloptions) as o (option)),
        case when r.relrowsecurity then 'row security' end,
        case when r.relkind in ('v', 'm') then pg_catalog.pg_get_viewdef(r.oid) end,
        'comment', pg_catalog.obj_description(r.oid, 'pg_class')
    )
from relations as r
union all
select
    'column',
    r.relname || '.' || a.attname,
    pg_catalog.concat_ws(
        ' ',
        (
            select count(*) from pg_catalog.pg_attribute as b
            where b.attrelid = a.attrelid and b.attnum between 1 and a.attnum and not b.attisdropped
        ),
        pg_catalog.format_type(a.atttypid, a.atttypmod),
        case when a.attcollation <> 0 then 'collate ' || a.attcollation::regcollation end,
        case when a.attnotnull then 'not null' end,
        nullif(a.attidentity, ''), nullif(a.attgenerated, ''),
        pg_catalog.pg_get_expr(d.adbin, d.adrelid),
        'comment', pg_catalog.col_description(a.attrelid, a.attnum)
    )
from relations as r
inner join pg_catalog.pg_attribute as a on r.oid = a.attrelid and a.attnum > 0 and not a.attisdropped
left join pg_catalog.pg_attrdef as d on a.attrelid = d.adrelid and a.attnum = d.adnum
union all
select
    'constraint',
    coalesce(r.relname, d.typname) || '.' || c.conname,
    pg_catalog.concat_ws(' ', pg_catalog.pg_get_constraintdef(c.oid), case when not c.convalidated then 'unvalidated' end)
from pg_catalog.pg_constraint as c
left join relations as r on c.conrelid = r.oid
left join domains as d on c.contypid = d.oid
where (r.oid is not null or d.oid is not null) and c.contype <> 't'
union all
select
    'index',
    c.relname,
    pg_catalog.concat_ws(' ', pg_catalog.pg_get_indexdef(i.indexrelid), case when not i.indisvalid then 'invalid' end)
from relations as r
inner join pg_catalog.pg_index as i on r.oid = i.indrelid
inner join pg_catalog.pg_class as c on i.indexrelid = c.oid
union all
select
    'trigger',
    r.relname || '.' || t.tgname,
    pg_catalog.concat_ws(' ', pg_catalog.pg_get_triggerdef(t.oid), 'enabled', t.tgenabled)
from relations as r
inner join pg_catalog.pg_trigger as t on r.oid = t.tgrelid and not t.tgisinternal
union all
select
    'policy',
    r.relname || '.' || p.polname,
    pg_catalog.concat_ws(
        ' ', p.polcmd, p.polpermissive, p.polroles::regrole [],
        pg_catalog.pg_get_expr(p.polqual, p.polrelid), pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)
    )
from relations as r
inner join pg_catalog.pg_policy as p on r.oid = p.polrelid
union all
select
    'routine',
    r.signature,
    pg_catalog.concat_ws(
        ' ', pg_catalog.pg_get_functiondef(r.oid), 'owner', r.proowner::regrole,
        'comment', pg_catalog.obj_description(r.oid, 'pg_proc')
    )
from routines as r
union all
select
    'type',
    d.typname,
    pg_catalog.concat_ws(
        ' ', d.typtype, 'owner', d.typowner::regrole, pg_catalog.format_type(d.typbasetype, d.typtypmod),
        case when d.typcollation <> 0 then 'collate ' || d.typcollation::regcollation end,
        case when d.typnotnull then 'not null' end, d.typdefault,
        (
            select pg_catalog.string_agg(e.enumlabel, ' ' order by e.enumsortorder)
            from pg_catalog.pg_enum as e where e.enumtypid = d.oid
        ),
        'comment', pg_catalog.obj_description(d.oid, 'pg_type')
    )
from domains as d
union all
select
    'grant',
    pg_catalog.concat_ws(
        ' ', lower(g.privilege_type), 'on', g.kind, g.name, 'to',
        case g.grantee when 0 then 'public' else g.grantee::regrole::text end
    ),
    case when g.is_grantable then 'with grant option' else '' end
from grants as g
order by kind, name
