begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', wait_for());
select is(
    byssus.misplaced_command(the_run(), json_build_array(wait_for(), leaf(timer(), 2, 0, 1))), null,
    'what follows it is next'
);
select signal();
select is(
    byssus.misplaced_command(the_run(), json_build_array(wait_for(), leaf(timer(), 3, 0, 1))), null,
    'with news it is a new wait and takes one'
);

select * from finish();
rollback;
