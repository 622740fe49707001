-- Says which schema this is, so that a server can tell whether it fits.
--
-- Outcomes  schema_state: the migration's revision, and a checksum over all routines.
-- Locks     none. Writes nothing.
create or replace function byssus.read_schema_state()
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    v_revision text;
    v_routines text;
begin
    select v.version_num::text into v_revision from byssus.alembic_version as v;
    select encode(
        sha256(convert_to(string_agg(r.name || ' ' || r.checksum, ',' order by r.name collate "C"), 'UTF8')), 'hex'
    ) into v_routines
    from byssus.schema_routines as r;
    return (
        'schema_state',
        '{"revision":' || coalesce(byssus.json_string(v_revision), 'null')
        || ',"routines":' || coalesce(byssus.json_string(v_routines), 'null') || '}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.read_schema_state() is 'The schema revision and the checksum of the installed routines.';
