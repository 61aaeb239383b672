"""Work that takes long holds nobody up and ends when nobody waits for it; what a warm engine has imported."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tui.service.library import Database, WorkAbandoned
from tui.store import Store


class Long:
    """Goes on until it is told that nobody waits; ``ended`` is set when it has."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ended = threading.Event()

    def __call__(self, store: Store, check: Callable[[], None]) -> None:
        self.begun.set()
        try:
            while True:
                check()
                self.ended.wait(0.001)
        except WorkAbandoned:
            self.ended.wait(0.05)  # as what has to be put away takes a while
            raise
        finally:
            self.ended.set()


async def test_nothing_waits_behind_it_but_its_like(tmp_path: Path) -> None:
    database = Database(tmp_path)
    works = [Long() for _ in range(6)]
    doing = [asyncio.create_task(database.run_long(work)) for work in works]
    for work in works[:2]:
        await asyncio.to_thread(work.begun.wait, 10)
    assert await database.run(lambda store: store.clips.page("default").total) == 0
    assert not any(work.begun.is_set() for work in works[2:])
    for task in doing[2:]:
        task.cancel()
    await asyncio.wait(doing[2:], timeout=10)
    assert not any(work.begun.is_set() for work in works[2:])  # it was never their turn
    doing[0].cancel()
    with pytest.raises(asyncio.CancelledError):
        await doing[0]
    assert works[0].ended.is_set(), "who is cancelled returns when it has ended"
    await database.close()
    assert works[1].ended.is_set()
    with pytest.raises(WorkAbandoned):
        await doing[1]


@pytest.mark.exhaustive
def test_a_warm_engine_has_imported_what_asking_a_model_needs(run_python: Callable[[str], str]) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from tui.config import Settings
from tui.service.engine import Engine

engine = Engine(Settings(Path("none"), Path("none")), connections=1000)
before = set(sys.modules)
asyncio.run(engine.warm())
print(sorted({"httpx", "jinja2", "tui.llm.breakdown"} & (set(sys.modules) - before)))
"""
    assert run_python(code) == "['httpx', 'jinja2', 'tui.llm.breakdown']\n"
