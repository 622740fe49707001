begin;
select plan(4);
set local role byssus_owner;

select leased_run();
select is(
    (byssus.record_local_activity(
        the_run(), json_build_object('outcome', e.outcome, 'fields', '{}', 'outcome_fields', '{}')
    )).types[2],
    e.event_type,
    e.outcome
)
from (
    values ('completed', 'ActivityCompleted'), ('failed', 'ActivityFailed'), ('timed_out', 'ActivityTimedOut'),
    ('cancelled', 'ActivityCancelled')
) as e (outcome, event_type);

select * from finish();
rollback;
