begin;
select plan(3);
set local role byssus_app;

select leased_run();
select complete(run(), schedule(), wait_for('paid', 60));
select claim_activity();
select byssus.complete_activity('default', activity(), attempt(), 'w1', null, 'd');
select claim('w1', 'p2');
select complete(run(), wait_for('paid', 60));
select is((events())[5:], array['ActivityCompleted'], 'nothing is recorded: the same wait goes on');
select is((the_run()).open_wait_position, 2, 'at its position');
select is((the_timer(run(), 2)).fire_at, moment(60), 'with its timeout');

select * from finish();
rollback;
