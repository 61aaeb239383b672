"""Random steps in a library, undone and redone in any order, searched and sorted, leave it as a plain model says."""

from __future__ import annotations

import os

import pytest

from tests.service.monkey.monkey import PROFILES, Monkey
from tests.store.conftest import check_search_tables
from tui.config import Settings
from tui.service.engine import Engine
from tui.service.local import LocalService

SEEDS = int(os.environ.get("LODE_MONKEY_SEEDS", "12"))
"""Seeds of the long run; ``LODE_MONKEY_SEEDS=200 pytest -m exhaustive tests/service/monkey`` tries more."""


async def run_monkey(settings: Settings, seed: int, steps: int) -> Monkey:
    """Let it do so many steps, look each time, and at the end once more at the library that was closed and opened."""
    engine = Engine(settings, environ={})
    try:
        services = {profile: LocalService(settings, profile, engine=engine) for profile in PROFILES}
        monkey = Monkey(services, seed)
        done: list[str] = []
        for number in range(steps):
            try:
                await monkey.act()
                await monkey.check()
                await monkey.look()
                done.append(f"{number}: {monkey.last}")
            except BaseException as error:
                error.add_note("\n".join((f"seed {seed}", *done[-12:], f"{number}: {monkey.last}")))
                raise
        await services[PROFILES[0]]._library.run(check_search_tables)
    finally:
        await engine.close()
    engine = Engine(settings, environ={})
    try:
        monkey.services = {profile: LocalService(settings, profile, engine=engine) for profile in PROFILES}
        await monkey.check()
        await monkey.look()
    finally:
        await engine.close()
    return monkey


@pytest.mark.parametrize("seed", range(2))
async def test_the_library_is_what_a_plain_model_of_the_steps_says(settings: Settings, seed: int) -> None:
    monkey = await run_monkey(settings, seed, 150)
    expected = "refused", "taken alone", "undone", "redone", "found", "sentences"
    assert all(monkey.done[each] for each in expected), monkey.done


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(100, 100 + SEEDS))
async def test_the_library_is_what_a_plain_model_of_many_steps_says(settings: Settings, seed: int) -> None:
    await run_monkey(settings, seed, 500)
