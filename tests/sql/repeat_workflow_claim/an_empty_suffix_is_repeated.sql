begin;
select plan(1);
set local role byssus_owner;

select retained_run();
select signal();
update byssus.affinities set reported_sequence = 3, delivered_sequence = 3;
create temporary table first as select body from claim('w1', 'p2');
select is(
    (byssus.repeat_workflow_claim(poll('w1', 'p2') -> 0, the_registration(), moment())).body, (select body from first),
    'nothing, once more'
);

select * from finish();
rollback;
