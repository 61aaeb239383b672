"""Jobs as the command follows them."""

from __future__ import annotations

import asyncio
import sys

import pytest

from tests.cli.conftest import Stream
from tui.cli.output.job_progress import follow_jobs
from tui.config import Settings
from tui.service.engine import Engine
from tui.service.jobs.running_job import RunningJob
from tui.service.local import LocalService


async def test_stopped_while_storing_it_tells_what_came_in(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    out, err = Stream(), Stream()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    storing = asyncio.Event()

    async def store(running: RunningJob) -> None:
        storing.set()
        await asyncio.to_thread(running.cancel_asked.wait)  # it was asked too late

    engine = Engine(settings)
    service = LocalService(settings, engine=engine)
    engine.jobs.work["import"] = store
    jobs = await engine.jobs.queue(service._library, "import", ["first.srt", "second.srt"], {})
    following = asyncio.create_task(follow_jobs(service, jobs, as_json=False))
    await storing.wait()
    following.cancel()
    with pytest.raises(asyncio.CancelledError):
        await following
    assert out.text() == "added\tfirst.srt\t0 cues\t-\t\n"
    assert err.text() == "stopped; 1 file of 2 not imported\n"
    assert [job.state for job in (await service.jobs.page()).items] == ["cancelled", "succeeded"]
    await engine.close()
