from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from byssus.errors import Refused
from byssus.http.commands import MAX_COMMANDS, SUPPORTED_COMMANDS, normalise

ENVELOPE = {"codec": "avro", "blob": "wwHioz3/VYAiNwwA"}
ACTIVITY: dict[str, Any] = {"type": "schedule_activity", "activity_type": "charge", "queue": "q"}
TIMER: dict[str, Any] = {"type": "start_timer", "delay_seconds": 5}
DONE: dict[str, Any] = {"type": "complete_workflow", "result": ENVELOPE}
ATTEMPT: dict[str, Any] = {
    "attempt_id": "0" * 64,
    "attempt_number": 1,
    "outcome": "completed",
    "duration_ms": 12,
    "heartbeats": [{"elapsed_ms": 3}, {"elapsed_ms": 9, "details": {"done": 1.50}}],
}
LOCAL: dict[str, Any] = {
    "type": "record_local_activity",
    "activity_type": "charge",
    "execution_mode": "local",
    "arguments": ENVELOPE,
    "outcome": "completed",
    "attempts": [ATTEMPT],
    "result": ENVELOPE,
}
FAILURE: dict[str, Any] = {"message": "no", "exception_type": "Declined", "non_retryable": False}
LOCAL_FAILURE: dict[str, Any] = {
    **{name: value for name, value in LOCAL.items() if name != "result"},
    **FAILURE,
    "outcome": "failed",
    "attempts": [
        {**ATTEMPT, **FAILURE, "outcome": "failed", "retry_reason": "failure", "backoff_seconds": 2},
        {**ATTEMPT, **FAILURE, "outcome": "failed", "attempt_number": 2},
    ],
    "retry_policy": {"max_attempts": 2, "backoff_seconds": [2]},
}


VERBATIM = ("fields", "outcome_fields", "group", "arguments", "retry_policy", "output", "input")


def normalised(*commands: dict[str, Any]) -> list[dict[str, Any]]:
    """The documents of commands, the JSON texts in them decoded."""
    documents: list[dict[str, Any]] = json.loads(
        normalise([msgspec.Raw(json.dumps(command).encode()) for command in commands])
    )
    return [
        {name: json.loads(part) if name in VERBATIM else part for name, part in document.items()}
        for document in documents
    ]


