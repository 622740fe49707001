-- The payload of SignalRejected, from the signal that it rejects. The signal's own payload begins with its id and
-- name; what follows may be anything, so it is not parsed.
--
-- p_received  SignalReceived in wire form, or its payload.
-- Result      the signal's id and name, and why it was rejected.
-- Locks       none. Writes nothing.
create or replace function byssus.signal_rejection(p_received text)
returns text
language sql
stable
as $$
    select substring(p_received from '\{"signal_id":"[^"]*","signal_name":"(?:[^"\\]|\\.)*"')
        || ',"rejection_reason":"run_not_active"}';
$$;

comment on function byssus.signal_rejection(text) is 'What SignalRejected says of a signal that its run never applied.';
