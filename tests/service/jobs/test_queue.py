"""Jobs: order, cancelling, retrying, and what a process that dies leaves behind."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.service.files.test_files import STORY, finished, imported
from tests.service.libraries import Opened
from tui.config import Settings
from tui.errors import InvalidInput, NotFound
from tui.records.jobs import Job
from tui.records.library import Deletion
from tui.service.engine import Engine
from tui.service.jobs import queue
from tui.service.jobs.queue import JobRunner
from tui.service.jobs.running_job import RunningJob
from tui.service.library import Library
from tui.service.local import LocalService
from tui.service.protocol import Service
from tui.store import Store
from tui.store.tables.jobs import Jobs


async def test_a_queued_job_can_be_cancelled_before_it_begins(library: Opened) -> None:
    service, runner = library.service, library.engine.jobs
    started, go_on = asyncio.Event(), asyncio.Event()

    async def slow(running: RunningJob) -> None:
        started.set()
        await go_on.wait()
        await running.report(0.5, "half")

    runner.work["slow"] = slow
    first, second = await runner.queue(library.jobs, "slow", ["one", "two"], {})
    await started.wait()
    assert await service.jobs.running() == 2
    assert (await service.jobs.cancel(second.id))[0].state == "cancelled"
    cancelling = asyncio.create_task(service.jobs.cancel(first.id))
    await asyncio.sleep(0)
    go_on.set()
    assert (await cancelling)[0].state in ("cancelled", "succeeded")
    assert await service.jobs.running() == 0


async def test_many_are_cancelled_at_once_and_none_begins_meanwhile(library: Opened) -> None:
    service, runner = library.service, library.engine.jobs
    stubborn, over = Stubborn(), noted(runner)
    runner.work["stubborn"] = stubborn
    (done,) = await runner.queue(library.jobs, "work", ["done"], {})
    assert [change.state async for change in service.jobs.follow([done.id])][-1] == "succeeded"
    jobs = await runner.queue(library.jobs, "stubborn", ["one"], {})
    jobs += await runner.queue(library.jobs, "work", ["two", "three"], {})
    await stubborn.began.wait()
    ends = await service.jobs.cancel(*(job.id for job in jobs), done.id)
    assert [end.state for end in ends] == ["cancelled", "cancelled", "cancelled", "succeeded"]
    assert over == ["done"]


async def test_deleting_a_file_cancels_its_running_job_first(library: Opened, tmp_path: Path) -> None:
    service, runner = library.service, library.engine.jobs
    job = await imported(service, tmp_path / "a.srt")
    assert job.file_id is not None
    stubborn = Stubborn()
    runner.work["stubborn"] = stubborn
    (running,) = await runner.queue(library.jobs, "stubborn", ["a.srt"], {})
    await stubborn.began.wait()
    await runner.update(running.id, file_id=job.file_id)
    deletion = await service.files.delete(job.file_id)
    assert set(deletion.job_ids) == {job.id, running.id}
    assert stubborn.stopped.is_set()
    with pytest.raises(NotFound):
        await service.jobs.get(running.id)


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


def noted(runner: JobRunner) -> list[str]:
    """A kind of job, "work", that only notes here what it works on."""
    done: list[str] = []

    async def work(running: RunningJob) -> None:
        done.append(running.job.source)

    runner.work["work"] = work
    return done


class Held:
    """A call of a method of the store that is held before it does anything, or with what it gives; the first one."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, name: str, *, of: type = Jobs, afterwards: bool = False
    ) -> None:
        self._called, self._reached, self._released = threading.Event(), threading.Event(), threading.Event()
        real = getattr(of, name)

        def call(*args: Any, **changes: Any) -> Any:
            if self._called.is_set():
                return real(*args, **changes)
            self._called.set()
            given = real(*args, **changes) if afterwards else None
            self._reached.set()
            assert self._released.wait(20)
            return given if afterwards else real(*args, **changes)

        monkeypatch.setattr(of, name, call)

    async def reached(self) -> None:
        assert await asyncio.to_thread(self._reached.wait, 20)

    def release(self) -> None:
        self._released.set()


