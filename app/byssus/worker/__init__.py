"""The official SDK's worker, which a Byssus server need not send the same history twice.

    from byssus.worker import Worker

It takes what `durable_workflow.Worker` takes and behaves like it, but with `sticky_cache_capacity` above zero
it speaks `sticky_history_suffix` with a server that offers it: a workflow task then brings only the events
that the worker has not seen yet. Needs the SDK, which the extra `byssus[worker]` installs.
"""

from byssus.worker.adapter import Worker

__all__ = ["Worker"]
