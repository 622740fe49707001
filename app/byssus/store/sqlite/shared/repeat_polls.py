"""What the polls that a repeated completion carries were given, as far as that lives.

Nothing new is claimed.

run           the run.
registration  the registration of the worker that calls, or None.
carried       workflow_poll?, activity_poll? (see carry_polls).
now           the moment.
answer        the recorded answer.
Result        the answer with a member per poll.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Carried
from byssus.store.sqlite.rows import Registration, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.empty_poll import empty_poll
from byssus.store.sqlite.shared.history_tail import history_tail
from byssus.store.sqlite.shared.polled_activity import polled_activity
from byssus.store.sqlite.shared.repeat_activity_claim import repeat_activity_claim
from byssus.store.sqlite.shared.repeat_workflow_claim import repeat_workflow_claim
from byssus.store.sqlite.shared.with_part import with_part
from byssus.store.sqlite.shared.with_tail import with_tail


def repeat_polls(
    session: Session,
    run: Run,
    registration: Registration | None,
    carried: Carried,
    now: str,
    answer: Answer,
) -> Answer:
    """The claims that the polls of a repeated completion were given, as far as they live."""
    poll = carried.workflow_poll
    if poll is not None:
        claim = None if registration is None else repeat_workflow_claim(session, poll, registration, now)
        answer = with_part(answer, "workflow_poll", (claim or empty_poll()).body)
    poll = carried.activity_poll
    if poll is not None:
        tail = None
        claim = repeat_activity_claim(session, poll, now)
        if registration is not None and polled_activity(session, poll, run.run_id, now) is not None:
            tail = history_tail(session, run.run_id, registration, poll.history_after_sequence, None, now)
        answer = with_part(answer, "activity_poll", with_tail((claim or empty_poll()).body, tail))
    return answer
