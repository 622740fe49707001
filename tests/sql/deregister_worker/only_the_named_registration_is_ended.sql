begin;
select plan(5);
set local role byssus_app;

create temporary table old as select register() as token;
select register();
create function pg_temp.outcome(p_namespace text, p_worker text, p_token text) returns text language sql as
'select (byssus.deregister_worker(p_namespace, p_worker, p_token, 600)).outcome';
select is(
    pg_temp.outcome('default', 'w1', (select token from old)), 'worker_registration_lost_authority', 'not by an older one'
);
select is(
    pg_temp.outcome('default', 'w1', 'no such token'), 'worker_registration_token_not_found', 'not by an invented one'
);
select is(
    pg_temp.outcome('default', 'w2', (the_registration()).registration_token), 'worker_registration_token_not_found',
    'not under another worker id'
);
select is(
    pg_temp.outcome('elsewhere', 'w1', (the_registration()).registration_token), 'namespace_not_found',
    'not in another namespace'
);
select is((the_registration()).worker_id::text, 'w1', 'the registration stands');

select * from finish();
rollback;
