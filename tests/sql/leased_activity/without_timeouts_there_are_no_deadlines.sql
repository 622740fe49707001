begin;
select plan(1);
set local role byssus_owner;

select running_activity();
select is((byssus.leased_activity(the_activity())).body::jsonb #> '{task,deadlines}', '{}', 'an empty object');

select * from finish();
rollback;
