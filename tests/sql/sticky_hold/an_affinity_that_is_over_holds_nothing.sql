begin;
select plan(4);
set local role byssus_owner;

select retained_run();
create function pg_temp.hold(p_run text default byssus_test.run()) returns text language sql as $$
    select concat_ws(' ', sticky_worker_id, registration_token, sticky_until, held_until = byssus_test.moment())
    from byssus.sticky_hold(p_run, byssus_test.moment(), byssus_test.moment())
$$;
select is(pg_temp.hold('no such run'), 't', 'a run without one');
savepoint living;
update byssus.affinities set sticky_until = moment();
select is(pg_temp.hold(), 't', 'it has expired');
rollback to savepoint living;
select register_sticky();
select byssus.record_poll('default', 'w1', 10, moment());
select is(pg_temp.hold(), 't', 'its worker registered again');
rollback to savepoint living;
select byssus.deregister_worker('default', 'w1', null, 600);
select is(pg_temp.hold(), 't', 'its worker is gone');

select * from finish();
rollback;
