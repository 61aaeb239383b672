"""Jobs: order, cancelling, retrying, and what a process that dies leaves behind."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.service.jobs.conftest import Jobs
from tests.service.steps import STORY, ended, imported, refusal
from tui.config import Settings
from tui.errors import InvalidInput, NotFound
from tui.service.jobs import lane
from tui.service.jobs.running_job import RunningJob
from tui.service.local import LocalService
from tui.service.protocol import Service
from tui.store import Store
from tui.store.tables.jobs import Jobs as JobTable


class Stubborn:
    """The work of a job that goes on until it is told to stop."""

    def __init__(self) -> None:
        self.began, self.stopped = asyncio.Event(), asyncio.Event()

    async def __call__(self, running: RunningJob) -> None:
        self.began.set()
        try:
            while True:
                await asyncio.sleep(0.01)  # the work between two reports
                await running.report(0.5, "at it")
        finally:
            self.stopped.set()


class Waiting:
    """The work of a job that waits until it may go on."""

    def __init__(self) -> None:
        self.began: asyncio.Future[RunningJob] = asyncio.get_running_loop().create_future()
        self.go_on = asyncio.Event()

    async def __call__(self, running: RunningJob) -> None:
        if not self.began.done():
            self.began.set_result(running)
        await self.go_on.wait()
        await running.report(0.5, "half")


class Held:
    """A call of a method of the store that is held before it does anything, or with what it gives; the first one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str, *, afterwards: bool = False) -> None:
        self._called, self._reached, self._released = threading.Event(), threading.Event(), threading.Event()
        real = getattr(JobTable, name)

        def call(*args: Any, **changes: Any) -> Any:
            if self._called.is_set():
                return real(*args, **changes)
            self._called.set()
            given = real(*args, **changes) if afterwards else None
            self._reached.set()
            assert self._released.wait(20)
            return given if afterwards else real(*args, **changes)

        monkeypatch.setattr(JobTable, name, call)

    async def reached(self) -> None:
        assert await asyncio.to_thread(self._reached.wait, 20)

    def release(self) -> None:
        self._released.set()


@pytest.fixture
async def second(settings: Settings) -> AsyncIterator[LocalService]:
    """The same library in another process, as far as the first can tell."""
    service = LocalService(settings)
    yield service
    await service.close()


async def test_many_are_cancelled_at_once_and_none_begins_meanwhile(jobs: Jobs) -> None:
    stubborn, over = Stubborn(), jobs.note()
    jobs.work["stubborn"] = stubborn
    (done,) = await jobs.queue("work", "done")
    assert (await jobs.follow(done))["done"].state == "succeeded"
    queued = (*await jobs.queue("stubborn", "one"), *await jobs.queue("work", "two", "three"))
    await stubborn.began.wait()
    assert await jobs.service.running() == 3
    ends = await jobs.service.cancel(*(job.id for job in queued), done.id)
    assert [end.state for end in ends] == ["cancelled", "cancelled", "cancelled", "succeeded"]
    assert await jobs.service.running() == 0
    assert over == ["done"]


async def test_deleting_a_file_cancels_its_running_job_first(service: Service, jobs: Jobs, tmp_path: Path) -> None:
    job = await imported(service, tmp_path / "a.srt")
    stubborn = jobs.work["stubborn"] = Stubborn()
    (running,) = await jobs.queue("stubborn", "a.srt")
    await stubborn.began.wait()
    await jobs.runner.update(running.id, file_id=job.file_id)
    deletion = await service.files.delete(job.file_id or "")
    assert set(deletion.job_ids) == {job.id, running.id}
    assert stubborn.stopped.is_set()
    assert isinstance(await refusal(service.jobs.get(running.id)), NotFound)


@pytest.mark.parametrize("by_another_process", [False, True])
async def test_a_job_cancelled_while_it_begins_is_not_done(
    jobs: Jobs, second: LocalService, monkeypatch: pytest.MonkeyPatch, by_another_process: bool
) -> None:
    done, held = jobs.note(), Held(monkeypatch, "is_queued")
    (job,) = await jobs.queue("work", "one")
    await held.reached()
    if by_another_process:
        assert (await second.jobs.cancel(job.id))[0].message == "cancelled before it began"
        held.release()
    else:
        cancelling = asyncio.create_task(jobs.service.cancel(job.id))
        running = jobs.runner._lanes[""].running[job.id]
        assert await asyncio.to_thread(running.cancel_asked.wait, 20)
        assert (await jobs.state(job), cancelling.done()) == ("queued", False)
        held.release()
        assert (await cancelling)[0].state == "cancelled"
    assert (await jobs.follow(*await jobs.queue("work", "two")))["two"].state == "succeeded"
    assert await jobs.state(job) == "cancelled"
    assert done == ["two"]


