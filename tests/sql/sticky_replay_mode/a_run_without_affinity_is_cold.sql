begin;
select plan(1);
set local role byssus_owner;

select register_sticky();
select is(byssus.sticky_replay_mode(null, the_registration(), 1, moment()), 'cold_replay', 'nobody holds it');

select * from finish();
rollback;
