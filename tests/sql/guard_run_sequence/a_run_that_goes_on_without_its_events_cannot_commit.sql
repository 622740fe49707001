begin;
select plan(3);
set local role byssus_owner;

select leased_run();
select throws_ok(
    $$update byssus.runs set last_history_sequence = 2 where run_id = run(); set constraints all immediate$$, 'BY003',
    'run ' || run() || ' says that its last history sequence is 2, its history ends at 1', 'ahead of its history'
);
select throws_ok(
    $$update byssus.runs set last_history_sequence = 0 where run_id = run(); set constraints all immediate$$, 'BY003',
    null, 'behind its history'
);
select lives_ok(
    $$select byssus.append_history(run(), 1, moment(), array['A'], array['{}']); set constraints all immediate$$,
    'append_history moves both'
);

select * from finish();
rollback;
