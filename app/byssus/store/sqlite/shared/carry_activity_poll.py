"""Claims an activity for the poll that a completion carries.

A worker that holds the history of the completed run goes on with that run first, and gets the rest of its
history with the activity.

A speculative part: in a savepoint of its own. What fails in it is undone alone.

run           the run as the completion has left it.
registration  the registration of the worker that calls.
poll          the poll (see claim_activity_task), and history_after_sequence?.
now           the moment.
answer        the completion's answer.
Result        the answer with the member activity_poll: the ordinary answer of a poll, with history_tail if
              that was asked for and can be had; or poll_status failed.
Writes        activities, affinities.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import CarriedPoll
from byssus.store.sqlite.rows import Registration, Run
from byssus.store.sqlite.session import PartFailed, Session
from byssus.store.sqlite.shared.claimable_activity import claimable_activity
from byssus.store.sqlite.shared.empty_poll import empty_poll
from byssus.store.sqlite.shared.failure_hint import failure_hint
from byssus.store.sqlite.shared.grant_activity import grant_activity
from byssus.store.sqlite.shared.history_tail import history_tail
from byssus.store.sqlite.shared.lease_activity import lease_activity
from byssus.store.sqlite.shared.polled_activity import polled_activity
from byssus.store.sqlite.shared.ready_hint import ready_hint
from byssus.store.sqlite.shared.refuse_poll import refuse_poll
from byssus.store.sqlite.shared.repeat_activity_claim import repeat_activity_claim
from byssus.store.sqlite.shared.with_part import with_part
from byssus.store.sqlite.shared.with_tail import with_tail
from byssus.store.sqlite.shared.without_hint import without_hint


def carry_activity_poll(
    session: Session, run: Run, registration: Registration, poll: CarriedPoll, now: str, answer: Answer
) -> Answer:
    """Claim an activity for a carried poll, in a savepoint of its own."""
    try:
        with session.part():
            return _claimed(session, run, registration, poll, now, answer)
    except PartFailed as failed:
        answer = failure_hint(answer, "activity_poll", str(failed))
        return with_part(answer, "activity_poll", '{"task":null,"poll_status":"failed"}')


def _claimed(
    session: Session, run: Run, registration: Registration, poll: CarriedPoll, now: str, answer: Answer
) -> Answer:
    claim = refuse_poll(session, poll, registration)
    if claim is None:
        claim = repeat_activity_claim(session, poll, now)
    if claim is None and poll.history_after_sequence is not None:
        activity = claimable_activity(session, run.run_id, registration, now)
        if activity is not None:
            claim = grant_activity(session, poll, registration, activity, now)
    if claim is None:
        claim = lease_activity(session, poll, registration, now)

    tail = None
    activity = None
    if claim is not None and claim.outcome == "leased":
        activity = polled_activity(session, poll, run.run_id, now)
    if activity is not None:
        if activity.available_at == now:
            answer = without_hint(answer, ready_hint("activity", activity.namespace, activity.task_queue))
        tail = history_tail(
            session, run.run_id, registration, poll.history_after_sequence, run.last_history_sequence, now
        )
    if tail is not None:
        session.execute(
            "update affinities set delivered_sequence = ? where run_id = ?",
            (run.last_history_sequence, run.run_id),
        )
    return with_part(answer, "activity_poll", with_tail((claim or empty_poll()).body, tail))
