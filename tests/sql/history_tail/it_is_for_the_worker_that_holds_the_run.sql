begin;
select plan(12);
set local role byssus_owner;

select register_sticky('w2');
select retained_run();
create function pg_temp.has_tail(
    p_registration byssus.worker_registrations default byssus_test.the_registration(), p_after bigint default 1,
    p_through bigint default 2
) returns boolean language sql as $$
    select byssus.history_tail(byssus_test.run(), p_registration, p_after, p_through, byssus_test.moment()) is not null
$$;
select ok(pg_temp.has_tail(), 'all hold');
select ok(not pg_temp.has_tail(p_after => null), 'it does not ask');
select ok(not pg_temp.has_tail(p_after => 2), 'it says that it has more than it was given');
select ok(not pg_temp.has_tail(p_after => 2, p_through => null), 'then it is not given that again either');
select ok(not pg_temp.has_tail(the_registration('w2')), 'another holds the run');
select ok(
    not pg_temp.has_tail(jsonb_populate_record(the_registration(), '{"worker_id":"w2"}')), 'the worker is another one'
);
select ok(
    not pg_temp.has_tail(jsonb_populate_record(the_registration(), '{"registration_token":"t"}')),
    'it has registered anew'
);
select is(byssus.history_tail(null, the_registration(), 1, 2, moment()), null, 'there is no run');
select pass_time(299.999999);
select ok(pg_temp.has_tail(), 'to the end of its cache');
select pass_time(0.000001);
select ok(not pg_temp.has_tail(), 'not beyond');
update byssus.affinities set sticky_until = moment(1);
select ok(pg_temp.has_tail(), 'it was that');
delete from byssus.affinities;
select ok(not pg_temp.has_tail(), 'nobody holds the run');

select * from finish();
rollback;
