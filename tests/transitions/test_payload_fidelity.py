"""Payloads: whatever JSON a caller sends comes back byte for byte, by every way through the server."""

from __future__ import annotations

import msgspec
import pytest

from byssus.store.transitions import FAIL_ACTIVITY
from tests.transitions.commands import (
    complete_workflow,
    continue_as_new,
    fail_workflow,
    group,
    local_activity,
    schedule,
    side_effect,
    text_of,
    wait,
)
from tests.transitions.driver import Driver, digest

PARTS = (
    '{"blob":"b","codec":"avro"}',
    '{ "codec" :\t"avro" , "blob" : "" }',
    '{"big":123456789012345678901234567890,"decimal":1.10,"huge":1E400,"zero":-0}',
    r'"\u00e9\/\ud83d\ude80\"\\\b\f\n\r\t\u001f\u007f"',
    '"Zürich 🚲 日本 \u2028\u2029 \ufeff \uffff e\u0301 \u00e9 \x7f\x80\x9f"',
    """ "'; drop table runs; -- $$ %s {} ? :name" """,
    "[" * 400 + "]" * 400,
    "[null,true,false,[],{},0]",
)
"""JSON that a careless hand would change: order, white space, numbers, escapes, quoting, depth."""

PAYLOADS = {
    "parts": '{"codec":"avro","external_storage":{"parts":[' + ", ".join(PARTS) + "]}}",
    "nul": r'{"codec":"avro","blob":"a\u0000b","external_storage":{"a\u0000b":null}}',
    "event": '{"codec":"avro","blob":{"signal_id":"x","signal_name":"y"},"payload":{"sequence":1}}',
}


@pytest.fixture(params=PAYLOADS.values(), ids=list(PAYLOADS))
def payload(request: pytest.FixtureRequest) -> str:
    """JSON text that is to come back as it is."""
    text: str = request.param
    return text


def raw(payload: str) -> msgspec.Raw:
    """A payload, to be put into a document as it is."""
    return msgspec.Raw(payload.encode())


async def test_input(driver: Driver, payload: str) -> None:
    await driver.start(input=raw(payload))
    assert f'"arguments":{payload},' in (await driver.claim()).text
    assert f'"input_envelope":{payload},' in (await driver.describe()).text


async def test_memo_and_search_attributes(driver: Driver, payload: str) -> None:
    run_id = (await driver.start(memo=raw(payload), search_attributes=raw(payload)))["run_id"]
    members = f'"memo":{payload},"search_attributes":{payload}'
    assert members in (await driver.read_history(run_id)).text
    assert members in (await driver.list_runs()).text
    assert members in (await driver.describe()).text


async def test_signals(driver: Driver, payload: str) -> None:
    run_id = await driver.begin(wait())
    await driver.signal("recorded", input=raw(payload))
    task = await driver.claimed()
    await driver.signal("held", input=raw(payload))
    await driver.complete(task, wait())
    history = (await driver.read_history(run_id)).text
    assert history.count(f'"arguments":{payload},') == 2


async def test_a_signal_with_that_payload_can_be_rejected(driver: Driver, payload: str) -> None:
    run_id = await driver.begin(wait())
    await driver.signal("recorded", input=raw(payload))
    await driver.claimed()
    await driver.signal("held", input=raw(payload))
    await driver.cancel()
    rejected = await driver.events(run_id, "SignalRejected")
    assert [event["signal_name"] for event in rejected] == ["recorded", "held"]


async def test_the_arguments_and_the_retry_policy_of_an_activity(driver: Driver, payload: str) -> None:
    command = schedule(arguments=raw(payload))
    fields = {"activity_type": "charge", "arguments": raw(payload), "retry_policy": raw(payload)}
    command |= {"fields": text_of(fields), "retry_policy": payload}
    run_id = await driver.begin(command)
    assert f'"arguments":{payload},"retry_policy":{payload},' in (await driver.claim_activity()).text
    members = f'"arguments":{payload},"retry_policy":{payload}}}'
    assert members in (await driver.read_history(run_id)).text


async def test_the_result_of_an_activity(driver: Driver, payload: str) -> None:
    run_id = await driver.begin(schedule())
    await driver.complete_activity(await driver.claimed_activity(), raw(payload))
    assert f'"result":{payload},' in (await driver.read_history(run_id)).text
    assert f'"result":{payload},' in (await driver.claim()).text


async def test_the_details_of_a_failure(driver: Driver, payload: str) -> None:
    run_id = await driver.begin(schedule())
    task = await driver.claimed_activity()
    fields = {"message": "no", "exception": {"type": "Declined", "details": raw(payload)}}
    failure = {"type": "Declined", "non_retryable": False, "fields": text_of(fields)}
    reply = await driver.call(
        FAIL_ACTIVITY,
        namespace="default",
        task_id=task.task_id,
        activity_attempt_id=task.attempt_id,
        lease_owner=task.lease_owner,
        failure=text_of(failure),
        digest=digest(failure),
    )
    assert reply.outcome == "failed"
    assert f'"details":{payload}}}' in (await driver.read_history(run_id)).text


async def test_the_details_of_a_heartbeat_are_taken(driver: Driver, payload: str) -> None:
    await driver.begin(schedule())
    reply = await driver.heartbeat_activity(await driver.claimed_activity(), details=raw(payload))
    assert reply.outcome == "heartbeat_recorded"


async def test_side_effects(driver: Driver, payload: str) -> None:
    run_id = await driver.begin(side_effect(raw(payload)), side_effect(raw(payload)), wait())
    assert (await driver.read_history(run_id)).text.count(f'"result":{payload},') == 2


async def test_the_arguments_and_the_result_of_a_local_activity(driver: Driver, payload: str) -> None:
    run_id = await driver.begin(local_activity(arguments=raw(payload), result=raw(payload)), wait())
    history = (await driver.read_history(run_id)).text
    assert history.count(f'"arguments":{payload}}}') == 1
    assert history.count(f'"result":{payload},"payload_codec":"avro"}}') == 1


async def test_the_output_of_a_workflow(driver: Driver, payload: str) -> None:
    run_id = await driver.begin(complete_workflow(raw(payload)))
    assert f'"output":{payload},' in (await driver.read_history(run_id)).text
    assert f'"output_envelope":{payload},' in (await driver.describe()).text


async def test_the_failure_of_a_workflow(driver: Driver, payload: str) -> None:
    run_id = await driver.begin(fail_workflow(exception=raw(payload)))
    assert f'"exception":{payload}}}' in (await driver.read_history(run_id)).text


async def test_the_input_of_the_run_that_continues(driver: Driver, payload: str) -> None:
    await driver.begin(continue_as_new(input=raw(payload)))
    assert f'"arguments":{payload},' in (await driver.claim()).text


async def test_a_group_with_that_payload_can_be_sent_again(driver: Driver, payload: str) -> None:
    commands = group(schedule(arguments=raw(payload)), base=1)
    run_id = await driver.begin(*commands)
    await driver.signal()
    await driver.advance(*commands)
    assert (await driver.read_history(run_id)).text.count(payload) == 1


async def test_a_repeated_completion_with_that_payload_is_recognised(driver: Driver, payload: str) -> None:
    await driver.start()
    task = await driver.claimed()
    first = await driver.complete(task, schedule(arguments=raw(payload)))
    again = await driver.complete(task, schedule(arguments=raw(payload)))
    assert again.text == first.text
