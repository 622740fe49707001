begin;
select plan(2);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_activity_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select waiting_run('wf', schedule(), schedule());
select claim_activity('w1', 'next');
select is((pg_temp.carry()).body::jsonb #>> '{activity_poll,task,task_id}', activity(), 'the claim from before');
select is((the_activity(run(), 2)).status, 'pending', 'and no second one');

select * from finish();
rollback;
