begin;
select plan(2);
set local role byssus_owner;

select is(byssus.with_tail('{"task":{}}', '{"events":[]}'), '{"task":{},"history_tail":{"events":[]}}', 'it is added');
select is(byssus.with_tail('{"task":{}}', null), '{"task":{}}', 'without one nothing is');

select * from finish();
rollback;
