begin;
select plan(5);
set local role byssus_owner;

select register_merging();
create function pg_temp.refusal(p_registration byssus.worker_registrations) returns byssus.answer language sql as $$
    select byssus.carried_refusal(p_registration, ',"recorded":false')
$$;
create function pg_temp.registered(p_more jsonb) returns byssus.worker_registrations language sql as $$
    select jsonb_populate_record(byssus_test.the_registration(), p_more)
$$;
select is((pg_temp.refusal(pg_temp.registered('{}'))).outcome, null, 'with it');
create temporary table told as
select * from pg_temp.refusal(pg_temp.registered('{"merged_transitions":false}'));
select is((select outcome from told), 'worker_capability_not_supported', 'not without it');
select is((select body::jsonb ->> 'capability' from told), 'merged_transitions', 'which is named');
select is((select body::jsonb -> 'recorded' from told), 'false', 'with the members of the completion''s answers');
select is((pg_temp.refusal(null)).outcome, 'worker_capability_not_supported', 'nor without a registration');

select * from finish();
rollback;
