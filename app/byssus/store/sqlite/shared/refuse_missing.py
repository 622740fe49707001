"""The refusal of something that was not found: the namespace, if that is what is missing.

namespace  the namespace of the request.
reason     what to answer when the namespace exists.
members    more members of the body, with a leading comma.
Result     the refusal: namespace_not_found or `reason`.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse import refuse


def refuse_missing(session: Session, namespace: str, reason: str, members: str = "") -> Answer:
    """A not-found refusal that tells a missing namespace from a missing row."""
    if session.exists("select 1 from namespaces where name = ?", (namespace,)):
        return refuse(reason, members)
    return refuse("namespace_not_found", f',"namespace":{json_string(namespace)}')
