begin;
select plan(1);
set local role byssus_app;

select register();
select start('old', '{"priority":5}');
select pass_time(1);
select start('young', '{"priority":5}');
select start('urgent', '{"priority":1}');
create temporary table claimed as
select p as poll, (claim('w1', p)).body::jsonb #>> '{task,workflow_id}' as workflow from unnest(array['1', '2', '3']) as p;
select is(
    (select array_agg(workflow order by poll) from claimed), array['urgent', 'old', 'young'], 'by priority, then by age'
);

select * from finish();
rollback;
