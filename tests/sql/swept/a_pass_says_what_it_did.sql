begin;
select plan(3);
set local role byssus_owner;

select is(
    byssus.swept(2, true, array['["a"]', '["b"],["c"]']),
    ('swept', '{"count":2,"more":true}', '[["a"],["b"],["c"]]')::byssus.answer, 'count, more, hints'
);
select is((byssus.swept(0, false, '{}')).hints, null, 'no hints are none at all');
select is((byssus.swept(1, false, array[null])).hints, null, 'what wakes nobody gives none either');

select * from finish();
rollback;
