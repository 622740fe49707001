begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', wait_for());
create function pg_temp.event(p_fields text) returns text language plpgsql as $$
declare
    v_run byssus.runs := byssus_test.the_run();
begin
    v_run.open_wait_fields := p_fields;
    return byssus.condition_wait_event(v_run);
end;
$$;
select is(
    pg_temp.event('{"condition_key":"a  b"}'),
    '{"sequence":1,"condition_wait_id":"' || run() || ':w1","condition_key":"a  b"}', 'behind position and id'
);
select is(pg_temp.event('{}'), '{"sequence":1,"condition_wait_id":"' || run() || ':w1"}', 'which are always there');

select * from finish();
rollback;