async def test_a_job_that_is_slow_to_begin_is_done_all_the_same(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "_UNRECORDED_SECONDS", 0.0)
    done, held = jobs.note(), Held(monkeypatch, "is_queued")
    (job,) = await jobs.queue("work", "one")
    await held.reached()
    for _ in range(20):  # looks at the library, behind which a record of its beginning would have come
        assert await jobs.state(job) == "queued"
    held.release()
    assert (await jobs.follow(job))["one"].state == "succeeded"
    assert done == ["one"]


async def test_a_job_that_begins_while_it_is_cancelled_is_stopped(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    first, stubborn = Waiting(), Stubborn()
    jobs.work |= {"first": first, "stubborn": stubborn}
    await jobs.queue("first", "x")
    (job,) = await jobs.queue("stubborn", "y")
    held = Held(monkeypatch, "cancel")
    cancelling = asyncio.create_task(jobs.service.cancel(job.id))
    await held.reached()
    first.go_on.set()
    await stubborn.began.wait()
    held.release()
    assert [(each.state, each.message) for each in await cancelling] == [("cancelled", "cancelled")]
    assert stubborn.stopped.is_set()


async def test_a_job_that_ends_while_looked_at_stays_as_it_ended(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    work = jobs.work["work"] = Waiting()
    (job,) = await jobs.queue("work", "x")
    running = await work.began
    held = Held(monkeypatch, "get", afterwards=True)
    cancelling = asyncio.create_task(jobs.service.cancel(job.id))
    await held.reached()
    work.go_on.set()
    await running.over.wait()
    held.release()
    assert (await cancelling)[0].state == "succeeded"


async def test_a_job_that_another_process_cancels_stops_when_it_reports(jobs: Jobs, second: LocalService) -> None:
    stubborn = jobs.work["stubborn"] = Stubborn()
    (job,) = await jobs.queue("stubborn", "x")
    await stubborn.began.wait()
    assert (await second.jobs.cancel(job.id))[0].state == "cancelled"
    await stubborn.stopped.wait()
    assert await jobs.state(job) == "cancelled"


async def test_an_import_that_another_process_cancels_before_it_is_written_down_is_not_kept(
    service: Service, jobs: Jobs, second: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "story.srt").write_text(STORY, "utf-8")
    held = Held(monkeypatch, "done")
    (job,) = await service.files.add([path])
    await held.reached()
    assert (await second.jobs.cancel(job.id))[0].state == "cancelled"
    held.release()
    assert (await ended(service, job)).state == "cancelled"
    after = await ended(service, *await service.files.add([path]))
    assert (after.state, await jobs.state(job)) == ("succeeded", "cancelled")
    assert [file.id for file in (await service.files.page()).items] == [after.file_id]


async def test_a_job_tried_again_twice_at_once_is_queued_once(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    (job,) = await jobs.queue("work", "x")
    await jobs.follow(job)  # it fails: nobody knows yet how it is done
    done, held = jobs.note(), Held(monkeypatch, "get", afterwards=True)
    late = asyncio.create_task(jobs.service.retry(job.id))
    await held.reached()
    again = await jobs.service.retry(job.id)
    assert (await jobs.follow(again))["x"].state == "succeeded"
    held.release()
    assert "it is succeeded" in (await refusal(late)).message
    assert await jobs.state(job) == "succeeded"
    assert done == ["x"]


async def test_a_failed_import_can_be_tried_again_once_the_file_is_mended(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "a.srt"
    path.write_bytes(b"")
    job = await ended(service, *await service.files.add([path]))
    assert job.state == "failed"
    path.write_text(STORY, "utf-8")
    again = await ended(service, await service.jobs.retry(job.id))
    assert (again.state, again.error) == ("succeeded", None)
    assert isinstance(await refusal(service.jobs.retry(job.id)), InvalidInput)


@pytest.mark.parametrize("locked_at", ["before it begins", "at its end"])
async def test_an_end_that_cannot_be_recorded_is_told(
    jobs: Jobs, home: Path, monkeypatch: pytest.MonkeyPatch, locked_at: str
) -> None:
    real_open = Store.open
    monkeypatch.setattr(Store, "open", lambda directory: real_open(directory, busy_seconds=0.05))
    work = jobs.work["work"] = Waiting()
    (first,) = await jobs.queue("work", "first")
    async for job in jobs.service.follow([first.id]):
        if job.state == "running":
            break
    (later,) = await jobs.queue("work", "second")
    followed = later if locked_at == "before it begins" else first
    with closing(sqlite3.connect(home / "lode.db", isolation_level=None)) as other_program:
        other_program.execute("BEGIN IMMEDIATE")
        work.go_on.set()
        failed = (await jobs.follow(followed))[followed.source]
        assert failed.state == "failed"
        assert "another program holds the database" in (failed.error or "")
        await jobs.follow(first, later)
        assert {job.state for job in (await jobs.service.page()).items} == {"failed"}
        assert await jobs.service.running() == 0
        other_program.execute("ROLLBACK")
    again = await jobs.follow(await jobs.service.retry(followed.id))
    assert again[followed.source].state == "succeeded"
    assert await jobs.service.running() == 0
