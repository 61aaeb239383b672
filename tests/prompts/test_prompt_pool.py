"""Several workers: templates without end hold up nobody else, one owner nobody but itself, and all processes end."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tui.errors import TemplateError
from tui.prompts.prompt_pool import PromptPool
from tui.prompts.rendering import PromptRenderer, PromptValues

pytestmark = pytest.mark.exhaustive

VALUES = PromptValues("Hoffentlich fährt er ab.", "fährt")
ENDLESS = "{% for a in sentence*900 %}" * 3 + "{% endfor %}" * 3
LIMIT = 4.0
"""Seconds that an endless template is given here: a busy machine may take two to start a process."""
PATIENCE = 30.0


@pytest.fixture
async def renderer() -> AsyncIterator[PromptRenderer]:
    renderer = PromptRenderer(time_limit=LIMIT, workers=4)
    await renderer.warm()
    yield renderer
    async with asyncio.timeout(PATIENCE):
        await renderer.close()


@pytest.fixture
async def pool() -> AsyncIterator[PromptPool]:
    pool = PromptPool(4)
    yield pool
    async with asyncio.timeout(PATIENCE):
        await pool.close()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.005)


async def all_of(waited_for: list[Awaitable[str]]) -> list[str]:
    async with asyncio.timeout(PATIENCE):
        return await asyncio.gather(*waited_for)


def endless(renderer: PromptRenderer, owner: str = "") -> asyncio.Task[str]:
    return asyncio.create_task(renderer.render(ENDLESS, VALUES, owner=owner))


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_good_templates_are_done_before_an_endless_one_is_given_up(renderer: PromptRenderer) -> None:
    stuck = endless(renderer)
    await asyncio.sleep(0)
    good = await all_of([renderer.render(f"{{{{ focus }}}} {number}", VALUES) for number in range(20)])
    assert not stuck.done()
    assert good == [f"fährt {number}" for number in range(20)]
    with pytest.raises(TemplateError, match="takes longer than"):
        await stuck


async def test_whoever_comes_later_finds_a_warm_worker(renderer: PromptRenderer) -> None:
    stuck = endless(renderer)
    await until(lambda: len(renderer._pool._idle) >= 1)  # the spare, that nobody asked for
    begun = time.monotonic()
    assert await renderer.render("{{ focus }}", VALUES) == "fährt"
    assert time.monotonic() - begun < 1.0
    assert not stuck.done()
    stuck.cancel()


async def test_the_endless_templates_of_one_owner_hold_up_no_other(renderer: PromptRenderer) -> None:
    stuck = [endless(renderer, "a") for _ in range(8)]
    await asyncio.sleep(0)
    assert await all_of([renderer.render("{{ focus }}", VALUES, owner="b") for _ in range(20)]) == ["fährt"] * 20
    await renderer.check("{{ focus }}", owner="c")
    assert await renderer.render_lenient("{{ focus }}", VALUES, owner="d") == ("fährt", None)
    assert not any(task.done() for task in stuck)
    assert [loan.claim.owner for loan in renderer._pool._lent.values()] == ["a", "a"]
    for task in stuck:
        task.cancel()
    await renderer.close()


async def test_templates_that_are_tried_out_leave_room_for_proven_ones(renderer: PromptRenderer) -> None:
    proven = "{{ focus }}, which was rendered before"
    await renderer.render(proven, VALUES, owner="a")
    stuck = [endless(renderer, owner) for owner in "abcdefgh"]
    await until(lambda: len(renderer._pool._lent) == 3 and len(renderer._pool._idle) >= 1)
    begun = time.monotonic()
    for owner in "abc":
        assert await renderer.render(proven, VALUES, owner=owner) == "fährt, which was rendered before"
    assert time.monotonic() - begun < 1.0
    assert not any(task.done() for task in stuck)
    for task in stuck:
        task.cancel()


async def test_a_template_that_ran_out_of_time_is_proven_no_more(renderer: PromptRenderer) -> None:
    renderer._time_limit = 0.5
    turncoat = "{% if focus == 'on' %}" + ENDLESS + "{% endif %}"
    await renderer.render(turncoat, VALUES)
    before = len(renderer._proven._marks)
    with pytest.raises(TemplateError, match="takes longer than"):
        await renderer.render(turncoat, PromptValues("Hoffentlich fährt er ab.", "on"))
    assert len(renderer._proven._marks) == before - 1


async def test_whoever_holds_fewest_comes_first(pool: PromptPool) -> None:
    order: list[str] = []

    async def lent(owner: str) -> None:
        process = await pool.lend(owner)
        order.append(owner)
        pool.give_back(process)

    held = [await pool.lend(owner) for owner in "aab"]
    waiting = [asyncio.create_task(lent(owner)) for owner in "ababc"]
    await asyncio.sleep(0)
    assert order == []
    for process in held:
        pool.give_back(process)
    await asyncio.wait(waiting, timeout=PATIENCE)
    assert order[0] == "c"
    assert sorted(order) == [*"aabbc"]


async def test_a_worker_that_is_killed_meanwhile_costs_nobody_an_answer(renderer: PromptRenderer) -> None:
    stuck = [endless(renderer, "a"), endless(renderer, "a")]
    await until(lambda: len(renderer._pool._idle) >= 1)
    good = [asyncio.create_task(renderer.render("{{ focus }}", VALUES, owner="b")) for _ in range(10)]
    await asyncio.sleep(0)
    for process in renderer._pool.processes:
        os.kill(process.pid, signal.SIGKILL)
    assert await all_of([*good]) == ["fährt"] * 10
    for task in stuck:
        task.cancel()


async def test_one_that_is_killed_while_it_starts_is_started_again(pool: PromptPool) -> None:
    turn = asyncio.create_task(pool.lend())
    await until(lambda: any(process.pid for process in pool.processes))
    os.kill(pool.processes[0].pid, signal.SIGKILL)
    async with asyncio.timeout(PATIENCE):
        pool.give_back(await turn)
    assert len(pool.processes) == 1


async def test_the_processes_of_a_closed_pool_are_gone(renderer: PromptRenderer) -> None:
    stuck = [endless(renderer, owner) for owner in "aabbb"]
    await until(lambda: len(renderer._pool.processes) == 4 and all(each.pid for each in renderer._pool.processes))
    pids = [process.pid for process in renderer._pool.processes]
    begun = time.monotonic()
    await renderer.close()
    assert time.monotonic() - begun < LIMIT / 2
    assert all(map(is_gone, pids))
    for outcome in await asyncio.gather(*stuck, return_exceptions=True):
        assert isinstance(outcome, TemplateError) and "Lode is closing" in outcome.message


async def test_workers_that_nobody_needs_end_and_one_stays() -> None:
    pool = PromptPool(3, idle_limit=0.02)  # less than the next one takes to start: it is kept while it is needed
    lent = [await pool.lend("a"), await pool.lend("b"), await pool.lend("c", is_proven=True)]
    pids = [process.pid for process in lent]
    assert len(set(pids)) == 3
    for process in lent:
        pool.give_back(process)
    await until(lambda: len(pool.processes) == 1)
    (left,) = pool.processes
    pool._retire(left)  # as its timer does
    assert left.is_usable and not is_gone(left.pid)
    assert sum(map(is_gone, pids)) == 2
    await pool.close()
    assert is_gone(left.pid)


async def test_one_worker_stays_one_whatever_waits() -> None:
    renderer = PromptRenderer(time_limit=0.3)
    await renderer.warm()
    stuck = endless(renderer)
    good = [asyncio.create_task(renderer.render("{{ focus }}", VALUES)) for _ in range(5)]
    most = 0
    while not all(task.done() for task in (stuck, *good)):
        most = max(most, len(renderer._pool.processes))
        await asyncio.sleep(0.01)
    assert most == 1
    assert [task.result() for task in good] == ["fährt"] * 5
    await renderer.close()


async def test_a_turn_that_is_given_and_cancelled_at_once_goes_to_the_next(pool: PromptPool) -> None:
    process = await pool.lend("a")
    pool._most = 1  # so that there is just this one to wait for
    first, second = asyncio.create_task(pool.lend("a")), asyncio.create_task(pool.lend("a"))
    await asyncio.sleep(0)
    pool.give_back(process)
    first.cancel()
    async with asyncio.timeout(PATIENCE):
        assert await second is process
    with pytest.raises(asyncio.CancelledError):
        await first
    pool.give_back(process)


async def test_all_who_wait_are_told_when_no_worker_starts(pool: PromptPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.prompts.prompt_process.sys.executable", str(Path(os.devnull)))
    async with asyncio.timeout(PATIENCE):
        outcomes = await asyncio.gather(*(pool.lend(owner) for owner in "aab"), return_exceptions=True)
    assert all(isinstance(outcome, TemplateError) and "does not start" in outcome.message for outcome in outcomes)
    monkeypatch.undo()
    pool.give_back(await pool.lend())
