begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_workflow_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select start();
create trigger broken before update on byssus.workflow_tasks for each row execute function byssus_test.breaks();
create temporary table told as select * from pg_temp.carry('[["run","r"],["workflow","default","q"]]');
select is((select outcome from told), 'completed', 'the completion stands');
select is(
    (select body from told), '{"outcome":"completed","workflow_poll":{"task":null,"poll_status":"failed"}}',
    'the part says that it failed'
);
select is(
    (select hints from told), '[["run","r"],["workflow","default","q"],["failed","workflow_poll","BY999"]]',
    'others are called for the task, and the log is told why'
);
select is((the_liveness()).polling_until, null, 'what it had written is undone');
select is(rows_of('sticky_counts'), 0::bigint, 'all of it');

select * from finish();
rollback;
