begin;
select plan(2);
set local role byssus_owner;

create temporary table answered as select outcome, body::jsonb as body from byssus.read_schema_state();
select is((select outcome from answered), 'schema_state', 'answered');
select is(
    (select body ->> 'revision' from answered), (select version_num::text from byssus.alembic_version), 'the revision'
);

select * from finish();
rollback;
