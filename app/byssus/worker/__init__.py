"""The official SDK's worker, which a Byssus server need not ask as often, nor send the same history twice.

    from byssus.worker import Worker

It takes what `durable_workflow.Worker` takes and behaves like it, and with a server that offers it speaks

* `merged_transitions`: the completion of a task brings the next one, and that of an activity says what the
  workflow does with the result;
* `sticky_history_suffix`, with `sticky_cache_capacity` above zero: a workflow task brings only the events
  that the worker has not seen yet.

Needs the SDK, which the extra `byssus[worker]` installs.
"""

from byssus.worker.adapter import Worker

__all__ = ["Worker"]
