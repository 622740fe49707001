begin;
select plan(2);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_workflow_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging('w1', '{"workflow_types":["other"]}');
select start();
select is((pg_temp.carry()).body::jsonb #>> '{workflow_poll,poll_status}', 'empty', 'nothing for this worker');
select is((the_task()).status, 'ready', 'another may have it');

select * from finish();
rollback;
