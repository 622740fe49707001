begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', wait_for('paid', 5));
update byssus.runs set open_wait_position = null, open_wait_fields = null where run_id = run();
select is(byssus.fire_timer(the_run(), the_timer(), moment(5)), '', 'nobody is told');
select is((events())[4:], '{}', 'nothing is recorded');
select is(the_task(), null, 'nobody is woken');

select * from finish();
rollback;
