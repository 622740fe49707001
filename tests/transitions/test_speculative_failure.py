"""A carried part that fails: it alone is undone, and the completion and the other parts stand."""

from __future__ import annotations

import pytest

from tests.engines.databases import Database
from tests.transitions.breaking import broken
from tests.transitions.commands import complete_workflow, schedule, timer
from tests.transitions.driver import Driver, Reply
from tests.transitions.merged import (
    begin_held,
    continuation,
    got_activity,
    got_task,
    part,
    register_merging_worker,
)
from tests.transitions.sticky import boundaries, sticky_cache

FAILED = {"task": None, "poll_status": "failed"}


@pytest.fixture(autouse=True)
async def _worker(driver: Driver) -> None:
    await register_merging_worker(driver)


def _failures(reply: Reply) -> list[str]:
    return [hint[1] for hint in reply.hints if hint[0] == "failed"]


LEASE = ("update", "workflow_tasks", "new.status = 'leased'")
COUNT = ("insert", "sticky_counts", "new.cold_replay = 1")
START = ("update", "activities", "new.status = 'running'")
DELIVER = ("update", "affinities", "new.delivered_sequence > 1")


@pytest.mark.parametrize("fault", [LEASE, COUNT], ids=["lease", "count"])
async def test_a_workflow_poll_that_fails_leaves_the_completion(
    driver: Driver, database: Database, fault: tuple[str, str, str]
) -> None:
    await driver.start("order-1")
    await driver.start("order-2", priority=6)
    task = await driver.claimed()
    polls = {"workflow_poll": driver.poll(), "activity_poll": driver.poll()}
    with broken(database, *fault):
        reply = await driver.complete(task, schedule(), carried=polls)
    assert reply.outcome == "completed"
    assert part(reply, "workflow_poll") == FAILED
    assert _failures(reply) == ["workflow_poll"]
    assert (await driver.complete_activity(got_activity(reply))).outcome == "completed"
    claimed = await driver.claimed()
    assert (claimed.run_id, claimed.attempt) == (task.run_id, 1)
    assert (await driver.claimed()).attempt == 1


@pytest.mark.parametrize("fault", [START, DELIVER], ids=["start", "deliver"])
async def test_an_activity_poll_that_fails_leaves_the_completion(
    driver: Driver, database: Database, fault: tuple[str, str, str]
) -> None:
    await driver.start("order-1")
    await driver.start("order-2", priority=6)
    task = await driver.claimed()
    polls = {"workflow_poll": driver.poll(), "activity_poll": driver.poll(history_after_sequence=1)}
    with broken(database, *fault):
        reply = await driver.complete(task, schedule(), sticky=sticky_cache(task, 1), carried=polls)
    assert reply.outcome == "completed"
    assert part(reply, "activity_poll") == FAILED
    assert _failures(reply) == ["activity_poll"]
    assert ["activity", "default", "main"] in reply.hints
    assert got_task(reply).body["workflow_id"] == "order-2"
    assert (await driver.claimed_activity()).attempt == 1
    again = await driver.complete(task, schedule(), sticky=sticky_cache(task, 1), carried=polls)
    assert again.outcome == "completed"


CONTINUED = [
    ("insert", "affinities", "new.reported_sequence = 2"),
    ("insert", "activities", "new.activity_type = 'ship'"),
    ("insert", "history_events", "new.sequence = 4"),
    ("update", "worker_liveness", "new.sticky_hits = 7"),
]


@pytest.mark.parametrize("fault", CONTINUED, ids=["cache", "command", "history", "last_step"])
async def test_a_continuation_that_fails_leaves_the_completion(
    driver: Driver, database: Database, fault: tuple[str, str, str]
) -> None:
    task, activity, basis = await begin_held(driver)
    carried = {
        "continuation": continuation(
            basis, schedule("ship"), timer(60), sticky=sticky_cache(task, basis, hit=7)
        )
    }
    with broken(database, *fault):
        reply = await driver.complete_activity(activity, carried=carried)
    assert reply.outcome == "completed"
    assert part(reply, "continuation") == {"outcome": "refused", "reason": "failed"}
    assert _failures(reply) == ["continuation"]
    assert (await driver.complete_activity(activity, carried=carried)).text == reply.text

    claimed = await driver.claimed()
    assert claimed.attempt == 1
    assert boundaries(claimed) == ("sticky_hit_expected", 1, 3, [2, 3])
    await driver.complete(claimed, complete_workflow())
    events = (await driver.read_history(task.run_id))["events"]
    assert [event["sequence"] for event in events] == [1, 2, 3, 4]
    assert events[-1]["event_type"] == "WorkflowCompleted"


@pytest.mark.parametrize("fault", CONTINUED[1:], ids=["command", "history", "last_step"])
async def test_the_polls_after_a_continuation_that_failed_see_the_run_as_it_was(
    driver: Driver, database: Database, fault: tuple[str, str, str]
) -> None:
    task, activity, basis = await begin_held(driver, schedule(), schedule())
    carried = {
        "continuation": continuation(
            basis, schedule("ship"), timer(60), sticky=sticky_cache(task, basis, hit=7)
        ),
        "workflow_poll": driver.poll(),
        "activity_poll": driver.poll(history_after_sequence=basis),
    }
    history = ("insert", "history_events", "new.sequence = 5")
    with broken(database, *(history if fault[1] == "history_events" else fault)):
        reply = await driver.complete_activity(activity, carried=carried)
    assert part(reply, "continuation") == {"outcome": "refused", "reason": "failed"}
    got = got_task(reply)
    assert boundaries(got) == ("sticky_hit_expected", 1, 4, [2, 3, 4])
    tail = part(reply, "activity_poll")["history_tail"]
    assert (tail["last_sequence"], [event["sequence"] for event in tail["events"]]) == (4, [4])
    assert (await driver.complete(got, complete_workflow())).outcome == "completed"
