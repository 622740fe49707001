begin;
select plan(4);
set local role byssus_owner;

select leased_run();
select byssus.append_history(run(), 1, moment(), array['A'], array['{}']);
select throws_ok(
    $$select byssus.append_history(run(), 1, moment(), array['B'], array['{}'])$$, 'BY003', null,
    'a sequence that is behind'
);
select throws_ok(
    $$select byssus.append_history(run(), 9, moment(), array['B'], array['{}'])$$, 'BY003', null,
    'a sequence that is ahead'
);
select throws_ok(
    $$select byssus.append_history('no such run', 0, moment(), array['B'], array['{}'])$$, 'BY003', null,
    'a run that does not exist'
);
select is(events(), array['WorkflowStarted', 'A'], 'nothing was written');

select * from finish();
rollback;
