begin;
select plan(5);
set local role byssus_owner;

select leased_run();
select byssus.end_workflow_lease(the_run(), moment(), moment(9));
select is((the_task()).status, 'ready', 'ready');
select is((the_task()).available_at, moment(9), 'when it was said');
select is((the_task()).lease_owner, null, 'nobody holds it');
select is((the_task()).poll_request_id, null, 'no poll can get it again');
select is((the_task()).attempt, 1, 'its attempt is raised by the next claim');

select * from finish();
rollback;
