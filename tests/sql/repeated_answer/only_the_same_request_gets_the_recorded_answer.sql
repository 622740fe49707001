begin;
select plan(5);
set local role byssus_owner;

insert into byssus.receipts values ('r', 's', 'w1', 'd', 'done', '{"a":1}', moment());
select is(byssus.repeated_answer('r', 's', 'w1', 'd', 'conflict', ''), ('done', '{"a":1}', null)::byssus.answer, 'the same');
select is((byssus.repeated_answer('r', 's', 'w1', 'e', 'conflict', '')).outcome, 'conflict', 'another body');
select is(
    (byssus.repeated_answer('r', 's', 'w2', 'd', 'conflict', ',"x":1')).body, '{"reason":"conflict","x":1}',
    'another caller'
);
select is((byssus.repeated_answer('r', 't', 'w1', 'd', 'conflict', '')).outcome, null, 'nothing was answered yet');
select is((byssus.repeated_answer('r', null, 'w1', 'd', 'conflict', '')).outcome, null, 'nor to a request without a name');

select * from finish();
rollback;
