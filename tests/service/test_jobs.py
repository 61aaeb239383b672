"""Jobs: order, cancelling, retrying, and what a process that dies leaves behind."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.service.test_files import STORY, finished, imported
from tui.config import Settings
from tui.errors import InvalidInput, NotFound
from tui.service.jobs import RunningJob
from tui.service.local import LocalService
from tui.store import Store


async def test_a_queued_job_can_be_cancelled_before_it_begins(service: LocalService, tmp_path: Path) -> None:
    started, go_on = asyncio.Event(), asyncio.Event()

    async def slow(running: RunningJob) -> None:
        started.set()
        await go_on.wait()
        await running.report(0.5, "half")

    service._runner.register("slow", slow)
    first, second = await service._runner.queue("slow", ["one", "two"], {})
    await started.wait()
    assert await service.jobs.running() == 2
    assert (await service.jobs.cancel(second.id)).state == "cancelled"
    cancelling = asyncio.create_task(service.jobs.cancel(first.id))
    await asyncio.sleep(0)
    go_on.set()
    assert (await cancelling).state in ("cancelled", "succeeded")
    assert await service.jobs.running() == 0


async def test_deleting_a_file_cancels_its_running_job_first(service: LocalService, tmp_path: Path) -> None:
    job = await imported(service, tmp_path / "a.srt")
    assert job.file_id is not None
    started = asyncio.Event()
    stopped: list[str] = []

    async def stubborn(running: RunningJob) -> None:
        await service._runner.update(running.job.id, file_id=job.file_id)
        started.set()
        try:
            while True:
                await asyncio.sleep(0.01)
                await running.report(0.5, "at it")
        finally:
            stopped.append(running.job.id)

    service._runner.register("stubborn", stubborn)
    (running,) = await service._runner.queue("stubborn", ["a.srt"], {})
    await started.wait()
    deletion = await service.files.delete(job.file_id)
    assert set(deletion.job_ids) == {job.id, running.id}
    assert stopped == [running.id]
    with pytest.raises(NotFound):
        await service.jobs.get(running.id)


async def test_a_failed_import_can_be_tried_again_once_the_file_is_mended(
    service: LocalService, tmp_path: Path
) -> None:
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
from tui.service.local import LocalService
from tui.store import Store

async def main():
    service = LocalService(Settings(home=Path({str(settings.home)!r}), config_path=Path("config.toml")))
    async def die(running):
        os.kill(os.getpid(), signal.SIGKILL)
    service._runner.register("import", die)
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
    service: LocalService, home: Path, monkeypatch: pytest.MonkeyPatch, locked_at: str
) -> None:
    real_open = Store.open
    monkeypatch.setattr(Store, "open", lambda directory: real_open(directory, busy_seconds=0.05))
    may_end = asyncio.Event()

    async def work(running: RunningJob) -> None:
        await may_end.wait()

    service._runner.register("work", work)
    (first,) = await service._runner.queue("work", ["first"], {})
    async for job in service.jobs.follow([first.id]):
        if job.state == "running":
            break
    (second,) = await service._runner.queue("work", ["second"], {})
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
    service = LocalService(settings)
    started = asyncio.Event()

    async def endless(running: RunningJob) -> None:
        started.set()
        await asyncio.Event().wait()

    service._runner.register("endless", endless)
    (job,) = await service._runner.queue("endless", ["x"], {})
    await started.wait()
    await service.close()
    again = LocalService(settings)
    try:
        assert (await again.jobs.get(job.id)).state == "interrupted"
    finally:
        await again.close()
