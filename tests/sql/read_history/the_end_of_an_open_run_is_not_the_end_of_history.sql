begin;
select plan(3);
set local role byssus_app;

select waiting_run('wf', timer());
select is((byssus.read_history('default', 'wf', run(), 2, 10)).outcome, 'end_of_page', 'more may come');
select byssus.cancel_run('default', 'wf', null, null, null, 'd');
select is((byssus.read_history('default', 'wf', run(), 2, 10)).outcome, 'page', 'more came');
select is((byssus.read_history('default', 'wf', run(), 5, 10)).outcome, 'end_of_history', 'now nothing will');

select * from finish();
rollback;
