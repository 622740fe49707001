begin;
select plan(2);
set local role byssus_owner;

select leased_run();
select byssus.finish_run(
    the_run(), the_task(),
    '{"type":"complete_workflow","output":"{\"a\":  1}","fields":"{\"output\":{\"a\":  1}}"}', moment(), '{}', '{}'
);
select is((select output::text from byssus.run_payloads where run_id = run()), '{"a":  1}', 'beside the run');
select matches(
    (select wire from byssus.history_events where run_id = run() and sequence = 2), '"payload":\{"output":\{"a":  1\}\}',
    'and in history'
);

select * from finish();
rollback;