def refused(*commands: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        normalise([msgspec.Raw(json.dumps(command).encode()) for command in commands])
    return caught.value


def entry(base: int, size: int, index: int, **more: Any) -> dict[str, Any]:
    return {
        "parallel_group_id": f"parallel-activities:{base}:{size}",
        "parallel_group_kind": "activity",
        "parallel_group_base_sequence": base,
        "parallel_group_size": size,
        "parallel_group_index": index,
        **more,
    }


def test_an_activity_without_a_policy_is_tried_once() -> None:
    [command] = normalised({**ACTIVITY, "arguments": ENVELOPE, "heartbeat_timeout": 7})
    assert command == {
        "type": "schedule_activity",
        "fields": {"activity_type": "charge", "arguments": ENVELOPE, "queue": "q", "heartbeat_timeout": 7},
        "activity_type": "charge",
        "task_queue": "q",
        "arguments": ENVELOPE,
        "heartbeat_timeout": 7,
        "max_attempts": 1,
        "backoff_seconds": [],
        "non_retryable_error_types": [],
    }


def test_a_retry_policy_is_recorded_verbatim_and_read() -> None:
    policy = {
        "max_attempts": 3,
        "backoff_seconds": [1, 2],
        "non_retryable_error_types": ["Bad"],
        "own": {"x": 1},
    }
    [command] = normalised({**ACTIVITY, "retry_policy": policy})
    assert command["retry_policy"] == command["fields"]["retry_policy"] == policy
    assert command["max_attempts"] == 3
    assert command["backoff_seconds"] == [1, 2]
    assert command["non_retryable_error_types"] == ["Bad"]


def test_max_attempts_null_means_unlimited_and_is_left_out() -> None:
    [command] = normalised({**ACTIVITY, "retry_policy": {"max_attempts": None, "backoff_seconds": 4}})
    assert "max_attempts" not in command
    assert command["backoff_seconds"] == [4]


def test_payloads_keep_their_bytes() -> None:
    raw = b'{ "blob":"w\\u0077\\u0000==", "codec":"avro", "n":123456789012345678901234567890 }'
    [command] = json.loads(normalise([msgspec.Raw(b'{"type":"complete_workflow","result":' + raw + b"}")]))
    assert command["output"] == raw.decode()
    assert command["fields"] == f'{{"output":{raw.decode()},"payload_codec":"avro"}}'


def test_a_timer() -> None:
    assert normalised(TIMER) == [{"type": "start_timer", "fields": {"delay_seconds": 5}, "delay_seconds": 5}]


def test_a_condition_wait_leaves_out_what_is_null() -> None:
    wait = {"type": "open_condition_wait", "condition_key": "paid", "timeout_seconds": None}
    assert normalised(wait) == [
        {"type": "open_condition_wait", "fields": {"condition_key": "paid"}, "condition_key": "paid"}
    ]


@pytest.mark.parametrize("result", ["d3c=", ENVELOPE])
def test_a_side_effect_is_a_bare_string_or_an_envelope(result: Any) -> None:
    assert normalised({"type": "record_side_effect", "result": result}) == [
        {"type": "record_side_effect", "fields": {"result": result, "payload_codec": "avro"}}
    ]


def test_a_local_activity_is_recorded_as_it_was_asked_for_and_as_it_ended() -> None:
    assert normalised({**LOCAL, "heartbeat_timeout": 5, "start_to_close_timeout": None}) == [
        {
            "type": "record_local_activity",
            "fields": {
                "activity_type": "charge",
                "execution_mode": "local",
                "local_activity": True,
                "arguments": ENVELOPE,
                "heartbeat_timeout": 5,
            },
            "outcome": "completed",
            "outcome_fields": {
                "activity_type": "charge",
                "execution_mode": "local",
                "attempts": [ATTEMPT],
                "result": ENVELOPE,
                "payload_codec": "avro",
            },
        }
    ]


def test_a_local_activity_that_failed_is_recorded_with_its_attempts() -> None:
    [command] = normalised(LOCAL_FAILURE)
    assert command["fields"]["retry_policy"] == LOCAL_FAILURE["retry_policy"]
    assert command["outcome"] == "failed"
    assert command["outcome_fields"] == {
        "activity_type": "charge",
        "execution_mode": "local",
        "attempts": LOCAL_FAILURE["attempts"],
        **FAILURE,
    }


@pytest.mark.parametrize("outcome", ["timed_out", "cancelled"])
def test_a_local_activity_may_time_out_or_be_cancelled(outcome: str) -> None:
    last = {**ATTEMPT, "outcome": outcome, "timeout_kind": "heartbeat"}
    [command] = normalised(
        {**LOCAL_FAILURE, "outcome": outcome, "attempts": [last], "timeout_kind": "heartbeat"}
    )
    assert command["outcome"] == outcome
    assert command["outcome_fields"]["timeout_kind"] == "heartbeat"


def test_a_failure_keeps_the_words_that_workflow_code_has_seen() -> None:
    [command] = normalised({**LOCAL_FAILURE, "message": "no\0pe"})
    assert command["outcome_fields"]["message"] == "no\0pe"


def test_the_attempts_of_a_local_activity_keep_their_bytes() -> None:
    attempts = (
        b'[ {"attempt_id":"a", "attempt_number":1,"outcome":"completed","duration_ms":0,'
        b'"heartbeats":[{"elapsed_ms":1,"details":{"n":1.10,"u":"\\u0000"}}],"more":1e400} ]'
    )
    [command] = json.loads(
        normalise(
            [
                msgspec.Raw(
                    b'{"type":"record_local_activity","activity_type":"x","execution_mode":"local","outcome":'
                    b'"completed","result":{"codec":"avro","blob":""},"attempts":' + attempts + b"}"
                )
            ]
        )
    )
    assert f'"attempts":{attempts.decode()},' in command["outcome_fields"]


def test_completion_failure_and_continuation() -> None:
    assert normalised(TIMER, DONE)[1] == {
        "type": "complete_workflow",
        "fields": {"output": ENVELOPE, "payload_codec": "avro"},
        "output": ENVELOPE,
    }
    failure = {
        "type": "fail_workflow",
        "message": "no\0pe",
        "non_retryable": False,
        "exception": {"type": "E"},
    }
    assert normalised(failure) == [
        {"type": "fail_workflow", "fields": {"message": "no\ufffdpe", "exception": {"type": "E"}}}
    ]
    assert normalised({"type": "continue_as_new", "queue": "q", "arguments": ENVELOPE}) == [
        {"type": "continue_as_new", "task_queue": "q", "input": ENVELOPE}
    ]


def test_a_group_member_keeps_its_path_and_tells_its_position() -> None:
    path = [entry(4, 5, 3), entry(6, 2, 1)]
    [command] = normalised({**ACTIVITY, **path[-1], "parallel_group_path": path})
    assert command["group"] == {**path[-1], "parallel_group_path": path}
    assert command["group_position"] == 7
    assert (command["group_base"], command["group_size"]) == (4, 5)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"activity_type": None}, "commands.1.activity_type"),
        ({"activity_type": ""}, "commands.1.activity_type"),
        ({"queue": "a\0"}, "commands.1.queue"),
        ({"queue": "é" * 200}, "commands.1.queue"),
        ({"arguments": [1]}, "commands.1.arguments"),
        ({"arguments": "blob"}, "commands.1.arguments"),
        ({"start_to_close_timeout": 0}, "commands.1.start_to_close_timeout"),
        ({"start_to_close_timeout": 1.5}, "commands.1.start_to_close_timeout"),
        ({"start_to_close_timeout": True}, "commands.1.start_to_close_timeout"),
        ({"heartbeat_timeout": 2**31}, "commands.1.heartbeat_timeout"),
        ({"retry_policy": []}, "commands.1.retry_policy"),
        ({"retry_policy": {"max_attempts": 0}}, "commands.1.retry_policy.max_attempts"),
        ({"retry_policy": {"backoff_seconds": [1, "x"]}}, "commands.1.retry_policy.backoff_seconds.1"),
        ({"worker_session": {"session_id": "s"}}, "commands.1.worker_session"),
        ({"cancellation_policy": "abandon"}, "commands.1.cancellation_policy"),
        ({"parallel_group_id": "x"}, "commands.1.parallel_group_path"),
        ({"parallel_group_path": []}, "commands.1.parallel_group_path"),
        ({"parallel_group_path": [entry(1, 2, 2)]}, "commands.1.parallel_group_path.0"),
        ({"parallel_group_path": [entry(1, 2, 0), entry(2, 2, 1)]}, "commands.1.parallel_group_path.0"),
        (
            {"parallel_group_path": [entry(10**10, 2, 0)]},
            "commands.1.parallel_group_path.0.parallel_group_base_sequence",
        ),
    ],
)
def test_a_malformed_activity_is_refused_by_field(change: dict[str, Any], field: str) -> None:
    refusal = refused(TIMER, {**ACTIVITY, **change})
    assert refusal.code == "validation_failed"
    assert list(refusal.members["errors"]) == [field]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"activity_type": None}, "activity_type"),
        ({"activity_type": "é" * 200}, "activity_type"),
        ({"execution_mode": None}, "execution_mode"),
        ({"execution_mode": "remote"}, "execution_mode"),
        ({"arguments": [1]}, "arguments"),
        ({"outcome": None}, "outcome"),
        ({"outcome": "running"}, "outcome"),
        ({"attempts": None}, "attempts"),
        ({"attempts": {}}, "attempts"),
        ({"attempts": []}, "attempts"),
        ({"attempts": [1]}, "attempts.0"),
        ({"attempts": [{}]}, "attempts.0.attempt_id"),
        ({"attempts": [{**ATTEMPT, "attempt_id": ""}]}, "attempts.0.attempt_id"),
        ({"attempts": [{**ATTEMPT, "attempt_id": "é" * 200}]}, "attempts.0.attempt_id"),
        ({"attempts": [{**ATTEMPT, "attempt_number": 2}]}, "attempts.0.attempt_number"),
        ({"attempts": [{**ATTEMPT, "attempt_number": True}]}, "attempts.0.attempt_number"),
        ({"attempts": [ATTEMPT, {**ATTEMPT, "attempt_number": 2}]}, "attempts.0.outcome"),
        ({"attempts": [{**ATTEMPT, "outcome": "failed"}]}, "attempts.0.outcome"),
        ({"attempts": [{**ATTEMPT, "outcome": "lost"}]}, "attempts.0.outcome"),
        ({"attempts": [{**ATTEMPT, "duration_ms": -1}]}, "attempts.0.duration_ms"),
        ({"attempts": [{**ATTEMPT, "duration_ms": 1.5}]}, "attempts.0.duration_ms"),
        ({"attempts": [{**ATTEMPT, "heartbeats": {}}]}, "attempts.0.heartbeats"),
        ({"attempts": [{**ATTEMPT, "heartbeats": [{}]}]}, "attempts.0.heartbeats.0.elapsed_ms"),
        (
            {"attempts": [{**ATTEMPT, "heartbeats": [{"elapsed_ms": 1, "details": "x"}]}]},
            "attempts.0.heartbeats.0.details",
        ),
        ({"attempts": [{**ATTEMPT, "message": 1}]}, "attempts.0.message"),
        ({"attempts": [{**ATTEMPT, "exception_type": "x" * 256}]}, "attempts.0.exception_type"),
        ({"attempts": [{**ATTEMPT, "timeout_kind": "schedule_to_start"}]}, "attempts.0.timeout_kind"),
        ({"attempts": [{**ATTEMPT, "retry_reason": "luck"}]}, "attempts.0.retry_reason"),
        ({"attempts": [{**ATTEMPT, "backoff_seconds": -1}]}, "attempts.0.backoff_seconds"),
        ({"result": None}, "result"),
        ({"result": "blob"}, "result"),
        ({"message": "no"}, "message"),
        ({"exception_type": "E"}, "exception_type"),
        ({"non_retryable": False}, "non_retryable"),
        ({"timeout_kind": "heartbeat"}, "timeout_kind"),
        ({"retry_policy": {"max_attempts": 0}}, "retry_policy.max_attempts"),
        ({"start_to_close_timeout": 0}, "start_to_close_timeout"),
        ({"schedule_to_close_timeout": "1"}, "schedule_to_close_timeout"),
        ({"heartbeat_timeout": 2**31}, "heartbeat_timeout"),
        ({"cancellation_policy": "try_cancel"}, "cancellation_policy"),
        ({"parallel_group_path": [entry(1, 2, 0)]}, "parallel_group_path"),
        ({"parallel_group_id": "x"}, "parallel_group_path"),
    ],
)
def test_a_malformed_local_activity_is_refused_by_field(change: dict[str, Any], field: str) -> None:
    refusal = refused(TIMER, {**LOCAL, **change})
    assert refusal.code == "validation_failed"
    assert list(refusal.members["errors"]) == [f"commands.1.{field}"]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"result": ENVELOPE}, "result"),
        ({"message": None}, "message"),
        ({"message": 1}, "message"),
        ({"exception_type": "x" * 256}, "exception_type"),
        ({"non_retryable": "yes"}, "non_retryable"),
        ({"timeout_kind": "schedule_to_start"}, "timeout_kind"),
        ({"outcome": "cancelled"}, "attempts.1.outcome"),
        ({"attempts": LOCAL_FAILURE["attempts"][1:]}, "attempts.0.attempt_number"),
    ],
)
def test_a_malformed_failure_of_a_local_activity_is_refused_by_field(
    change: dict[str, Any], field: str
) -> None:
    refusal = refused({**LOCAL_FAILURE, **change})
    assert refusal.code == "validation_failed"
    assert list(refusal.members["errors"]) == [f"commands.0.{field}"]  # type: ignore[call-overload]


