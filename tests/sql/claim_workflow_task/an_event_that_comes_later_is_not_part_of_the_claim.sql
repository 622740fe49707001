begin;
select plan(2);
set local role byssus_app;

select waiting_run('wf', timer());
select signal();
create temporary table answered as select claim('w1', 'p2') as claimed;
select signal('later');
select is(
    (select (claimed).body::jsonb #>> '{task,last_history_sequence}' from answered), '3', 'three events were there'
);
select is((claim('w1', 'p2')).body, (select (claimed).body from answered), 'and the repeated poll sees no more');

select * from finish();
rollback;
