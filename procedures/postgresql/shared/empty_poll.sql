-- The answer to a poll for which there is nothing.
--
-- Result  outcome empty, a null task. Locks none, writes nothing.
create or replace function byssus.empty_poll()
returns byssus.answer
language sql
stable
as $$
    select ('empty', '{"task":null,"poll_status":"empty"}', null)::byssus.answer;
$$;

comment on function byssus.empty_poll() is 'The answer of an empty poll.';
