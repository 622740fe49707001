begin;
select plan(2);
set local role byssus_owner;

select is(
    byssus.failure_hint('[["run","r"]]', 'workflow_poll', '40P01'), '[["run","r"],["failed","workflow_poll","40P01"]]',
    'behind the others'
);
select is(
    byssus.failure_hint('[]', 'activity_poll', 'BY003'), '[["failed","activity_poll","BY003"]]', 'or as the only one'
);

select * from finish();
rollback;
