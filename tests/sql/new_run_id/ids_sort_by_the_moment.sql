begin;
select plan(4);
set local role byssus_owner;

select matches(
    byssus.new_run_id(moment()), '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$', 'a UUID of version 7'
);
select cmp_ok(byssus.new_run_id(moment()), '<', byssus.new_run_id(moment(0.001)), 'a millisecond later sorts behind');
select is(left(byssus.new_run_id('1970-01-01 00:00:00.001+00'), 13), '00000000-0001', 'the first 48 bits count milliseconds');
select isnt(byssus.new_run_id(moment()), byssus.new_run_id(moment()), 'two of one moment differ');

select * from finish();
rollback;
