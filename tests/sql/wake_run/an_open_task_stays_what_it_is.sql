begin;
select plan(2);
set local role byssus_owner;

select leased_run();
create temporary table before as select * from the_task();
select is(byssus.wake_run(the_run(), 7, moment(9)), '["workflow","default","q"]', 'the queue is told all the same');
select is(the_task()::text, (select before::text from before), 'a leased task keeps name, lease and owner');

select * from finish();
rollback;
