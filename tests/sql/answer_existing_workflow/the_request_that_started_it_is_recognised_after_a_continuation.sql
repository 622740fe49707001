begin;
select plan(3);
set local role byssus_owner;

select register();
select byssus.start_run('default', 'wf', 'order', 'q', 'fail', 'r1', 'd', start_options());
create temporary table old as select run() as run_id;
select claim();
select complete(run(), continues('{"workflow_type":"other"}'));
create temporary table answered as
select outcome, body::jsonb as body
from byssus.answer_existing_workflow('default', 'wf', 'order', 'fail', 'r1', 'd');
select is((select outcome from answered), 'started_new', 'it did start it');
select is((select body ->> 'run_id' from answered), (select run_id from old), 'as its first run');
select is((select body ->> 'workflow_type' from answered), 'order', 'of the type that it asked for');

select * from finish();
rollback;
