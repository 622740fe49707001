begin;
select plan(1);
set local role byssus_app;

select retained_run();
select signal();
select claim('w1', 'p2');
select is(
    (byssus.release_workflow_task('default', task(), 'w1', 1)).hints,
    '[["held","default","q","w1","2030-01-01T00:00:05.000000Z"]]', 'its worker is told'
);

select * from finish();
rollback;
