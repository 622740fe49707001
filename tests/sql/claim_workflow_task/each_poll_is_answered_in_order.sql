begin;
select plan(1);
set local role byssus_app;

select register();
select register('w2');
select start('wf');
create temporary table answered as
select a.outcome, a.number from byssus.claim_workflow_task(
    (select json_agg(p) from (
        select json_array_elements(poll('stranger', 'a')) as p union all
        select json_array_elements(poll('w1', 'b')) union all
        select json_array_elements(poll('w2', 'c'))
    ) as polls)
) with ordinality as a (outcome, body, hints, number);
select is(
    (select array_agg(outcome order by number) from answered), array['worker_not_registered', 'leased', 'empty'],
    'one refusal, one task, one empty poll'
);

select * from finish();
rollback;
