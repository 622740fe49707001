begin;
select plan(9);
set local role byssus_owner;

select is(byssus.activity_position('01b8dac5-b400-76a0-a7e0-fa92ca3bf6a8:a12'), 12, 'run id, a, position');
select is(byssus.activity_position('01b8dac5-b400-76a0-a7e0-fa92ca3bf6a8:k12'), null, 'a workflow task id is none');
select is(byssus.activity_position('01b8dac5-b400-76a0-a7e0-fa92ca3bf6a8:a1.1'), null, 'an attempt id is none');
select is(byssus.activity_position('01b8dac5-b400-76a0-a7e0-fa92ca3bf6a8:a9999999999'), null, 'too many digits');
select is(byssus.activity_position('a12'), null, 'no run id');
select is(byssus.activity_position(repeat('x', 36) || ':a12'), null, 'of its length, but no run id');
select is(byssus.activity_position('01b8dac5-b400-76a0-a7e0-fa92ca3bf6:a12:a12'), null, 'a shorter run id');
select is(byssus.activity_position('01b8dac5-b400-76a0-a7e0-fa92ca3bf6a8:a12' || chr(10)), null, 'something after it');
select is(byssus.activity_position(null), null, 'nothing');

select * from finish();
rollback;
