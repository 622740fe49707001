begin;
select plan(2);
set local role byssus_owner;

select running_activity();
create function pg_temp.refusal(p_later numeric) returns text language plpgsql as $$
declare
    v_run byssus.runs := byssus_test.the_run();
begin
    v_run.deadline_at := byssus_test.moment(30);
    return byssus.activity_refusal(
        v_run, byssus_test.the_activity(), byssus_test.attempt(), 'w1', byssus_test.moment(p_later)
    );
end;
$$;
select is(pg_temp.refusal(29), null, 'before it');
select is(pg_temp.refusal(30), 'run_timed_out', 'from then on');

select * from finish();
rollback;
