"""What a worker that holds a run in its cache has not seen of the run's history, if it is one page at most.

run_id        the run.
registration  the registration of the worker.
after         through which history sequence the worker says that it holds the run; None: it does not ask.
through       the last sequence that it is to be given; None: no more than has been delivered to it already.
now           the moment.
Result        {after_sequence, last_sequence, events}; None when it is not asked for, when the affinity is not
              the worker's, or ends before `after`, or when there is more than a page.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Affinity, Registration
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.history_page import history_page

_PAGE_SIZE = 500


def history_tail(
    session: Session,
    run_id: str,
    registration: Registration,
    after: int | None,
    through: int | None,
    now: str,
) -> str | None:
    """The rest of a run's history for the worker that holds the run, or None."""
    if after is None:
        return None
    affinity = session.one(
        Affinity,
        "select * from affinities where run_id = ? and sticky_worker_id = ? and registration_token = ?"
        " and sticky_until > ? and delivered_sequence >= ?",
        (run_id, registration.worker_id, registration.registration_token, now, after),
    )
    if affinity is None:
        return None
    last = affinity.delivered_sequence if through is None else through
    page = history_page(session, run_id, after, last, _PAGE_SIZE)
    if page.token is not None:
        return None
    return f'{{"after_sequence":{after},"last_sequence":{last},"events":[{page.events}]}}'
