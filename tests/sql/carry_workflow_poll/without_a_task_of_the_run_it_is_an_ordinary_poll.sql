begin;
select plan(3);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_workflow_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select retained_run();
select is(
    (pg_temp.carry()).body::jsonb -> 'workflow_poll', '{"task":null,"poll_status":"empty"}', 'there may be nothing'
);
select start('other');
create temporary table told as select * from pg_temp.carry('[["run","r"],["workflow","default","q"]]');
select is((select body::jsonb #>> '{workflow_poll,task,workflow_id}' from told), 'other', 'or another run''s task');
select is((select hints from told), '[["run","r"],["workflow","default","q"]]', 'the hints are not about that');

select * from finish();
rollback;
