begin;
select plan(2);
set local role byssus_owner;

select register();
select is((byssus.refuse_poll(poll() -> 0, the_registration())).outcome, null, 'a worker of this queue');
select register('w2', '{"build_id":"b1"}');
select is((byssus.refuse_poll(poll('w2') -> 0, the_registration('w2'))).outcome, null, 'a poll that names no build');

select * from finish();
rollback;
