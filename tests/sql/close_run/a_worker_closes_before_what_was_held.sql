begin;
select plan(1);
set local role byssus_owner;

select leased_run();
select byssus.record_event(the_run(), moment(), 'result', 'HeldResult', '{}', true);
select signal();
select byssus.close_run(the_run(), moment(), 'completed', 'completed', '{}', '{}', 'Ended', '{}', true);
select is(
    events(), array['WorkflowStarted', 'Ended', 'HeldResult', 'SignalRejected'],
    'what was held comes behind the terminal event'
);

select * from finish();
rollback;
