begin;
select plan(6);
set local role byssus_owner;

select start();
create temporary table answered as
select * from byssus.stop_run(
    'default', 'wf', run(), 'why', 'r1', 'd', 'cancelled', 'cancel', 'CancelRequested', 'WorkflowCancelled'
);
select is((select outcome from answered), 'cancelled', 'with the status that it was given');
select is((select body::jsonb ->> 'target_scope' from answered), 'run', 'as the client named it');
select is((select body::jsonb ->> 'request_id' from answered), 'r1', 'the request is repeatable');
select is(events(), array['WorkflowStarted', 'CancelRequested', 'WorkflowCancelled'], 'request and end are recorded');
select is(payload('CancelRequested'), '{"closed_reason":"cancelled","reason":"why"}', 'with the reason');
select is(rows_of('receipts'), 1::bigint, 'and so is the answer');

select * from finish();
rollback;
