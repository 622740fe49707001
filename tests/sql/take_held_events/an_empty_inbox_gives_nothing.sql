begin;
select plan(2);
set local role byssus_owner;

select leased_run();
create temporary table taken as select * from byssus.take_held_events(run(), 1);
select is((select types from taken), null, 'no events');
select is((select wakes or has_signals or resolves_wait from taken), false, 'no reason for anything');

select * from finish();
rollback;
