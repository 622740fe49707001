begin;
select plan(1);
set local role byssus_app;

select register_sticky();
select register_sticky('w2');
select retained_run();
select signal();
create temporary table answered as
select a.outcome, a.number from byssus.claim_workflow_task(
    (select json_agg(p) from (
        select json_array_elements(poll('w2', 'a')) as p union all
        select json_array_elements(poll('w1', 'b'))
    ) as polls)
) with ordinality as a (outcome, body, hints, number);
select is((select array_agg(outcome order by number) from answered), array['empty', 'leased'], 'whoever polls first');

select * from finish();
rollback;
