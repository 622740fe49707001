begin;
select plan(6);
set local role byssus_owner;

select waiting_run('wf', wait_for('paid', 60));
create function pg_temp.keeps(p_command jsonb) returns boolean language sql as
'select byssus.keeps_open_wait(byssus_test.the_run(), json_build_array(p_command))';
select is(pg_temp.keeps(wait_for('paid', 60)), true, 'the same key and timeout');
select is(pg_temp.keeps(wait_for('sent', 60)), false, 'another key');
select is(pg_temp.keeps(wait_for('paid', 61)), false, 'another timeout');
select is(pg_temp.keeps(timer()), false, 'another command');
select is(byssus.keeps_open_wait(the_run(), json_build_array(timer(), wait_for('paid', 60))), false, 'not first');
select signal();
select is(pg_temp.keeps(wait_for('paid', 60)), false, 'there is news');

select * from finish();
rollback;