def test_a_local_activity_that_was_only_prepared_is_refused() -> None:
    prepared = {name: value for name, value in LOCAL.items() if name not in ("outcome", "attempts", "result")}
    assert list(refused(prepared).members["errors"]) == ["commands.0.outcome"]  # type: ignore[call-overload]
    kind = {**prepared, "type": "prepare_local_activity"}
    assert refused(kind).code == "unsupported_workflow_command"


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ([], "commands.0"),
        ("start_timer", "commands.0"),
        ({}, "commands.0.type"),
        ({"type": 1}, "commands.0.type"),
        ({"type": "start_timer"}, "commands.0.delay_seconds"),
        ({"type": "start_timer", "delay_seconds": -1}, "commands.0.delay_seconds"),
        ({"type": "start_timer", "delay_seconds": "5"}, "commands.0.delay_seconds"),
        ({"type": "open_condition_wait", "timeout_seconds": -1}, "commands.0.timeout_seconds"),
        ({"type": "open_condition_wait", "condition_key": 5}, "commands.0.condition_key"),
        ({"type": "record_side_effect"}, "commands.0.result"),
        ({"type": "record_side_effect", "result": None}, "commands.0.result"),
        ({"type": "record_side_effect", "result": "x", "workflow_stream": {}}, "commands.0.workflow_stream"),
        ({"type": "complete_workflow", "result": "blob"}, "commands.0.result"),
        ({"type": "fail_workflow"}, "commands.0.message"),
        (
            {"type": "fail_workflow", "message": "x", "failed_step_sequence": 1},
            "commands.0.failed_step_sequence",
        ),
        ({"type": "continue_as_new"}, "commands.0.queue"),
    ],
)
def test_a_malformed_command_is_refused_by_field(command: Any, field: str) -> None:
    refusal = refused(command)
    assert refusal.code == "validation_failed"
    assert list(refusal.members["errors"]) == [field]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "kind",
    [
        "start_child_workflow",
        "record_version_marker",
        "upsert_search_attributes",
        "upsert_memo",
        "prepare_local_activity",
        "complete_update",
        "fail_update",
        "cancel_selection_operation",
        "start_service_operation",
        "make_coffee",
    ],
)
def test_a_command_that_is_not_carried_out_is_refused_by_type(kind: str) -> None:
    refusal = refused(TIMER, {"type": kind})
    assert refusal.code == "unsupported_workflow_command"
    assert refusal.members == {"command_type": kind, "field": "commands.1.type"}
    assert kind not in SUPPORTED_COMMANDS


