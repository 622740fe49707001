begin;
select plan(4);
set local role byssus_owner;

select leased_run();
select is(
    byssus.append_history(run(), 1, moment(), array['A', 'B'], array['{"a":1}', '{"b":2}']), 3::bigint,
    'the answer is the new last sequence'
);
select is(events(), array['WorkflowStarted', 'A', 'B'], 'the events follow the history in their order');
select is((the_run()).last_history_sequence, 3::bigint, 'the run says where its history ends');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
