begin;
select plan(2);
set local role byssus_owner;

select is(byssus.ready_hint('workflow', 'default', 'q"1'), '["workflow","default","q\"1"]', 'escaped');
select is(
    byssus.ready_hint('activity', 'default', 'q', moment(1)), '["activity","default","q","2030-01-01T00:00:01.000000Z"]',
    'with the time from which it can be claimed'
);

select * from finish();
rollback;
