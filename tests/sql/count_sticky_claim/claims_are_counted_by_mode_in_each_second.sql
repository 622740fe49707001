begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.counted() returns text language sql as $$
    select string_agg(
        concat_ws(
            ' ', to_char(c.counted_at at time zone 'UTC', 'SS'), c.namespace, c.hit_expected, c.forced_cold_replay,
            c.cold_replay, c.suffix_tasks, c.suffix_events_saved, c.suffix_bytes_saved
        ), ', ' order by c.counted_at, c.namespace
    ) from byssus.sticky_counts as c
$$;
select byssus.count_sticky_claim('default', 'cold_replay', 0, null, moment());
select is(pg_temp.counted(), '00 default 0 0 1 0 0 0', 'a cold run');
select byssus.count_sticky_claim('default', 'forced_cold_replay', 0, 500, moment(0.9));
select is(pg_temp.counted(), '00 default 0 1 1 0 0 0', 'full history saves nothing');
select byssus.count_sticky_claim('default', 'sticky_hit_expected', 7, 300, moment());
select byssus.count_sticky_claim('default', 'sticky_hit_expected', 5, 200, moment());
select byssus.count_sticky_claim('default', 'sticky_hit_expected', 0, 900, moment());
select is(pg_temp.counted(), '00 default 3 1 1 2 12 500', 'suffixes save what they leave out');
select byssus.count_sticky_claim('default', 'cold_replay', 0, null, moment(1));
select byssus.count_sticky_claim('another', 'cold_replay', 0, null, moment(1));
select is(
    pg_temp.counted(), '00 default 3 1 1 2 12 500, 01 another 0 0 1 0 0 0, 01 default 0 0 1 0 0 0',
    'each second and each namespace has its own'
);
select is((select count(distinct connection_number) from byssus.sticky_counts), 1::bigint, 'as has each connection');

select * from finish();
rollback;
