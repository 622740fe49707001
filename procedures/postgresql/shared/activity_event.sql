-- The payload of an activity's event: what all of them have in common, and what this one adds.
--
-- p_activity  the activity as the event finds it.
-- p_members   the event's own members, with a leading comma.
-- Result      the payload. The parallel group is copied from the command, byte for byte.
-- Locks       none. Writes nothing.
create or replace function byssus.activity_event(p_activity byssus.activities, p_members text)
returns text
language sql
stable
as $$
    select '{"sequence":' || p_activity.position
        || ',"activity_execution_id":"' || p_activity.run_id || ':a' || p_activity.position
        || '","activity_type":' || byssus.json_string(p_activity.activity_type)
        || case
            when p_activity.attempt_number = 0 then ''
            else ',"activity_attempt_id":"' || p_activity.run_id || ':a' || p_activity.position
                || '.' || p_activity.attempt_number
                || '","attempt_number":' || p_activity.attempt_number
        end
        || p_members || p_activity.group_members || '}';
$$;

comment on function byssus.activity_event(byssus.activities, text) is 'The payload of an event of an activity.';
