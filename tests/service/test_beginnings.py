"""Answers that begin at once do so one after the other, and nobody is held up by one who went away."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise

from tui.service.beginnings import _LONGEST, _ROUNDS, Beginnings


class Rounds:
    """Counts the rounds of the event loop."""

    def __init__(self) -> None:
        self.count = 0
        self._next()

    def _next(self) -> None:
        self.count += 1
        self._handle = asyncio.get_running_loop().call_soon(self._next)

    def stop(self) -> None:
        self._handle.cancel()


async def test_between_two_beginnings_the_loop_does_everything_else_a_few_times() -> None:
    beginnings, rounds = Beginnings(), Rounds()
    begun: list[tuple[int, int]] = []

    async def begin(number: int) -> None:
        await beginnings.turn()
        begun.append((number, rounds.count))

    await asyncio.gather(*map(begin, range(20)))
    rounds.stop()
    assert [number for number, _ in begun] == list(range(20))
    at = [count for _, count in begun]
    assert all(later - sooner >= _ROUNDS for sooner, later in pairwise(at))


async def test_who_goes_away_while_waiting_or_at_the_door_holds_nobody_up() -> None:
    beginnings = Beginnings()
    first, second, third = (asyncio.create_task(beginnings.turn()) for _ in range(3))
    await asyncio.sleep(0)
    second.cancel()
    first.cancel()
    await asyncio.wait_for(third, 5)
    assert first.cancelled() and second.cancelled()


async def test_where_rounds_take_long_a_turn_is_over_all_the_same() -> None:
    beginnings, rounds = Beginnings(), 0

    async def busy() -> None:
        nonlocal rounds
        while True:
            time.sleep(2 * _LONGEST)  # a round that has very much to do
            rounds += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(busy())
    await beginnings.turn()
    task.cancel()
    assert 0 < rounds < _ROUNDS
