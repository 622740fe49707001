begin;
select plan(2);
set local role byssus_owner;

select leased_run();
select byssus.record_receipt(run(), 'k1.1', 'w1', 'd', moment(), ('completed', '{"a":1}', '["x"]')::byssus.answer);
select is(
    (byssus.repeated_answer(run(), 'k1.1', 'w1', 'd', 'conflict', '')), ('completed', '{"a":1}', null)::byssus.answer,
    'they were given'
);
select throws_ok(
    $$select byssus.record_receipt(run(), 'k1.1', 'w1', 'd', moment(), ('x', '{}', null)::byssus.answer)$$, '23505', null,
    'a thing is answered once'
);

select * from finish();
rollback;
