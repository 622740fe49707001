begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', leaf(schedule(), 1, 0, 1));
select is(byssus.activity_event(the_activity(), '')::jsonb -> 'attempt_number', null, 'no attempt');
select is(
    byssus.activity_event(the_activity(), '')::jsonb -> 'parallel_group_size', '1', 'the members of its group are there'
);

select * from finish();
rollback;
