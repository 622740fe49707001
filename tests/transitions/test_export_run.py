"""export_run: all that is kept of a run."""

from __future__ import annotations

from collections.abc import Callable

from tests.transitions.commands import complete_workflow, continue_as_new, schedule, timer
from tests.transitions.driver import Driver

NO_RUN = "00000000-0000-7000-8000-000000000000"


async def test_an_open_run_is_exported_with_its_open_work(driver: Driver) -> None:
    run_id = await driver.begin(
        schedule(), schedule(), timer(60), memo={"a": 1.50}, search_attributes={"city": "Kotor"}
    )
    await driver.complete_activity(await driver.claimed_activity())
    reply = await driver.export(run_id)
    assert reply.outcome == "exported"
    assert reply["exported_at"] == "2030-01-01T00:00:00.000000Z"
    assert reply["events"] == await driver.history(run_id)
    assert reply["input"] == {"codec": "avro", "blob": "input"}
    assert reply["output"] is None
    assert [task["task_id"] for task in reply["tasks"]] == [f"{run_id}:k5"]
    assert reply["activities"] == [
        {
            "id": f"{run_id}:a{position}",
            "sequence": position,
            "activity_type": "charge",
            "queue": "main",
            "status": status,
            "attempt_count": attempts,
            "closed_at": closed_at,
        }
        for position, status, attempts, closed_at in [
            (1, "completed", 1, "2030-01-01T00:00:00.000000Z"),
            (2, "pending", 0, None),
        ]
    ]
    assert reply["timers"] == [
        {"id": f"{run_id}:t3", "sequence": 3, "kind": "timer", "fire_at": "2030-01-01T00:01:00.000000Z"}
    ]
    workflow = reply["workflow"]
    assert (workflow["run_id"], workflow["run_number"], workflow["is_terminal"]) == (run_id, 1, False)
    assert (workflow["memo"], workflow["search_attributes"]) == ({"a": 1.5}, {"city": "Kotor"})
    assert workflow["last_history_sequence"] == len(reply["events"]) == 5


async def test_a_closed_run_of_a_chain_is_exported(driver: Driver) -> None:
    old = await driver.begin(continue_as_new())
    await driver.advance(complete_workflow())
    new = (await driver.describe())["run_id"]
    first, last = (await driver.export(old))["workflow"], await driver.export(new)
    assert (first["closed_reason"], first["continued_to_run_id"]) == ("continued", new)
    assert (last["workflow"]["closed_reason"], last["workflow"]["continued_from_run_id"]) == (
        "completed",
        old,
    )
    assert last["output"] == {"codec": "avro", "blob": "output"}
    assert last["tasks"] == last["activities"] == last["timers"] == []


async def test_a_history_that_is_too_large_is_refused(driver: Driver, execute: Callable[[str], None]) -> None:
    run_id = (await driver.start())["run_id"]
    (size,) = [(await driver.describe())["history_size_bytes"]]
    execute("update runs set history_size_bytes = 8388609")
    reply = await driver.export(run_id)
    assert (reply.outcome, reply["history_size_bytes"]) == ("history_export_too_large", 8_388_609)
    execute(f"update runs set history_size_bytes = {size}")
    assert (await driver.export(run_id)).outcome == "exported"


async def test_unknown_targets_are_refused(driver: Driver, other_namespace: str) -> None:
    run_id = (await driver.start())["run_id"]
    await driver.start("order-2")
    assert (await driver.export(run_id, "nothing")).outcome == "instance_not_found"
    assert (await driver.export(NO_RUN)).outcome == "run_not_found"
    assert (await driver.export(run_id, "order-2")).outcome == "run_not_found"
    assert (await driver.export(run_id, namespace=other_namespace)).outcome == "instance_not_found"
    assert (await driver.export(run_id, namespace="nowhere")).outcome == "namespace_not_found"
