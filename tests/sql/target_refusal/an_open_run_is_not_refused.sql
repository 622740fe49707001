begin;
select plan(1);
set local role byssus_owner;

select start();
select is((byssus.target_refusal(the_run(), 'default', 'wf', null)).outcome, null, 'it may be acted on');

select * from finish();
rollback;
