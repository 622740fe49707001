"""Makes the polls that a completion carries, after it: first for a workflow task, then for an activity.

run           the run as the completion has left it.
registration  the registration of the worker that calls.
carried       workflow_poll?, activity_poll?: polls as the claims take them (claim_workflow_task,
              claim_activity_task); activity_poll also with history_after_sequence?, and if_applied: only
              after a continuation that was applied.
is_continued  whether one was.
now           the moment.
answer        the completion's answer.
Result        the answer with a member per poll.
Writes        workflow_tasks, sticky_counts, worker_liveness, activities, affinities.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Carried
from byssus.store.sqlite.rows import Registration, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.carry_activity_poll import carry_activity_poll
from byssus.store.sqlite.shared.carry_workflow_poll import carry_workflow_poll
from byssus.store.sqlite.shared.empty_poll import empty_poll
from byssus.store.sqlite.shared.with_part import with_part


def carry_polls(
    session: Session,
    run: Run,
    registration: Registration,
    carried: Carried,
    is_continued: bool,
    now: str,
    answer: Answer,
) -> Answer:
    """Make the polls that a completion carries, each in a savepoint of its own."""
    poll = carried.workflow_poll
    if poll is not None:
        answer = carry_workflow_poll(session, run, registration, poll, now, answer)
    poll = carried.activity_poll
    if poll is not None and poll.if_applied and not is_continued:
        return with_part(answer, "activity_poll", empty_poll().body)
    if poll is not None:
        answer = carry_activity_poll(session, run, registration, poll, now, answer)
    return answer
