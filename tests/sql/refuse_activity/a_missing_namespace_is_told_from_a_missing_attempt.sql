begin;
select plan(2);
set local role byssus_owner;

create function pg_temp.outcome(p_namespace text) returns text language sql as
'select (byssus.refuse_activity(p_namespace, ''attempt_not_found'', null, ''t'', ''a'', ''w1'')).outcome';
select is(pg_temp.outcome('default'), 'attempt_not_found', 'the attempt is missing');
select is(pg_temp.outcome('elsewhere'), 'namespace_not_found', 'the namespace is');

select * from finish();
rollback;
