begin;
select plan(3);
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
create trigger broken before update on byssus.workflow_tasks for each row execute function byssus_test.breaks();
create temporary table told as select * from pg_temp.carry(
    jsonb_build_object('workflow_poll', carried_poll('a'), 'activity_poll', carried_poll('b'))
);
select is((select body::jsonb #>> '{workflow_poll,poll_status}' from told), 'failed', 'one failed');
select is((select body::jsonb #>> '{activity_poll,poll_status}' from told), 'leased', 'the other did not');
select is((select hints from told), '[["run","r"],["failed","workflow_poll","BY999"]]', 'the log is told');

select * from finish();
rollback;
