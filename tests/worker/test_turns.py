"""Slots that are passed on, and requests that complete a task."""

from __future__ import annotations

import asyncio

from byssus.worker.turns import Slots, Turn


async def test_a_slot_that_is_passed_on_stays_taken_until_the_next_task_is_over() -> None:
    slots = Slots(1)
    await slots.acquire()
    slots.pass_on()
    slots.release()
    assert slots.locked()
    slots.release()
    assert not slots.locked()


async def test_whoever_waits_gets_no_slot_that_is_passed_on() -> None:
    slots = Slots(1)
    await slots.acquire()
    waiting = asyncio.create_task(slots.acquire())
    await asyncio.sleep(0)
    for _ in range(3):
        slots.pass_on()
        slots.release()
        await asyncio.sleep(0)
        assert not waiting.done()
    slots.release()
    assert await waiting


def test_a_turn_knows_what_completes_its_task() -> None:
    turn = Turn("activity", {"task_id": "run:a1"})
    assert turn.is_completed_by("/worker/activity-tasks/run:a1/complete")
    assert not turn.is_completed_by("/worker/activity-tasks/run:a1/fail")
    assert not turn.is_completed_by("/worker/activity-tasks/run:a2/complete")
    assert not turn.is_completed_by("/worker/workflow-tasks/run:a1/complete")
