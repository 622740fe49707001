begin;
select plan(5);
set local role byssus_app;

select waiting_run('wf', timer(1), timer(2), timer(3));
create temporary table page as
select outcome, body::jsonb as body from byssus.read_history('default', 'wf', run(), 0, 3);
select is((select outcome from page), 'page', 'there are events');
select is((select jsonb_array_length(body -> 'events') from page), 3, 'as many as were asked for');
select is((select body ->> 'next_page_token' from page), 'Mw==', 'the token is the last sequence');
create temporary table rest as
select outcome, body::jsonb as body from byssus.read_history('default', 'wf', run(), 3, 3);
select is((select body #>> '{events,0,sequence}' from rest), '4', 'the next page goes on there');
select is((select body -> 'next_page_token' from rest), 'null', 'and is the last');

select * from finish();
rollback;
