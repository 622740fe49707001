"""What a start answers of a run, its closing brace left to the caller.

namespace, workflow_id, run_id, workflow_type, status  the run.
outcome  started_new or returned_existing_active.
Result   a JSON object without its closing brace.
"""

from __future__ import annotations

from byssus.store.sqlite.shared.json_string import json_string


def started_body(
    namespace: str, workflow_id: str, run_id: str, workflow_type: str, status: str, outcome: str
) -> str:
    """The body of a successful start."""
    return (
        f'{{"workflow_id":{json_string(workflow_id)}'
        f',"run_id":"{run_id}"'
        f',"workflow_type":{json_string(workflow_type)}'
        f',"namespace":{json_string(namespace)}'
        f',"status":"{status}"'
        f',"payload_codec":"avro","outcome":"{outcome}"'
        ',"command_status":"accepted","command_source":"control_plane"'
    )
