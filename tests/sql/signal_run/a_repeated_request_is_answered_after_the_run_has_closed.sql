begin;
select plan(1);
set local role byssus_app;

select waiting_run('wf', timer());
create temporary table first as
select * from byssus.signal_run('default', 'wf', null, 'go', null, 'r1', 'd');
select byssus.cancel_run('default', 'wf', null, null, null, 'd');
select is(
    (byssus.signal_run('default', 'wf', null, 'go', null, 'r1', 'd')).body, (select body from first), 'as it was then'
);

select * from finish();
rollback;
