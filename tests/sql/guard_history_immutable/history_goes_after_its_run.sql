begin;
select plan(3);
set local role byssus_owner;

select leased_run();
create temporary table gone as select run() as run_id;
delete from byssus.runs where run_id = (select run_id from gone);
select lives_ok(
    'delete from byssus.history_events where run_id = (select run_id from gone)', 'without its run, history can go'
);
select lives_ok('set constraints all immediate', 'and the guard agrees at commit');
select is(events((select run_id from gone)), null, 'nothing is left');

select * from finish();
rollback;
