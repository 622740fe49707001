begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', schedule(), timer());
select byssus.close_run(
    the_run(), moment(), 'completed', 'completed', array['Last'], array['{}'], 'Ended', '{}', true
);
select is((events())[4:], array['Last', 'Ended'], 'no cancellations: workflow code left them behind knowingly');
select is((the_activity()).status, 'cancelled', 'open activities are cancelled all the same');
select is(rows_of('timers'), 0::bigint, 'and timers are gone');

select * from finish();
rollback;
