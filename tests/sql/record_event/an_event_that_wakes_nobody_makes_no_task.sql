begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', timer());
select is(
    byssus.record_event(the_run(), moment(), 'result', 'Happened', '{}', false), '["run","' || run() || '"]',
    'only readers of the history are told'
);
select is(the_task(), null, 'the run sleeps on');

select * from finish();
rollback;
