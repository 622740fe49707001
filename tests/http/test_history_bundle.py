"""The canonical form that the digest of an exported history is taken of."""

from __future__ import annotations

import json

import pytest
from durable_workflow.history_bundle_verify import _canonicalize, verify_bundle

from byssus.http.history_bundle import bundle, canonical

ODD = {
    "z": [1, -0.0, 1.5, 1e16, 1e17, 1.25e-5, 1e-4, 123456789012345680.0, 5e-324, 2**70],
    "a": {"é": "ü 🚲 \u2028", "del": "\x7f", "tab": '\t/\\"', "": None, "B": True, "b": False},
    "empty": {"list": [], "map": {}},
}


def _exported(**members: object) -> str:
    workflow = {"workflow_id": "w", "run_id": "r", "workflow_type": "t", "is_terminal": False}
    links = {"last_history_sequence": 1, "continued_from_run_id": None, "continued_to_run_id": None}
    started = {"id": "r:e1", "sequence": 1, "event_type": "WorkflowStarted", "recorded_at": "2030-01-01"}
    return json.dumps(
        {
            "exported_at": "2030-01-01T00:00:00.000000Z",
            "workflow": {**workflow, **links, "memo": members},
            "input": {"codec": "avro", "blob": "AA=="},
            "output": None,
            "events": [{**started, "payload": {"memo": members}}],
            "tasks": [],
            "activities": [],
            "timers": [],
        }
    )


def test_the_canonical_form_is_the_one_of_the_official_verifier() -> None:
    assert canonical(ODD) == _canonicalize(ODD)


@pytest.mark.parametrize("memo", [{}, ODD], ids=["plain", "odd"])
def test_a_bundle_passes_the_official_verifier(memo: dict[str, object]) -> None:
    report = verify_bundle(json.loads(bundle(_exported(**memo))))
    assert (report["status"], report["findings"]) == ("ok", [])
    assert report["integrity"]["checksum_ok"] is True


def test_a_bundle_that_was_changed_does_not_pass() -> None:
    document = json.loads(bundle(_exported()))
    document["history_events"][0]["payload"] = {"memo": {"a": 1}}
    assert verify_bundle(document)["integrity"]["checksum_ok"] is False


def test_every_envelope_is_in_the_manifest() -> None:
    entries = json.loads(bundle(_exported(note={"codec": "avro", "blob": "AQ=="})))["payload_manifest"][
        "entries"
    ]
    assert {entry["path"] for entry in entries} == {
        "workflow.memo.note",
        "payloads.arguments.data",
        "history_events[0].payload.memo.note",
    }


def test_text_that_no_encoding_has_does_not_stop_an_export() -> None:
    text = _exported(odd="?").replace('"?"', '"\\ud800"')
    assert json.loads(bundle(text))["workflow"]["memo"] == {"odd": "\ud800"}
