begin;
select plan(8);
set local role byssus_app;

create temporary table answered as
select * from byssus.register_worker('default', 'w1', 'q', registration('{"build_id":"b1","capabilities":["x"]}'));
select is((select outcome from answered), 'registered', 'registered');
select matches((select body::jsonb ->> 'registration_token' from answered), '^[0-9a-f]{32}$', 'under a token');
select is(
    (select body::jsonb ->> 'registration_token' from answered), (the_registration()).registration_token, 'which is kept'
);
select is((select body::jsonb -> 'capabilities' from answered), '["x"]', 'what it said of itself comes back');
select is((the_registration()).workflow_types::text, '{order}', 'its workflow types are known');
select is((the_registration()).registered_at, moment(), 'since now');
select is(rows_of('worker_liveness'), 1::bigint, 'it lives');
select is((select hints from answered), null, 'nothing has become possible yet');

select * from finish();
rollback;
