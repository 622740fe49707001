begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', leaf(schedule(), 1, 0, 2), leaf(schedule(), 1, 1, 2));
select byssus.retry_or_close_activity(the_run(), the_activity(run(), 2), moment(), false, 'failed', 'Failed', '');
select is(the_task(), null, 'the other leaf is still open');
select byssus.retry_or_close_activity(the_run(), the_activity(run(), 1), moment(), false, 'failed', 'Failed', '');
select is((the_task()).status, 'ready', 'now the group has ended');
select is(
    payload('Failed', 2) ->> 'parallel_group_index', '0', 'each event carries the members of its group'
);

select * from finish();
rollback;
