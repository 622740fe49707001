begin;
select plan(9);
set local role byssus_owner;

select retained_run();
create function pg_temp.after(
    p_affinity jsonb default '{}', p_registration jsonb default '{}', p_mode text default 'sticky_hit_expected',
    p_last bigint default 15
) returns bigint language sql as $$
    select byssus.select_history_suffix(
        jsonb_populate_record(
            byssus_test.the_affinity(), '{"reported_sequence":12,"delivered_sequence":12}'::jsonb || p_affinity
        ),
        jsonb_populate_record(byssus_test.the_registration(), p_registration), p_mode, p_last
    )
$$;
select is(pg_temp.after(), 12::bigint, 'all five hold');
select is(pg_temp.after(p_mode => 'forced_cold_replay'), 0::bigint, '1: no hit is expected');
select is(pg_temp.after(p_mode => 'cold_replay'), 0::bigint, '1: nor of a cold run');
select is(pg_temp.after(p_registration => '{"sticky_history_suffix":false}'), 0::bigint, '2: the worker takes no suffix');
select is(pg_temp.after('{"reported_sequence":null}'), 0::bigint, '3: it reported no boundary');
select is(pg_temp.after('{"delivered_sequence":11}'), 0::bigint, '4: that was not delivered to it');
select is(pg_temp.after(p_last => 11), 0::bigint, '5: the run does not reach so far');
select is(pg_temp.after('{"reported_sequence":-1}'), 0::bigint, '5: nor does it begin before its first event');
select is(
    byssus.select_history_suffix(null, the_registration(), 'sticky_hit_expected', 15), 0::bigint, 'no affinity, no suffix'
);

select * from finish();
rollback;
