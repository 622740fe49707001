begin;
select plan(2);
set local role byssus_owner;

select leased_run();
select throws_ok(
    $$update byssus.history_events set wire = '{}' where run_id = run()$$, 'BY002',
    'history of run ' || run() || ' is immutable: update of event 1 refused', 'no event can be rewritten'
);
select throws_ok(
    $$delete from byssus.history_events where run_id = run()$$, 'BY002',
    'history of run ' || run() || ' is immutable: delete of event 1 refused', 'no event can be removed'
);

select * from finish();
rollback;
