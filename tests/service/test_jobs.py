"""Jobs: order, cancelling, retrying, and what a process that dies leaves behind."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.service.places import Opened, both_every_day, only_here
from tests.service.test_files import STORY, finished, imported
from tui.config import Settings
from tui.errors import InvalidInput, NotFound
from tui.service.engine import Engine
from tui.service.jobs import RunningJob
from tui.service.library import Library
from tui.service.local import LocalService
from tui.service.protocol import Service
from tui.store import Store


async def test_a_queued_job_can_be_cancelled_before_it_begins(library: Opened, tmp_path: Path) -> None:
    service, runner = library.service, library.engine.jobs
    started, go_on = asyncio.Event(), asyncio.Event()

    async def slow(running: RunningJob) -> None:
        started.set()
        await go_on.wait()
        await running.report(0.5, "half")

    runner.register("slow", slow)
    first, second = await runner.queue(library.jobs, "slow", ["one", "two"], {})
    await started.wait()
    assert await service.jobs.running() == 2
    assert (await service.jobs.cancel(second.id)).state == "cancelled"
    cancelling = asyncio.create_task(service.jobs.cancel(first.id))
    await asyncio.sleep(0)
    go_on.set()
    assert (await cancelling).state in ("cancelled", "succeeded")
    assert await service.jobs.running() == 0


@both_every_day
async def test_deleting_a_file_cancels_its_running_job_first(library: Opened, tmp_path: Path) -> None:
    service, runner = library.service, library.engine.jobs
    job = await imported(service, tmp_path / "a.srt")
    assert job.file_id is not None
    started = asyncio.Event()
    stopped: list[str] = []

    async def stubborn(running: RunningJob) -> None:
        await runner.update(running.job.id, file_id=job.file_id)
        started.set()
        try:
            while True:
                await asyncio.sleep(0.01)
                await running.report(0.5, "at it")
        finally:
            stopped.append(running.job.id)

    runner.register("stubborn", stubborn)
    (running,) = await runner.queue(library.jobs, "stubborn", ["a.srt"], {})
    await started.wait()
    deletion = await service.files.delete(job.file_id)
    assert set(deletion.job_ids) == {job.id, running.id}
    assert stopped == [running.id]
    with pytest.raises(NotFound):
        await service.jobs.get(running.id)


@only_here  # a server tries again with what it was sent, whatever has become of the file since
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


async def test_jobs_of_a_killed_process_are_interrupted_and_can_be_tried_again(
    settings: Settings, tmp_path: Path
) -> None:
    path = tmp_path / "a.srt"
    path.write_text(STORY, "utf-8")
    code = f"""
import asyncio, os, signal
from pathlib import Path
from tui.config import Settings
from tui.service.engine import Engine
from tui.service.local import LocalService

async def main():
    settings = Settings(home=Path({str(settings.home)!r}), config_path=Path("config.toml"))
    engine = Engine(settings)
    service = LocalService(settings, engine=engine)
    async def die(running):
        os.kill(os.getpid(), signal.SIGKILL)
    engine.jobs.register("import", die)
    await service.files.add([{str(path)!r}])
    await asyncio.sleep(30)

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=60, check=False)
    assert done.returncode == -9
    service = LocalService(settings)
    try:
        first = asyncio.gather(service.jobs.running(), service.jobs.page())  # whichever read comes first
        running, page = await first
        assert running == 0
        (job,) = page.items
        assert job.state == "interrupted"
        assert [each.state async for each in service.jobs.follow([job.id])] == ["interrupted"]
        assert (await service.files.page()).total == 0
        (end,) = (await finished(service, (await service.jobs.retry(job.id),))).values()
        assert end.state == "succeeded"
    finally:
        await service.close()


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

    runner.register("work", work)
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

    engine.jobs.register("endless", endless)
    (job,) = await engine.jobs.queue(Library(engine.database, "default"), "endless", ["x"], {})
    await started.wait()
    await engine.close()
    again = LocalService(settings)
    try:
        assert (await again.jobs.get(job.id)).state == "interrupted"
    finally:
        await again.close()
