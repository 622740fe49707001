begin;
select plan(5);
set local role byssus_app;

select register('w1', '{"workflow_definition_fingerprints":{"order":"f1"}}');
create function pg_temp.outcome(p_worker text, p_more jsonb) returns text language sql as
'select (byssus.register_worker(''default'', p_worker, ''q'', byssus_test.registration(p_more))).outcome';
create temporary table old as select (the_registration()).registration_token as token;
select is(
    pg_temp.outcome('w1', '{"workflow_definition_fingerprints":{"order":"f2"}}'), 'workflow_definition_changed',
    'another fingerprint of a type that stays'
);
select is((the_registration()).registration_token, (select token from old), 'the registration stands');
select is(
    pg_temp.outcome('w2', '{"workflow_definition_fingerprints":{"order":"f2"}}'), 'registered', 'another worker id may'
);
select is(
    pg_temp.outcome('w1', '{"workflow_types":["other"],"workflow_definition_fingerprints":{"order":"f2"}}'), 'registered',
    'so may one that drops the type'
);
select is(
    pg_temp.outcome('w1', '{"workflow_definition_fingerprints":{"order":"f1"}}'), 'registered', 'so may the same program'
);

select * from finish();
rollback;
