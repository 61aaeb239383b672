"""What is said of jobs, however fast they are over."""

from __future__ import annotations

from pathlib import Path

from tui.records.jobs import Job
from tui.screens.shell.library_updates import JobWatch
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
    for said in ({"refused": 1}, {}):
        watch.add_queued(queued)
        async for _ in watch.follow():
            pass
        assert watch.summary() == said


async def test_files_that_were_read_anew_and_those_that_were_there_are_told_apart(
    service: LocalService, tmp_path: Path
) -> None:
    path = tmp_path / "film.srt"
    path.write_bytes("1\n00:00:01,000 --> 00:00:02,000\nSchöne Grüße.\n".encode("cp1252"))
    watch = JobWatch(service.jobs)
    for encoding, language, said in (
        ("cp1252", None, "imported"),
        ("cp1252", None, "already here"),
        ("cp1252", "de", "read anew"),
    ):
        watch.add_queued(await service.files.add([path], encoding=encoding, language=language))
        async for _ in watch.follow():
            pass
        assert watch.summary() == {said: 1}


async def test_without_being_expected_what_is_over_already_is_not_told(service: LocalService, tmp_path: Path) -> None:
    await refused(service, tmp_path / "empty.srt")
    watch = JobWatch(service.jobs)
    async for _ in watch.follow():
        pass
    assert watch.summary() == {}
