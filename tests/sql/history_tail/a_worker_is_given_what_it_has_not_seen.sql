begin;
select plan(6);
set local role byssus_owner;

select retained_run();
select signal();
create function pg_temp.tail(p_after bigint, p_through bigint) returns jsonb language sql as $$
    select byssus.history_tail(
        byssus_test.run(), byssus_test.the_registration(), p_after, p_through, byssus_test.moment()
    )::jsonb
$$;
create temporary table told as select pg_temp.tail(1, 3) as tail;
select is((select tail -> 'after_sequence' from told), '1', 'behind what it has');
select is((select tail -> 'last_sequence' from told), '3', 'to the end');
select is((select jsonb_path_query_array(tail, '$.events[*].sequence') from told), '[2, 3]', 'the events between');
select is(pg_temp.tail(1, 1), '{"after_sequence":1,"last_sequence":1,"events":[]}', 'which may be none');
select is(pg_temp.tail(1, null), '{"after_sequence":1,"last_sequence":1,"events":[]}', 'or none beyond what was given');
update byssus.affinities set delivered_sequence = 2;
select is(jsonb_array_length(pg_temp.tail(1, null) -> 'events'), 1, 'then that again');

select * from finish();
rollback;
