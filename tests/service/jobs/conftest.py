"""The jobs of a library, done as a test says, and what is started for them."""

import subprocess
from pathlib import Path

import pytest

from tests.service.libraries import Opened
from tests.service.steps import STORY
from tui.records.jobs import Job
from tui.service.jobs.running_job import RunningJob
from tui.system import python_process

Processes = list[subprocess.Popen[bytes]]
"""Those that were started."""


class Jobs:
    def __init__(self, library: Opened) -> None:
        self.service, self.runner, self._library = library.service.jobs, library.engine.jobs, library.jobs
        self.work = self.runner.work

    async def queue(self, kind: str, *sources: str) -> tuple[Job, ...]:
        return await self.runner.queue(self._library, kind, sources, {})

    async def state(self, job: Job) -> str:
        return (await self.service.get(job.id)).state

    async def follow(self, *jobs: Job) -> dict[str, Job]:
        """The jobs as they ended, by what they work on."""
        return {job.source: job async for job in self.service.follow([job.id for job in jobs]) if job.is_over}

    def note(self) -> list[str]:
        """Have a kind of job, "work", that only notes here what it works on."""
        done: list[str] = []

        async def work(running: RunningJob) -> None:
            done.append(running.job.source)

        self.work["work"] = work
        return done


@pytest.fixture
def jobs(library: Opened) -> Jobs:
    return Jobs(library)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Processes:
    """The processes that were started."""
    processes: Processes = []
    real = python_process.start_process

    def start(module: str) -> subprocess.Popen[bytes]:
        processes.append(real(module))
        return processes[-1]

    monkeypatch.setattr(python_process, "start_process", start)
    return processes


def stories(directory: Path, count: int) -> list[Path]:
    """Files that differ, and one in the middle that is none."""
    directory.mkdir(exist_ok=True)
    paths = [directory / f"story-{number}.srt" for number in range(count)]
    for path in paths:
        path.write_text(f"{STORY}\n\n9\n00:00:59,000 --> 00:01:00,000\n{path.stem}\n", "utf-8")
    paths[count // 2].write_bytes(b"")
    return paths
