begin;
select plan(8);
set local role byssus_owner;

select is(byssus.workflow_task_number('01b8dac5-b400-76a0-a7e0-fa92ca3bf6a8:k12'), 12::bigint, 'run id, k, number');
select is(byssus.workflow_task_number('01b8dac5-b400-76a0-a7e0-fa92ca3bf6a8:a12'), null, 'an activity task id is none');
select is(byssus.workflow_task_number('01b8dac5-b400-76a0-a7e0-fa92ca3bf6a8:k9999999999999999999'), null, 'too many digits');
select is(byssus.workflow_task_number('k12'), null, 'no run id');
select is(byssus.workflow_task_number(repeat('x', 36) || ':k12'), null, 'of its length, but no run id');
select is(byssus.workflow_task_number('01b8dac5-b400-76a0-a7e0-fa92ca3bf6:k12:k12'), null, 'a shorter run id');
select is(byssus.workflow_task_number('01b8dac5-b400-76a0-a7e0-fa92ca3bf6a8:k12' || chr(10)), null, 'something after it');
select is(byssus.workflow_task_number(null), null, 'nothing');

select * from finish();
rollback;
