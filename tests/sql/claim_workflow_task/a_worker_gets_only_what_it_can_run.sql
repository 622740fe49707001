begin;
select plan(3);
set local role byssus_app;

select register('types', '{"workflow_types":["other"]}');
select register('build', '{"build_id":"b2"}');
select register('right', '{"build_id":"b1"}');
select start('wf', '{"build_id":"b1"}');
select is((claim('types', 'p')).outcome, 'empty', 'another workflow type');
select is((claim('build', 'p')).outcome, 'empty', 'another build');
select is((claim('right', 'p')).outcome, 'leased', 'its own');

select * from finish();
rollback;
