begin;
select plan(2);
set local role byssus_owner;

select is(
    byssus.swept(2, true, array['["a"]', '["b"],["c"]']),
    ('swept', '{"count":2,"more":true}', '[["a"],["b"],["c"]]')::byssus.answer, 'count, more, hints'
);
select is((byssus.swept(0, false, '{}')).hints, null, 'no hints are none at all');

select * from finish();
rollback;
