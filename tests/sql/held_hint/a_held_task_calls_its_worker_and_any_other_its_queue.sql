begin;
select plan(3);
set local role byssus_owner;

select is(
    byssus.held_hint('default', 'q"', 'w1', moment(5), moment()),
    '["held","default","q\"","w1","2030-01-01T00:00:05.000000Z"]', 'while it is held'
);
select is(byssus.held_hint('default', 'q', 'w1', moment(), moment()), '["workflow","default","q"]', 'not held');
select is(byssus.held_hint('default', 'q', null, moment(), moment()), '["workflow","default","q"]', 'in no cache');

select * from finish();
rollback;
