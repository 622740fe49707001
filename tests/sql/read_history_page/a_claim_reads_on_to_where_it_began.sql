begin;
select plan(5);
set local role byssus_app;

select waiting_run('wf', timer(1), timer(2), timer(3));
select signal();
select claim('w1', 'p2');
create temporary table page as
select outcome, body::jsonb as body from byssus.read_history_page('default', task(), 'w1', 1, 2, 2);
select is((select outcome from page), 'page', 'its holder may read');
select is((select body #>> '{history_events,0,sequence}' from page), '3', 'from where it asked');
select is((select jsonb_array_length(body -> 'history_events') from page), 2, 'as much as it asked');
select is((select body ->> 'next_history_page_token' from page), 'NA==', 'and on from there');
select is((select body ->> 'total_history_events' from page), '5', 'to the end of what was claimed');

select * from finish();
rollback;
