begin;
select plan(2);
set local role byssus_owner;

select leased_run();
select throws_ok(
    $$insert into byssus.history_events values (run(), 7, 'X', now(), '{}')$$, 'BY001',
    'history of run ' || run() || ' cannot take events 7 to 7: its last sequence is 1',
    'the run, the numbers and where its history ends'
);
select throws_ok(
    $$insert into byssus.history_events values ('nobody', 1, 'X', now(), '{}')$$, 'BY001',
    'history of run nobody cannot take events 1 to 1: its last sequence is unknown',
    'a run that does not exist has no history'
);

select * from finish();
rollback;
