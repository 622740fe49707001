begin;
select plan(4);
set local role byssus_owner;

select waiting_run('wf', schedule(), timer());
select waiting_run('other', schedule(), timer());
select byssus.close_run(the_run(), moment(), 'cancelled', 'cancelled', '{}', '{}', 'Ended', '{}', false);
select is((the_activity(run('other'))).status, 'pending', 'its activity');
select is((the_timer(run('other'), 2)).position, 2, 'its timer');
select is((the_run(run('other'))).status, 'waiting', 'its status');
select is(cardinality(events(run('other'))), 3, 'its history');

select * from finish();
rollback;
