begin;
select plan(1);
set local role byssus_app;

select register();
select start('wf', '{"run_timeout_seconds":30}');
select pass_time(30);
select is((claim()).outcome, 'empty', 'its task is not given out any more');

select * from finish();
rollback;
