"""Why a completion's sticky_cache cannot be accepted.

The worker did not advertise what it uses, or speaks of another worker, run or build than the task's.

run           the run.
task          its leased task.
registration  the registration of the task's worker, or None.
sticky        sticky_cache: worker_id, workflow_id, run_id, build_id, history_last_sequence?;
              protocol_version.
Result        worker_capability_not_supported, validation_failed, sticky_cache_identity_mismatch; or None.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import StickyCache, text_of
from byssus.store.sqlite.rows import Registration, Run, WorkflowTask
from byssus.store.sqlite.shared.refuse import refuse


def sticky_refusal(
    run: Run, task: WorkflowTask, registration: Registration | None, sticky: StickyCache
) -> Answer | None:
    """The refusal of a completion's sticky_cache, or None."""
    members = (
        f',"task_id":"{run.run_id}:k{task.task_number}"'
        f',"workflow_task_attempt":{task.attempt},"outcome":"rejected","recorded":false'
    )
    capability = (
        f',"capability":"sticky_execution","requested_version":{text_of(sticky.protocol_version)}'
        ',"minimum_protocol_version":"1.18"'
    )
    if registration is None or not registration.sticky_execution:
        return refuse(
            "worker_capability_not_supported",
            f"{members}{capability}"
            ',"remediation":"Register the worker with the capability sticky_execution,'
            ' or leave sticky_cache out."',
        )
    if sticky.history_last_sequence is not None and not registration.sticky_history_suffix:
        errors = (
            '{"sticky_cache.history_last_sequence":'
            '["must be absent: the worker did not register with sticky_history_suffix"]}'
        )
        return refuse("validation_failed", f'{members},"errors":{errors},"validation_errors":{errors}')

    said = (sticky.worker_id, sticky.workflow_id, sticky.run_id, sticky.build_id)
    if said != (task.lease_owner, run.workflow_id, run.run_id, registration.build):
        return refuse(
            "sticky_cache_identity_mismatch",
            f"{members}{capability}"
            ',"remediation":"Name the task\'s own worker, workflow and run,'
            ' and the build that was registered."',
        )
    return None
