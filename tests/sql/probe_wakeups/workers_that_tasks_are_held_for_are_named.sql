begin;
select plan(5);
set local role byssus_app;

select register_sticky('w"2');
select retained_run('a');
select retained_run('b');
select start('c');
select claim('w"2', 'p');
select retain(run('c'), '{}', wait_for());
select signal('go', 'a');
select signal('go', 'b');
select signal('go', 'c');
create function pg_temp.probed(p_hold_seconds integer, p_queues json default '[["workflow","default","q"]]')
returns text language sql as 'select (byssus.probe_wakeups(p_queues, ''[]'', p_hold_seconds)).body';
select is(
    pg_temp.probed(5),
    '{"ready":[],"held":[["workflow","default","q","w\"2"],["workflow","default","q","w1"]],"grown":[]}', 'each once'
);
select is(pg_temp.probed(0), '{"ready":[],"held":[],"grown":[]}', 'holds of nothing need no look');
select is(pg_temp.probed(4), '{"ready":[],"held":[],"grown":[]}', 'nor does anyone look behind a longer hold');
select is(
    pg_temp.probed(5, '[["activity","default","q"],["workflow","default","q2"],["workflow","elsewhere","q"]]'),
    '{"ready":[],"held":[],"grown":[]}', 'of the queues that were asked for'
);
select pass_time(5);
select is(
    pg_temp.probed(5), '{"ready":[["workflow","default","q"]],"held":[],"grown":[]}', 'when the hold is over any may come'
);

select * from finish();
rollback;
