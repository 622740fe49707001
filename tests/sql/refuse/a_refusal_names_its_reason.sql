begin;
select plan(2);
set local role byssus_owner;

select is(byssus.refuse('no_way'), ('no_way', '{"reason":"no_way"}', null)::byssus.answer, 'as outcome and in its body');
select is((byssus.refuse('no_way', ',"a":1')).body, '{"reason":"no_way","a":1}', 'with more members');

select * from finish();
rollback;
