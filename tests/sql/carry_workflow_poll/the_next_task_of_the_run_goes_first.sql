begin;
select plan(6);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_workflow_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select start('urgent', '{"priority":0}');
select start();
create temporary table told as select * from pg_temp.carry('[["run","r"],["workflow","default","q"],["due","t"]]');
select is((select outcome from told), 'completed', 'the completion''s outcome stays');
select is((select body::jsonb #>> '{workflow_poll,poll_status}' from told), 'leased', 'leased');
select is((select body::jsonb #>> '{workflow_poll,task,workflow_id}' from told), 'wf', 'the run''s own task');
select is((the_task()).status, 'leased', 'it is leased');
select is((the_task()).poll_request_id::text, 'next', 'to this poll');
select is((select hints from told), '[["run","r"],["due","t"]]', 'so nobody else is called for it');

select * from finish();
rollback;
