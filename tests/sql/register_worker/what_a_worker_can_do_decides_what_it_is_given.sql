begin;
select plan(4);
set local role byssus_app;

select register('w1', '{"build_id":"b1","workflow_types":["a","b"],"activity_types":["c","d"]}');
select is((the_registration()).build_id::text, 'b1', 'its build');
select is((the_registration()).workflow_types::text, '{a,b}', 'its workflow types');
select is((the_registration()).activity_types::text, '{c,d}', 'its activity types');
select is((the_registration()).task_queue::text, 'q', 'its queue');

select * from finish();
rollback;
