begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', timer(1));
select signal();
select claim('w1', 'p2');
select byssus.append_history(run(), 3, moment(), array['Later'], array['{}']);
create temporary table page as
select body::jsonb as body from byssus.read_history_page('default', task(), 'w1', 1, 0, 100);
select is((select jsonb_array_length(body -> 'history_events') from page), 3, 'the page ends where the claim began');
select is((select body -> 'next_history_page_token' from page), 'null', 'and says that it is complete');

select * from finish();
rollback;
