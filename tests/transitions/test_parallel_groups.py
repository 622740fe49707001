"""Parallel groups: every leaf at the position it was written for, and one wake-up when all have ended."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.engines.clock import Clock
from tests.transitions.commands import complete_workflow, group, schedule, side_effect, text_of, timer, wait
from tests.transitions.conftest import Dump
from tests.transitions.driver import Driver


async def test_every_event_of_a_leaf_carries_the_group_unchanged(driver: Driver) -> None:
    commands = group(schedule(max_attempts=2), timer(0), base=1)
    run_id = await driver.begin(*commands)
    await driver.fail_activity(await driver.claimed_activity())
    await driver.complete_activity(await driver.claimed_activity())
    await driver.fire_timers()
    history = await driver.history(run_id)
    for event in history[1:]:
        members = json.loads(commands[event["payload"]["sequence"] - 1]["group"])
        assert {name: event["payload"][name] for name in members} == members
    assert [event["event_type"] for event in history[1:]] == [
        "ActivityScheduled",
        "TimerScheduled",
        "ActivityRetryScheduled",
        "ActivityCompleted",
        "TimerFired",
    ]


async def test_a_group_wakes_the_run_only_with_its_last_leaf(driver: Driver) -> None:
    await driver.begin(*group(schedule(), schedule(), schedule(), base=1))
    tasks = [await driver.claimed_activity() for _ in range(3)]
    for task in (tasks[2], tasks[0]):
        reply = await driver.complete_activity(task)
        assert not [hint for hint in reply.hints if hint[0] == "workflow"]
        assert (await driver.claim()).outcome == "empty"
    reply = await driver.complete_activity(tasks[1])
    assert ["workflow", "default", "main"] in reply.hints
    await driver.claimed()


async def test_one_failure_does_not_release_a_group_early(driver: Driver) -> None:
    await driver.begin(*group(schedule(), schedule(), base=1))
    first, second = [await driver.claimed_activity() for _ in range(2)]
    assert (await driver.fail_activity(first)).outcome == "failed"
    assert (await driver.claim()).outcome == "empty"
    await driver.complete_activity(second)
    assert (await driver.claimed()).event_types[-2:] == ["ActivityFailed", "ActivityCompleted"]


async def test_a_retry_keeps_a_group_open(driver: Driver) -> None:
    await driver.begin(*group(schedule(max_attempts=2), schedule(), base=1))
    first, second = [await driver.claimed_activity() for _ in range(2)]
    await driver.complete_activity(second)
    await driver.fail_activity(first)
    assert (await driver.claim()).outcome == "empty"
    await driver.fail_activity(await driver.claimed_activity())
    await driver.claimed()


@pytest.mark.parametrize("timer_last", [True, False])
async def test_a_group_of_activities_and_timers_waits_for_both(
    driver: Driver, clock: Clock, timer_last: bool
) -> None:
    await driver.begin(*group(schedule(), timer(5), base=1))
    task = await driver.claimed_activity()
    clock.advance(5)
    if timer_last:
        await driver.complete_activity(task)
        assert (await driver.claim()).outcome == "empty"
        await driver.fire_timers()
    else:
        await driver.fire_timers()
        assert (await driver.claim()).outcome == "empty"
        await driver.complete_activity(task)
    await driver.claimed()


async def test_a_group_of_timers_wakes_with_the_last(driver: Driver, clock: Clock) -> None:
    await driver.begin(*group(timer(1), timer(2), base=1))
    clock.advance(1)
    await driver.fire_timers()
    assert (await driver.claim()).outcome == "empty"
    clock.advance(1)
    await driver.fire_timers()
    await driver.claimed()


async def test_two_groups_wake_apart(driver: Driver) -> None:
    await driver.begin(*group(schedule(), base=1), *group(schedule(), schedule(), base=2))
    tasks = [await driver.claimed_activity() for _ in range(3)]
    await driver.complete_activity(tasks[1])
    assert (await driver.claim()).outcome == "empty"
    await driver.complete_activity(tasks[0])
    await driver.claimed()


async def test_a_group_sent_again_changes_nothing(driver: Driver) -> None:
    commands = group(schedule(), timer(60), base=1)
    run_id = await driver.begin(*commands)
    await driver.signal()
    before = await driver.types(run_id)
    await driver.advance(*commands)
    assert await driver.types(run_id) == before
    assert (await driver.claimed_activity()).attempt == 1
    assert (await driver.claim_activity()).outcome == "empty"


async def test_a_group_sent_again_with_leaves_that_have_ended_changes_nothing(driver: Driver) -> None:
    commands = group(schedule(), schedule(), base=1)
    run_id = await driver.begin(*commands)
    await driver.complete_activity(await driver.claimed_activity())
    await driver.signal()
    before = await driver.types(run_id)
    await driver.advance(*commands)
    assert await driver.types(run_id) == before
    await driver.complete_activity(await driver.claimed_activity())
    await driver.claimed()


async def test_a_group_may_follow_other_commands_of_its_list(driver: Driver) -> None:
    run_id = await driver.begin(side_effect(), *group(schedule(), schedule(), base=2))
    scheduled = await driver.events(run_id, "ActivityScheduled")
    assert [event["sequence"] for event in scheduled] == [2, 3]


async def test_a_group_follows_an_open_wait_that_is_satisfied(driver: Driver) -> None:
    run_id = await driver.begin(wait())
    await driver.signal()
    await driver.advance(*group(schedule(), base=2))
    assert (await driver.types(run_id))[3:] == ["ConditionWaitSatisfied", "ActivityScheduled"]


@pytest.mark.parametrize("base", [2, 3, 100, 2_147_483_000])
async def test_a_group_behind_its_place_is_refused_whole(driver: Driver, dump: Dump, base: int) -> None:
    await driver.start()
    task = await driver.claimed()
    before = dump()
    refused = await driver.complete(task, *group(schedule(), schedule(), base=base))
    assert refused.outcome == "invalid_commands"
    assert refused["command_index"] == 0
    assert dump() == before


async def test_a_leaf_left_out_is_refused(driver: Driver, dump: Dump) -> None:
    await driver.start()
    task = await driver.claimed()
    first, _, third = group(schedule(), schedule(), schedule(), base=1)
    before = dump()
    refused = await driver.complete(task, first, third)
    assert (refused.outcome, refused["command_index"]) == ("invalid_commands", 1)
    assert dump() == before


async def test_a_refused_completion_can_be_put_right(driver: Driver) -> None:
    await driver.start()
    task = await driver.claimed()
    await driver.complete(task, *group(schedule(), base=7))
    assert (await driver.complete(task, *group(schedule(), base=1))).outcome == "completed"


async def test_a_group_in_a_group_is_released_by_the_outermost(driver: Driver) -> None:
    """Two lists of two in one list: base 1 and size 4 outside."""
    await driver.begin(*_nested())
    tasks = [await driver.claimed_activity() for _ in range(4)]
    for task in tasks[:3]:
        await driver.complete_activity(task)
    assert (await driver.claim()).outcome == "empty"
    await driver.complete_activity(tasks[3])
    await driver.claimed()


async def test_a_nested_group_sent_again_changes_nothing(driver: Driver) -> None:
    run_id = await driver.begin(*_nested())
    await driver.signal()
    before = await driver.types(run_id)
    await driver.advance(*_nested())
    assert await driver.types(run_id) == before


def _nested() -> list[dict[str, Any]]:
    commands = group(schedule(), schedule(), base=1) + group(schedule(), schedule(), base=3)
    outer = group(*[schedule() for _ in range(4)], base=1)
    for command, around in zip(commands, outer, strict=True):
        outside, inside = json.loads(around["group"]), json.loads(command["group"])
        inside["parallel_group_path"] = outside["parallel_group_path"] + inside["parallel_group_path"]
        command["group"] = text_of(inside)
        command["group_base"], command["group_size"] = around["group_base"], around["group_size"]
    return commands


async def test_leaves_that_end_during_a_lease_wake_the_run_after_it(driver: Driver) -> None:
    await driver.begin(*group(schedule(), schedule(), base=1))
    await driver.signal()
    task = await driver.claimed()
    for _ in range(2):
        await driver.complete_activity(await driver.claimed_activity())
    reply = await driver.complete(task, *group(schedule(), schedule(), base=1))
    assert ["workflow", "default", "main"] in reply.hints
    assert (await driver.claimed()).event_types[-2:] == ["ActivityCompleted", "ActivityCompleted"]


async def test_a_leaf_that_ends_during_a_lease_wakes_nobody_alone(driver: Driver) -> None:
    await driver.begin(*group(schedule(), schedule(), base=1))
    await driver.signal()
    task = await driver.claimed()
    await driver.complete_activity(await driver.claimed_activity())
    await driver.wait_for_history(task)
    assert (await driver.claim()).outcome == "empty"


async def test_a_group_of_many_leaves(driver: Driver) -> None:
    run_id = await driver.begin(*group(*[schedule() for _ in range(50)], base=1))
    for _ in range(50):
        await driver.complete_activity(await driver.claimed_activity())
    await driver.advance(complete_workflow())
    assert len(await driver.events(run_id, "ActivityCompleted")) == 50
