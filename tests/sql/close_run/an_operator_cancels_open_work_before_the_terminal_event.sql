begin;
select plan(9);
set local role byssus_owner;

select waiting_run('wf', schedule(), timer(), schedule());
select is(
    byssus.close_run(
        the_run(), moment(), 'cancelled', 'cancelled', array['Requested'], array['{}'], 'Ended', '{"why":"x"}', false
    ), 9::bigint, 'the answer is where history ends'
);
select is(
    (events())[5:],
    array['Requested', 'ActivityCancelled', 'TimerCancelled', 'ActivityCancelled', 'Ended'],
    'open work ends in the order in which it was authored, then the run'
);
select is((the_run()).status, 'cancelled', 'the run is closed');
select is((the_run()).closed_at, moment(), 'now');
select is((the_activity(run(), 1)).status, 'cancelled', 'an activity is cancelled');
select is((the_activity(run(), 3)).closed_at, moment(), 'and so is the other');
select is(rows_of('timers'), 0::bigint, 'no timer is left to fire');
select is(the_task(), null, 'no workflow task is left');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
