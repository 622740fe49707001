begin;
select plan(3);
set local role byssus_owner;

select leased_run();
select byssus.append_history(
    run(), 1, moment(), array['Small', 'Big', 'Small', 'Small'],
    array['{}', '{"x":"' || repeat('x', 4200000) || '"}', '{}', '{}']
);
select is((byssus.history_page(run(), 0, 5, 100)).last, 2::bigint, 'it ends before it passes 4 MiB');
select is((byssus.history_page(run(), 2, 5, 100)).last, 3::bigint, 'a big event is a page of its own');
select is((byssus.history_page(run(), 3, 5, 100)).last, 5::bigint, 'and the rest is another');

select * from finish();
rollback;
