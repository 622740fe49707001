begin;
select plan(5);
set local role byssus_owner;

select leased_run();
select byssus.append_history(run(), 1, moment(), array['B', 'C'], array['{}', '{}']);
select is((byssus.history_page(run(), 0, 3, 2)).token, 'Mg==', 'base64 of the last sequence');
select is((byssus.history_page(run(), 0, 3, 2)).last, 2::bigint, 'which is told too');
select is((byssus.history_page(run(), 2, 3, 2)).token, null, 'none when the end is reached');
select is((byssus.history_page(run(), 0, 2, 2)).token, null, 'which is the bound, not the history');
select is((byssus.history_page(run(), 3, 3, 2)).last, null, 'an empty page has no last event');

select * from finish();
rollback;
