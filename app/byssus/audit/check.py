"""What a check is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold, and the query that finds where it does not.

    `code` is stable: scripts may rely on it. `sentence` tells people what is wrong.

    `query` gives one row per finding, as one text for all engines, from the audit views alone. Its columns
    `namespace`, `workflow_id`, `run_id` and `worker_id` say what a finding is about (the first is always
    there, though it may be null); the others are details under their own names. A query `by_run` looks at the
    runs after `:after` up to `:upto` alone, so that what it takes is bounded; the others read tables that
    have a row per worker or workflow, by their keys.
    """

    code: str
    sentence: str
    query: str
    by_run: bool = True
