begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', schedule() - 'arguments');
select claim_activity();
select is((byssus.leased_activity(the_activity())).body::jsonb #> '{task,arguments}', 'null', 'which is there');
select is((byssus.leased_activity(the_activity())).body::jsonb #> '{task,retry_policy}', null, 'a policy is not');

select * from finish();
rollback;
