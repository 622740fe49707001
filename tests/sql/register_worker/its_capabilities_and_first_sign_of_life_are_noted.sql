begin;
select plan(6);
set local role byssus_app;

select register('w1', '{"stale_seconds":20}');
select is((the_registration()).sticky_execution, false, 'it keeps no runs');
select is((the_registration()).sticky_history_suffix, false, 'and takes no suffixes');
select is((the_liveness()).stale_at, moment(20), 'it counts as alive for so long');
select register_sticky('w1', '{"stale_seconds":30}');
select is((the_registration()).sticky_execution, true, 'now it does');
select is((the_registration()).sticky_history_suffix, true, 'both');
select is((the_liveness()).stale_at, moment(30), 'for longer');

select * from finish();
rollback;