def test_members_of_a_select_group_are_refused_whole() -> None:
    path = [entry(1, 2, 0, parallel_group_mode="select")]
    assert refused({**ACTIVITY, "parallel_group_path": path}).code == "unsupported_workflow_command"


def test_the_terminal_command_is_the_last_and_only_one() -> None:
    for commands in ([DONE, TIMER], [DONE, DONE], [{"type": "continue_as_new", "queue": "q"}, DONE]):
        assert list(refused(*commands).members["errors"]) == ["commands.0.type"]  # type: ignore[call-overload]


def test_a_completion_opens_one_condition_wait_at_most() -> None:
    wait = {"type": "open_condition_wait", "timeout_seconds": 5}
    assert len(normalised(TIMER, wait, TIMER)) == 3
    errors = refused(wait, TIMER, wait).members["errors"]
    assert list(errors) == ["commands.2.type"]  # type: ignore[call-overload]


def test_there_is_at_least_one_command_and_at_most_the_limit() -> None:
    assert list(refused().members["errors"]) == ["commands"]  # type: ignore[call-overload]
    assert list(refused(*[TIMER] * (MAX_COMMANDS + 1)).members["errors"]) == ["commands"]  # type: ignore[call-overload]
    assert len(normalised(*[TIMER] * MAX_COMMANDS)) == MAX_COMMANDS
