begin;
select plan(3);
set local role byssus_app;

select register_sticky();
select waiting_run('wf', wait_for());
select signal();
select claim('w1', 'p2');
select signal();
create temporary table answered as select * from retain(run(), '{}', timer());
select matches(
    (select hints from answered), '\["held","default","q","w1","2030-01-01T00:00:05.000000Z"\]', 'it alone is told'
);
select is((the_task()).sticky_worker_id::text, 'w1', 'the new task is its own');
select is((the_task()).held_until, moment(5), 'and waits for it');

select * from finish();
rollback;
