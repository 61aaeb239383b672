"""Files: importing as jobs, the same file twice, deletion with its jobs, and undo."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.service.libraries import Opened, both_every_day
from tui.config import Settings
from tui.errors import ImportRefused, NotFound
from tui.records.jobs import Job
from tui.service.local import LocalService
from tui.service.protocol import Service

STORY = """1
00:00:01,000 --> 00:00:02,500
Der Zug fährt ab.

2
00:00:03,000 --> 00:00:05,000
Wir fahren mit.
"""


async def finished(service: Service, jobs: tuple[Job, ...]) -> dict[str, Job]:
    """The jobs as they ended, by source."""
    ends = {job.id: job async for job in service.jobs.follow([job.id for job in jobs])}
    return {Path(job.source).name: job for job in ends.values()}


async def imported(service: Service, path: Path, text: str = STORY) -> Job:
    path.write_text(text, "utf-8")
    (job,) = (await finished(service, await service.files.add([path]))).values()
    assert job.state == "succeeded", job.error
    return job


@both_every_day
async def test_a_subtitle_file_becomes_a_file_and_a_transcript_with_cues(service: Service, tmp_path: Path) -> None:
    job = await imported(service, tmp_path / "Der Zug.de.srt")
    assert job.progress == 1.0
    (file,) = (await service.files.page()).items
    assert (file.id, file.name, file.kind, file.format) == (job.file_id, "Der Zug.de.srt", "subtitle", "srt")
    assert (file.language, file.cue_count, file.duration_ms) == ("de", 2, 5000)
    assert file.size_bytes == len(STORY.encode())
    assert file.transcript_id is not None
    transcript = await service.transcripts.get(file.transcript_id)
    assert (transcript.title, transcript.origin, transcript.cue_count) == ("Der Zug", "import", 2)
    cues = await service.transcripts.cues(transcript.id)
    assert [(cue.start_ms, cue.end_ms, cue.text) for cue in cues.items] == [
        (1000, 2500, "Der Zug fährt ab."),
        (3000, 5000, "Wir fahren mit."),
    ]


async def test_the_same_bytes_under_another_name_are_noticed_and_not_kept_twice(
    service: Service, tmp_path: Path
) -> None:
    first = await imported(service, tmp_path / "a.srt")
    second = await imported(service, tmp_path / "b.srt")
    assert second.file_id == first.file_id
    assert (first.outcome, second.outcome) == ("added", "same")
    assert (await service.files.page()).total == 1


async def test_a_file_whose_transcript_was_deleted_can_be_imported_again(service: Service, tmp_path: Path) -> None:
    await imported(service, tmp_path / "a.srt")
    (transcript,) = (await service.transcripts.page()).items
    await service.transcripts.delete(transcript.id)
    await imported(service, tmp_path / "a.srt")
    assert (await service.transcripts.page()).total == 1
    (file,) = (await service.files.page()).items
    assert file.transcript_id == (await service.transcripts.page()).items[0].id


async def test_a_refused_file_leaves_nothing_behind_and_says_why(service: Service, tmp_path: Path) -> None:
    (tmp_path / "picture.srt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (job,) = (await finished(service, await service.files.add([tmp_path / "picture.srt"]))).values()
    assert job.state == "failed"
    assert job.error is not None
    assert "picture.srt" in job.error
    assert "PNG" in job.error
    assert (await service.files.page()).total == 0
    assert (await service.transcripts.page()).total == 0


async def test_a_missing_path_is_refused_before_anything_is_queued(service: Service, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=r"nowhere\.srt"):
        await service.files.add([tmp_path / "nowhere.srt"])
    assert (await service.jobs.page()).total == 0


async def test_a_directory_is_imported_whole_and_one_bad_file_does_not_stop_the_rest(
    service: Service, tmp_path: Path
) -> None:
    season = tmp_path / "season"
    season.mkdir()
    for number in range(3):
        (season / f"{number}.srt").write_text(STORY + f"\n{number}", "utf-8")
    (season / "bad.srt").write_bytes(b"")
    ends = await finished(service, await service.files.add([season]))
    assert {name: job.state for name, job in ends.items()} == {
        "0.srt": "succeeded",
        "1.srt": "succeeded",
        "2.srt": "succeeded",
        "bad.srt": "failed",
    }


async def test_deleting_a_file_takes_its_jobs_and_returns_their_ids_and_undo_brings_all_back(
    service: Service, tmp_path: Path
) -> None:
    job = await imported(service, tmp_path / "a.srt")
    assert job.file_id is not None
    deletion = await service.files.delete(job.file_id)
    assert deletion.job_ids == (job.id,)
    assert (await service.files.page()).total == 0
    assert (await service.jobs.page()).total == 0
    (transcript,) = (await service.transcripts.page()).items
    assert transcript.file_id is None
    restored = await service.undo()
    assert restored is not None
    assert (await service.files.get(job.file_id)).transcript_id == transcript.id
    assert (await service.jobs.get(job.id)).state == "succeeded"
    assert await service.undo() is None


async def test_the_samples_come_in_four_languages_and_only_once(service: Service) -> None:
    ends = await finished(service, await service.files.add_samples())
    assert {job.state for job in ends.values()} == {"succeeded"}
    files = (await service.files.page()).items
    assert {file.language for file in files} >= {"de", "es", "ja"}
    assert len({file.language for file in files}) >= 4
    assert all(30 <= file.cue_count <= 60 for file in files)
    again = await finished(service, await service.files.add_samples())
    assert {job.outcome for job in again.values()} == {"same"}
    assert (await service.files.page()).total == len(files)


async def test_an_unknown_file_is_not_found_and_so_is_another_profiles(library: Opened, tmp_path: Path) -> None:
    job = await imported(library.service, tmp_path / "a.srt")
    assert job.file_id is not None
    other = library.other_profile
    with pytest.raises(NotFound) as caught:
        await other.files.get(job.file_id)
    assert caught.value.code == "file_not_found"
    assert (await other.files.page()).total == 0
    with pytest.raises(NotFound):
        await other.jobs.get(job.id)


@pytest.fixture
async def second(settings: Settings) -> AsyncIterator[LocalService]:
    service = LocalService(settings)
    yield service
    await service.close()


async def test_a_second_program_on_the_same_library_sees_the_import_and_leaves_its_jobs_alone(
    service: Service, second: LocalService, tmp_path: Path
) -> None:
    await imported(service, tmp_path / "a.srt")
    assert (await second.files.page()).total == 1
    await imported(second, tmp_path / "b.srt", STORY.replace("Zug", "Bus"))
    assert (await service.files.page()).total == 2
