begin;
select plan(1);
set local role byssus_owner;

select retained_run();
select signal();
update byssus.affinities set reported_sequence = 3, delivered_sequence = 3;
select byssus.grant_workflow_task(poll('w1', 'p2') -> 0, the_registration(), the_run(), moment());
select is((the_task()).delivered_sequence, 3::bigint, 'what its worker has stays delivered');

select * from finish();
rollback;