@pytest.mark.parametrize("by_another_process", [False, True])
async def test_a_job_that_is_cancelled_while_it_begins_is_not_done(
    library: Opened, settings: Settings, monkeypatch: pytest.MonkeyPatch, by_another_process: bool
) -> None:
    service, runner = library.service, library.engine.jobs
    done = noted(runner)
    second = LocalService(settings)
    held = Held(monkeypatch, "is_queued")
    (job,) = await runner.queue(library.jobs, "work", ["one"], {})
    await held.reached()
    if by_another_process:
        assert (await second.jobs.cancel(job.id))[0].message == "cancelled before it began"
        held.release()
    else:
        cancelling = asyncio.create_task(runner.cancel("default", job.id))
        running = runner._running[job.id]
        assert await asyncio.to_thread(running.cancel_asked.wait, 20)
        assert ((await service.jobs.get(job.id)).state, cancelling.done()) == ("queued", False)
        held.release()
        assert (await cancelling)[0].state == "cancelled"
    (after,) = await runner.queue(library.jobs, "work", ["two"], {})
    assert [change.state async for change in service.jobs.follow([after.id])][-1] == "succeeded"
    assert (await service.jobs.get(job.id)).state == "cancelled"
    assert done == ["two"]
    await second.close()


async def test_a_job_that_is_slow_to_begin_is_done_all_the_same(
    library: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, runner = library.service, library.engine.jobs
    monkeypatch.setattr(queue, "_UNRECORDED_SECONDS", 0.0)
    done, held = noted(runner), Held(monkeypatch, "is_queued")
    (job,) = await runner.queue(library.jobs, "work", ["one"], {})
    await held.reached()
    for _ in range(20):  # looks at the library, behind which a record of its beginning would have come
        assert (await service.jobs.get(job.id)).state == "queued"
    held.release()
    assert [change.state async for change in service.jobs.follow([job.id])][-1] == "succeeded"
    assert done == ["one"]


@pytest.mark.parametrize("by", ["cancelling it", "deleting its file"])
async def test_a_queued_job_that_begins_while_it_is_cancelled_is_stopped(
    library: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    service, runner = library.service, library.engine.jobs
    file_id = (await imported(service, tmp_path / "a.srt")).file_id
    assert file_id is not None
    go_on, stubborn = asyncio.Event(), Stubborn()

    async def first(running: RunningJob) -> None:
        await go_on.wait()

    runner.work["first"] = first
    runner.work["stubborn"] = stubborn
    await runner.queue(library.jobs, "first", ["x"], {})
    (job,) = await runner.queue(library.jobs, "stubborn", ["y"], {})
    await runner.update(job.id, file_id=file_id)
    held = Held(monkeypatch, "cancel")
    if by == "cancelling it":
        ending: asyncio.Future[tuple[Job, ...] | Deletion] = asyncio.ensure_future(service.jobs.cancel(job.id))
    else:
        ending = asyncio.ensure_future(service.files.delete(file_id))
    await held.reached()
    go_on.set()
    await stubborn.began.wait()
    held.release()
    end = await ending
    assert stubborn.stopped.is_set()
    if isinstance(end, Deletion):
        assert job.id in end.job_ids
    else:
        assert [(each.state, each.message) for each in end] == [("cancelled", "cancelled")]


async def test_a_job_that_ends_while_it_is_looked_at_stays_as_it_ended(
    library: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = library.engine.jobs
    began: asyncio.Future[RunningJob] = asyncio.get_running_loop().create_future()
    go_on = asyncio.Event()

    async def work(running: RunningJob) -> None:
        began.set_result(running)
        await go_on.wait()

    runner.work["work"] = work
    (job,) = await runner.queue(library.jobs, "work", ["x"], {})
    running = await began
    held = Held(monkeypatch, "get", afterwards=True)
    cancelling = asyncio.create_task(runner.cancel("default", job.id))
    await held.reached()
    go_on.set()
    await running.over.wait()
    held.release()
    assert (await cancelling)[0].state == "succeeded"


async def test_a_running_job_that_another_process_cancels_stops_when_it_next_reports(
    library: Opened, settings: Settings
) -> None:
    service, runner = library.service, library.engine.jobs
    stubborn = Stubborn()
    runner.work["stubborn"] = stubborn
    second = LocalService(settings)
    (job,) = await runner.queue(library.jobs, "stubborn", ["x"], {})
    await stubborn.began.wait()
    assert (await second.jobs.cancel(job.id))[0].state == "cancelled"
    await stubborn.stopped.wait()
    assert (await service.jobs.get(job.id)).state == "cancelled"
    await second.close()


async def test_an_import_that_another_process_cancels_before_it_is_written_down_is_not_kept(
    library: Opened, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "story.srt").write_text(STORY, "utf-8")
    second = LocalService(settings)
    held = Held(monkeypatch, "done")
    (job,) = await library.service.files.add([path])
    await held.reached()
    assert (await second.jobs.cancel(job.id))[0].state == "cancelled"
    held.release()
    assert [change.state async for change in library.service.jobs.follow([job.id])][-1] == "cancelled"
    (after,) = (await finished(library.service, await library.service.files.add([path]))).values()
    assert (after.state, (await library.service.jobs.get(job.id)).state) == ("succeeded", "cancelled")
    assert [file.id for file in (await library.service.files.page()).items] == [after.file_id]
    await second.close()


async def test_a_job_that_is_tried_again_twice_at_once_is_queued_once(
    library: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, runner = library.service, library.engine.jobs
    (job,) = await runner.queue(library.jobs, "work", ["x"], {})
    async for _ in service.jobs.follow([job.id]):
        pass  # it fails: nobody knows yet how it is done
    done = noted(runner)
    held = Held(monkeypatch, "get", afterwards=True)
    late = asyncio.create_task(service.jobs.retry(job.id))
    await held.reached()
    again = await service.jobs.retry(job.id)
    assert [change.state async for change in service.jobs.follow([again.id])][-1] == "succeeded"
    held.release()
    with pytest.raises(InvalidInput, match="it is succeeded"):
        await late
    assert (await service.jobs.get(job.id)).state == "succeeded"
    assert done == ["x"]


async def test_jobs_that_cannot_all_be_queued_are_none_of_them(library: Opened) -> None:
    service, runner = library.service, library.engine.jobs
    with pytest.raises(InvalidInput):
        await runner.queue(library.jobs, "import", ["a.srt", "b\udcff.srt"], {})
    assert (await service.jobs.page()).total == 0


async def test_a_failed_import_can_be_tried_again_once_the_file_is_mended(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "a.srt"
    path.write_bytes(b"")
    (job,) = (await finished(service, await service.files.add([path]))).values()
    assert job.state == "failed"
    path.write_text(STORY, "utf-8")
    ends = await finished(service, (await service.jobs.retry(job.id),))
    assert ends["a.srt"].state == "succeeded"
    assert ends["a.srt"].error is None
    with pytest.raises(InvalidInput):
        await service.jobs.retry(job.id)


@pytest.mark.parametrize("locked_at", ["before it begins", "at its end"])
async def test_the_end_of_a_job_that_cannot_be_recorded_is_told_all_the_same(
    library: Opened, home: Path, monkeypatch: pytest.MonkeyPatch, locked_at: str
) -> None:
    service, runner = library.service, library.engine.jobs
    real_open = Store.open
    monkeypatch.setattr(Store, "open", lambda directory: real_open(directory, busy_seconds=0.05))
    may_end = asyncio.Event()

    async def work(running: RunningJob) -> None:
        await may_end.wait()

    runner.work["work"] = work
    (first,) = await runner.queue(library.jobs, "work", ["first"], {})
    async for job in service.jobs.follow([first.id]):
        if job.state == "running":
            break
    (second,) = await runner.queue(library.jobs, "work", ["second"], {})
    followed = second if locked_at == "before it begins" else first
    with closing(sqlite3.connect(home / "lode.db", isolation_level=None)) as other_program:
        other_program.execute("BEGIN IMMEDIATE")
        may_end.set()
        changes = [job async for job in service.jobs.follow([followed.id])]
        assert changes[-1].state == "failed"
        assert "another program holds the database" in (changes[-1].error or "")
        async for _ in service.jobs.follow([first.id, second.id]):
            pass
        assert {job.state for job in (await service.jobs.page()).items} == {"failed"}
        assert await service.jobs.running() == 0
        other_program.execute("ROLLBACK")
    again = await service.jobs.retry(followed.id)
    assert [job.state async for job in service.jobs.follow([again.id])][-1] == "succeeded"
    assert await service.jobs.running() == 0


async def test_closing_in_the_middle_leaves_an_interrupted_job(settings: Settings) -> None:
    engine = Engine(settings)
    started = asyncio.Event()

    async def endless(running: RunningJob) -> None:
        started.set()
        await asyncio.Event().wait()

    engine.jobs.work["endless"] = endless
    (job,) = await engine.jobs.queue(Library(engine.database, "default"), "endless", ["x"], {})
    await started.wait()
    await engine.close()
    again = LocalService(settings)
    try:
        assert (await again.jobs.get(job.id)).state == "interrupted"
    finally:
        await again.close()
