"""What tests ask of a run's history."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from durable_workflow import serializer
from durable_workflow.replay_verify import VERDICT_OK, verify_replay

Event = dict[str, Any]


def types_of(events: Iterable[Event]) -> list[str]:
    """The types of the events, in order."""
    return [event["event_type"] for event in events]


def of_type(events: Iterable[Event], *types: str) -> list[Event]:
    """The events of these types."""
    return [event for event in events if event["event_type"] in types]


def payload_of(events: Iterable[Event], event_type: str) -> dict[str, Any]:
    """The payload of the only event of a type."""
    (event,) = of_type(events, event_type)
    payload: dict[str, Any] = event["payload"]
    return payload


def decoded(payload: dict[str, Any], member: str) -> Any:
    """The value that a payload's member carries."""
    return serializer.decode_envelope(payload[member], codec="avro")


def received_signals(events: Iterable[Event]) -> list[Any]:
    """The arguments of every signal in history, in order."""
    return [decoded(event["payload"], "arguments") for event in of_type(events, "SignalReceived")]


def seconds_between(earlier: Event, later: Event) -> float:
    """The time from one event to another."""
    return (_moment(later) - _moment(earlier)).total_seconds()


def check_replay(workflow: type, events: list[Event], arguments: list[Any]) -> None:
    """Let the SDK's verifier replay a history: it must agree, and come to the same result."""
    expected = None
    if of_type(events, "WorkflowCompleted"):
        output = decoded(payload_of(events, "WorkflowCompleted"), "output")
        expected = {"command_type": "CompleteWorkflow", "result": output}
    report = verify_replay(workflow, events, start_input=arguments, expected=expected)
    assert report.verdict == VERDICT_OK, report.to_dict()


def _moment(event: Event) -> datetime:
    return datetime.fromisoformat(event["recorded_at"])
