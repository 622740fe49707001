begin;
select plan(3);
set local role byssus_owner;

select leased_run();
create temporary table before as select * from the_run();
select is(byssus.append_history(run(), 1, moment(9), null, null), 1::bigint, 'null adds nothing');
select is(byssus.append_history(run(), 1, moment(9), '{}', '{}'), 1::bigint, 'an empty list adds nothing');
select is(the_run()::text, (select before::text from before), 'the run is as it was');

select * from finish();
rollback;
