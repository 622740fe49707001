begin;
select plan(3);
set local role byssus_owner;

select throws_ok('truncate byssus.history_events', 'BY002', null, 'refused while a run exists') from leased_run();
select throws_ok('truncate byssus.history_events cascade', 'BY002', null, 'cascade does not help');
delete from byssus.runs;
select lives_ok('truncate byssus.history_events', 'without runs there is nothing to guard');

select * from finish();
rollback;
