begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.carry(p_carried jsonb, p_is_continued boolean default false) returns byssus.answer
language sql as $$
    select byssus.carry_polls(
        byssus_test.the_run(), byssus_test.the_registration(), p_carried::json, p_is_continued, byssus_test.moment(),
        byssus_test.completed('[["run","r"]]')
    )
$$;
select register_merging();
select waiting_run('other', schedule());
select start();
create temporary table told as select * from pg_temp.carry(
    jsonb_build_object('workflow_poll', carried_poll('a'), 'activity_poll', carried_poll('b'))
);
select is((select body::jsonb #>> '{workflow_poll,task,workflow_id}' from told), 'wf', 'a workflow task');
select is((select body::jsonb #>> '{activity_poll,task,workflow_id}' from told), 'other', 'and an activity');
select is((the_task()).poll_request_id::text, 'a', 'each for its poll');
select is((the_activity(run('other'))).poll_request_id::text, 'b', 'of its own');
select matches((select body from told), '"workflow_poll":.*"activity_poll":', 'in this order');

select * from finish();
rollback;
