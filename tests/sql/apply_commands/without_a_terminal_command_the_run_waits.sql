begin;
select plan(2);
set local role byssus_owner;

select leased_run();
create temporary table answered as
select * from byssus.apply_commands(the_run(), the_task(), json_build_array(timer(), schedule()), moment());
select is((select body::jsonb ->> 'run_status' from answered), 'waiting', 'the run waits');
select is(
    (select array_agg(e ->> 'sequence') from (values (payload('TimerScheduled')), (payload('ActivityScheduled'))) as v (e)),
    array['1', '2'], 'positions follow the order of the commands'
);

select * from finish();
rollback;
