begin;
select plan(1);
set local role byssus_owner;

select is(byssus.empty_poll(), ('empty', '{"task":null,"poll_status":"empty"}', null)::byssus.answer, 'a null task');

select * from finish();
rollback;
