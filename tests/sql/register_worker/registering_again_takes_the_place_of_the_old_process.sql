begin;
select plan(6);
set local role byssus_app;

select register();
create temporary table old as select (the_registration()).registration_token as token;
select start();
select claim();
create temporary table answered as select * from byssus.register_worker('default', 'w1', 'q', registration());
select is((select outcome from answered), 'registered', 'registered');
select isnt((the_registration()).registration_token, (select token from old), 'under another token');
select is(rows_of('worker_registrations'), 1::bigint, 'there is one registration');
select is((the_task()).lease_expires_at, moment(), 'what the old process held runs out now');
select is(
    (select hints from answered), '[["due","2030-01-01T00:00:00.000000Z"]]', 'and maintenance is told to offer it again'
);
select is(
    (byssus.deregister_worker('default', 'w1', (select token from old), 600)).outcome,
    'worker_registration_lost_authority', 'the old token has no say any more'
);

select * from finish();
rollback;
