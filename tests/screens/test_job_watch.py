"""What is said of jobs, however fast they are over."""

from __future__ import annotations

from pathlib import Path

from tui.records import Job
from tui.screens.job_watch import JobWatch
from tui.service.local import LocalService


async def refused(service: LocalService, path: Path) -> tuple[Job, ...]:
    """The job, as it was queued, of an import that is over by now."""
    path.write_bytes(b"")
    jobs = await service.files.add([path])
    async for _ in service.jobs.follow([job.id for job in jobs]):
        pass
    return tuple(jobs)


async def test_an_import_that_is_over_before_anyone_looks_is_told_once(service: LocalService, tmp_path: Path) -> None:
    queued = await refused(service, tmp_path / "empty.srt")
    watch = JobWatch(service.jobs)
    for said in (("1 refused: see Jobs", True), ("", False)):
        watch.expect(queued)
        async for _ in watch.follow():
            pass
        assert watch.summary() == said


async def test_without_being_expected_what_is_over_already_is_not_told(service: LocalService, tmp_path: Path) -> None:
    await refused(service, tmp_path / "empty.srt")
    watch = JobWatch(service.jobs)
    async for _ in watch.follow():
        pass
    assert watch.summary() == ("", False)
