begin;
select plan(2);
set local role byssus_owner;

select register_sticky();
select leased_run();
select is((byssus.sticky_refusal(the_run(), the_task(), the_registration(), sticky_cache())).outcome, null, 'all of it');
select is(
    (byssus.sticky_refusal(
        the_run(), the_task(), the_registration(), sticky_cache(run(), '{"history_last_sequence":99}')
    )).outcome, null, 'a boundary beyond what was delivered is not refused, but never believed'
);

select * from finish();
rollback;
