begin;
select plan(5);
set local role byssus_owner;

select running_activity();
create temporary table refused as
select outcome, body::jsonb as body
from byssus.refuse_activity('default', 'stale_attempt', the_run(), 'the task', 'the attempt', 'w1');
select is((select outcome from refused), 'stale_attempt', 'the reason');
select is((select body ->> 'recorded' from refused), 'false', 'nothing was recorded');
select is((select body ->> 'can_continue' from refused), 'false', 'the activity should stop');
select is((select body ->> 'cancel_requested' from refused), 'false', 'but nobody cancelled it');
select is((select body ->> 'run_status' from refused), 'waiting', 'the run goes on');

select * from finish();
rollback;
