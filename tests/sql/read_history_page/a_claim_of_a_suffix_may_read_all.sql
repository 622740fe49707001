begin;
select plan(2);
set local role byssus_app;

select retained_run();
select signal();
select claim('w1', 'p2');
create temporary table page as
select body::jsonb as body from byssus.read_history_page('default', task(), 'w1', 1, 0, 100);
select is((select body #>> '{history_events,0,sequence}' from page), '1', 'from the beginning');
select is((select jsonb_array_length(body -> 'history_events') from page), 3, 'to the end');

select * from finish();
rollback;
