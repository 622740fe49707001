"""signal_run: a message to a run, delivered once."""

from __future__ import annotations

import pytest

from tests.transitions.commands import complete_workflow, continue_as_new, envelope, schedule, wait
from tests.transitions.conftest import Dump, Execute
from tests.transitions.driver import Driver

NO_RUN = "00000000-0000-7000-8000-000000000000"


async def test_a_signal_is_recorded_and_wakes_the_run(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    signalled = await driver.signal("pay", input=envelope("7 EUR"))
    assert signalled.outcome == signalled["outcome"] == "signal_received"
    assert signalled["run_id"] == run_id
    assert signalled["workflow_type"] == "order"
    assert signalled["signal_name"] == "pay"
    assert signalled["target_scope"] == "instance"
    assert ["workflow", "default", "main"] in signalled.hints
    assert ["run", run_id] in signalled.hints
    assert await driver.events(run_id, "SignalReceived") == [
        {
            "signal_id": signalled["signal_id"],
            "signal_name": "pay",
            "arguments": envelope("7 EUR"),
            "payload_codec": "avro",
        }
    ]


async def test_a_signal_without_input_says_nothing_of_a_payload(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    signalled = await driver.signal("pay")
    assert await driver.events(run_id, "SignalReceived") == [
        {"signal_id": signalled["signal_id"], "signal_name": "pay"}
    ]


async def test_a_signal_id_belongs_to_its_run_and_is_its_own(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    ids = [(await driver.signal())["signal_id"] for _ in range(3)]
    assert len(set(ids)) == 3
    assert all(signal_id.startswith(f"{run_id}:s") for signal_id in ids)


async def test_several_signals_share_one_workflow_task(driver: Driver) -> None:
    await driver.begin(wait())
    await driver.signal("first")
    await driver.signal("second")
    task = await driver.claimed()
    assert task.event_types[-2:] == ["SignalReceived", "SignalReceived"]
    assert (await driver.claim()).outcome == "empty"


async def test_a_signal_can_name_its_run(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    signalled = await driver.signal(run_id=run_id)
    assert signalled.outcome == "signal_received"
    assert signalled["target_scope"] == "run"


async def test_a_repeated_request_is_delivered_once_and_gets_the_same_answer(
    driver: Driver, dump: Dump
) -> None:
    run_id = await driver.begin(wait())
    first = await driver.signal(request_id="r1")
    before = dump()
    again = await driver.signal(request_id="r1")
    assert (again.outcome, again.text) == (first.outcome, first.text)
    assert again["request_id"] == "r1"
    assert again.hints == []
    assert dump() == before
    assert len(await driver.events(run_id, "SignalReceived")) == 1


async def test_a_repeated_request_is_answered_also_when_the_run_has_closed(driver: Driver) -> None:
    await driver.begin(wait())
    first = await driver.signal(request_id="r1")
    await driver.advance(complete_workflow())
    assert (await driver.signal(request_id="r1")).text == first.text


async def test_a_held_signal_is_not_repeated_either(driver: Driver) -> None:
    run_id = (await driver.start())["run_id"]
    await driver.signal(request_id="r1")
    await driver.signal(request_id="r1")
    await driver.advance(wait())
    assert len(await driver.events(run_id, "SignalReceived")) == 1


@pytest.mark.parametrize(("name", "input"), [("pay", envelope("8 EUR")), ("refund", envelope("7 EUR"))])
async def test_a_request_repeated_with_another_body_is_a_conflict(
    driver: Driver, name: str, input: object
) -> None:
    await driver.begin(wait())
    await driver.signal("pay", input=envelope("7 EUR"), request_id="r1")
    refused = await driver.signal(name, input=input, request_id="r1")
    assert refused.outcome == "request_id_conflict"
    assert refused["request_id"] == "r1"


async def test_a_signal_and_a_cancellation_may_have_the_same_request_id(driver: Driver) -> None:
    await driver.begin(wait())
    await driver.signal(request_id="r1")
    assert (await driver.cancel(request_id="r1")).outcome == "cancelled"


async def test_an_unknown_workflow_is_refused(driver: Driver) -> None:
    refused = await driver.signal(workflow_id="nothing")
    assert refused.outcome == "instance_not_found"
    assert refused["workflow_id"] == "nothing"


async def test_an_unknown_run_is_refused(driver: Driver) -> None:
    await driver.begin(wait())
    assert (await driver.signal(run_id=NO_RUN)).outcome == "run_not_found"


async def test_a_run_of_another_workflow_is_refused(driver: Driver) -> None:
    await driver.begin(wait())
    other = await driver.begin(wait(), workflow_id="order-2")
    assert (await driver.signal(run_id=other)).outcome == "run_not_found"


async def test_a_closed_run_is_refused_without_a_trace(driver: Driver, dump: Dump) -> None:
    await driver.begin(complete_workflow())
    before = dump()
    refused = await driver.signal(request_id="r1")
    assert refused.outcome == "run_not_active"
    assert refused["run_status"] == "completed"
    assert refused["is_terminal"] is True
    assert dump() == before


async def test_a_run_that_has_continued_is_refused_when_it_is_named(driver: Driver) -> None:
    old = await driver.begin(continue_as_new())
    assert (await driver.signal(run_id=old)).outcome == "historical_run_command_rejected"


async def test_a_signal_without_a_run_reaches_the_run_that_goes_on(driver: Driver) -> None:
    old = await driver.begin(continue_as_new())
    signalled = await driver.signal()
    assert signalled.outcome == "signal_received"
    assert signalled["run_id"] != old


async def test_an_unknown_namespace_is_refused(driver: Driver) -> None:
    assert (await driver.signal(namespace="nowhere")).outcome == "namespace_not_found"


async def test_the_number_of_held_signals_is_limited(driver: Driver, dump: Dump, execute: Execute) -> None:
    run_id = (await driver.start())["run_id"]
    rows = ", ".join(
        f"('{run_id}', {arrival}, 'signal', 'SignalReceived',"
        f' \'{{"signal_id":"{run_id}:s{arrival}","signal_name":"pay"}}\', true)'
        for arrival in range(1, 5001)
    )
    execute(f"insert into inbox (run_id, arrival, kind, event_type, payload, wakes) values {rows}")
    before = dump()
    refused = await driver.signal()
    assert refused.outcome == "structural_limit_exceeded"
    assert refused["limit_kind"] == "pending_signal_count"
    assert refused["current_value"] == refused["configured_limit"] == 5000
    assert dump() == before


async def test_signals_in_history_do_not_count_towards_the_limit(driver: Driver) -> None:
    run_id = await driver.begin(schedule())
    for _ in range(20):
        assert (await driver.signal()).outcome == "signal_received"
    assert len(await driver.events(run_id, "SignalReceived")) == 20
