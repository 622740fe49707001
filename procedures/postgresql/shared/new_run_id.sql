-- A new run id: a UUID of version 7, which sorts by the moment it was made.
--
-- p_now   the transition's moment.
-- Result  36 characters.
-- Locks   none. Writes nothing.
create or replace function byssus.new_run_id(p_now timestamptz)
returns text
language plpgsql
volatile
as $$
declare
    v_bytes bytea := uuid_send(gen_random_uuid());
begin
    v_bytes := overlay(v_bytes placing substring(int8send((extract(epoch from p_now) * 1000)::bigint) from 3) from 1 for 6);
    v_bytes := set_byte(v_bytes, 6, (get_byte(v_bytes, 6) & 15) | 112);
    return encode(v_bytes, 'hex')::uuid::text;
end;
$$;

comment on function byssus.new_run_id(timestamptz) is 'A UUIDv7 as text: ids sort by creation time.';
