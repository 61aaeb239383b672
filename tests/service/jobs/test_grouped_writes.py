"""Grouped writes: many small imports share a transaction, and each is still kept or not on its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.service.files.test_files import STORY, finished
from tests.service.libraries import Opened
from tui.config import Settings
from tui.errors import InvalidInput
from tui.service import write_batcher
from tui.service.engine import Engine
from tui.service.jobs.running_job import RunningJob
from tui.service.library import Library
from tui.store import Store


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the groups that are written."""
    sizes: list[int] = []
    real = Store.write_batch

    def write_batch(store: Store, works: Sequence[Callable[[Store], Any]]) -> list[Any]:
        sizes.append(len(works))
        return real(store, works)

    monkeypatch.setattr(Store, "write_batch", write_batch)
    return sizes


def stories(directory: Path, count: int) -> list[Path]:
    """Files that differ, and one in the middle that is none."""
    paths = [directory / f"story-{number}.srt" for number in range(count)]
    for path in paths:
        path.write_text(f"{STORY}\n\n9\n00:00:59,000 --> 00:01:00,000\n{path.stem}\n", "utf-8")
    paths[count // 2].write_bytes(b"")
    return paths


async def test_the_files_of_a_directory_share_transactions_and_a_refused_one_is_told(
    library: Opened, tmp_path: Path, groups: list[int]
) -> None:
    paths = stories(tmp_path, 21)
    ends = await finished(library.service, await library.service.files.add(paths))
    assert [name for name, job in ends.items() if job.state != "succeeded"] == ["story-10.srt"]
    assert sum(groups) == 20
    assert len(groups) < 20
    page = await library.service.files.page()
    assert [file.name for file in page.items] == [path.name for path in reversed(paths) if path != paths[10]]


async def test_what_one_job_cannot_keep_takes_nothing_from_the_others(
    library: Opened, groups: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_batcher, "_SECONDS", 60.0)  # also where the machine stands still for a while
    service, runner = library.service, library.engine.jobs

    async def work(running: RunningJob) -> None:
        def write(store: Store) -> None:
            store.jobs.update(running.job.id, state="succeeded", message=running.job.source)
            if running.job.source == "two":
                raise InvalidInput("two is one too many")

        await running.keep(write)

    runner.work["work"] = work
    jobs = await runner.queue(library.jobs, "work", ["one", "two", "three"], {})
    ends = {job.source: job async for job in service.jobs.follow([job.id for job in jobs]) if job.is_over}
    assert {source: job.state for source, job in ends.items()} == {
        "one": "succeeded",
        "two": "failed",
        "three": "succeeded",
    }
    assert ends["two"].error == "two is one too many"
    assert groups == [3]


async def test_a_job_that_is_cancelled_while_it_waits_for_others_is_not_kept(
    library: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_batcher, "_SECONDS", 60.0)
    service, runner = library.service, library.engine.jobs
    began, go_on = asyncio.Event(), asyncio.Event()
    kept: list[str] = []

    async def work(running: RunningJob) -> None:
        if running.job.source == "last":
            began.set()
            await go_on.wait()
        await running.keep(lambda store: kept.append(running.job.source))

    runner.work["work"] = work
    first, last = await runner.queue(library.jobs, "work", ["first", "last"], {})
    await began.wait()
    assert [job.state for job in await service.jobs.cancel(first.id)] == ["cancelled"]
    go_on.set()
    assert [job.state async for job in service.jobs.follow([last.id])][-1] == "succeeded"
    assert kept == ["last"]


async def test_files_that_wait_to_be_written_when_lode_is_closed_can_be_tried_again(
    settings: Settings, tmp_path: Path
) -> None:
    engine = Engine(settings)
    library, began = Library(engine.database, "default"), asyncio.Event()

    async def work(running: RunningJob) -> None:
        if running.job.source == "last":
            began.set()
            await asyncio.Event().wait()
        await running.keep(lambda store: None)

    engine.jobs.work["work"] = work
    jobs = await engine.jobs.queue(library, "work", ["first", "last"], {})
    await began.wait()
    await engine.close()
    store = Store.open(settings.home)
    assert [store.jobs.get("default", job.id).state for job in jobs][1] == "interrupted"
    assert store.jobs.get("default", jobs[0].id).state in ("interrupted", "succeeded")
    store.close()
