begin;
select plan(3);
set local role byssus_owner;

select running_activity();
create function pg_temp.refusal(p_status text) returns text language plpgsql as $$
declare
    v_run byssus.runs := byssus_test.the_run();
begin
    v_run.status := p_status;
    v_run.closed_at := now();
    return byssus.activity_refusal(v_run, byssus_test.the_activity(), byssus_test.attempt(), 'w2', now());
end;
$$;
select is(pg_temp.refusal('cancelled'), 'run_cancelled', 'a cancelled run');
select is(pg_temp.refusal('terminated'), 'run_terminated', 'a terminated run');
select is(pg_temp.refusal('completed'), 'run_closed', 'a run that has ended in another way');

select * from finish();
rollback;
