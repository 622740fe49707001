begin;
select plan(2);
set local role byssus_owner;

set local timezone = 'Asia/Tokyo';
select is(byssus.wire_time('2030-01-01 00:00:00.5+02'), '2029-12-31T22:00:00.500000Z', 'whatever the zone of the session');
select is(byssus.wire_time(null), null, 'nothing stays nothing');

select * from finish();
rollback;
