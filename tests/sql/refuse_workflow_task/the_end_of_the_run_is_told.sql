begin;
select plan(4);
set local role byssus_owner;

select leased_run();
create function pg_temp.refused(p_status text) returns jsonb language plpgsql as $$
declare
    v_run byssus.runs := byssus_test.the_run();
begin
    v_run.status := p_status;
    return (byssus.refuse_workflow_task('default', 'run_closed', v_run, 't', 1)).body;
end;
$$;
select is(pg_temp.refused('cancelled') ->> 'run_status', 'cancelled', 'its status');
select is(pg_temp.refused('cancelled') ->> 'cancel_requested', 'true', 'a cancellation');
select is(pg_temp.refused('terminated') ->> 'cancel_requested', 'true', 'a termination');
select is(pg_temp.refused('completed') -> 'cancel_requested', null, 'a completion is none');

select * from finish();
rollback;
