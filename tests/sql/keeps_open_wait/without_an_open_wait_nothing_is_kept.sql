begin;
select plan(1);
set local role byssus_owner;

select waiting_run('wf', timer());
select is(byssus.keeps_open_wait(the_run(), json_build_array(wait_for())), false, 'it is a new wait');

select * from finish();
rollback;
