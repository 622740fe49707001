begin;
select plan(2);
set local role byssus_owner;

select retained_run();
select byssus.append_history(
    run(), 2, moment(), array_fill('Happened'::text, array[500]), array_fill('{}'::text, array[500])
);
create function pg_temp.events(p_through bigint) returns integer language sql as $$
    select json_array_length(byssus.history_tail(
        byssus_test.run(), byssus_test.the_registration(), 1, p_through, byssus_test.moment()
    )::json -> 'events')
$$;
select is(pg_temp.events(501), 500, 'a full page');
select is(pg_temp.events(502), null, 'with one more there is none');

select * from finish();
rollback;
