"""Readings of a refused file in several encodings, and the choice of one for the whole directory, over HTTP too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.service.libraries import both_every_day
from tui.errors import ImportRefused, InvalidInput, NotFound
from tui.records.jobs import Job
from tui.service.protocol import Service

CUE = "1\n00:00:01,000 --> 00:00:02,500\n{}\n"
SHORT = ("Левый берег.", "Синий лес", "Слева дом.")


async def finished(service: Service, jobs: Sequence[Job]) -> list[Job]:
    ends = {job.id: job async for job in service.jobs.follow([each.id for each in jobs])}
    return [ends[job.id] for job in jobs]


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """Three episodes that are too short to be sure of, and in another directory one more."""
    folder = tmp_path / "season"
    folder.mkdir()
    (tmp_path / "other").mkdir()
    for number, line in enumerate(SHORT):
        (folder / f"e{number}.ru.srt").write_bytes(CUE.format(line).encode("cp1251"))
    (tmp_path / "other" / "e9.ru.srt").write_bytes(CUE.format("Синий дом").encode("cp1251"))
    return folder


async def test_a_refused_file_is_shown_in_its_likeliest_encodings(service: Service, season: Path) -> None:
    (job,) = await finished(service, await service.files.add([season / "e1.ru.srt"]))
    assert (job.state, job.suggested_encoding) == ("failed", "windows-1251")
    first, second, *more = await service.jobs.readings(job.id)
    assert (first.encoding, first.lines) == ("windows-1251", ("Синий лес",))
    assert (second.encoding, second.lines) == ("iso-8859-5", ("бшэшщ ыхё",))
    assert len(more) <= 1


@both_every_day
async def test_a_choice_holds_for_the_other_refused_files_of_the_directory(service: Service, season: Path) -> None:
    added = await service.files.add([season, season.parent / "other" / "e9.ru.srt"])
    jobs = await finished(service, added)
    assert {job.state for job in jobs} == {"failed"}
    tried = await finished(service, await service.jobs.retry_in(jobs[0].id, "windows-1251"))
    assert [job.state for job in tried] == ["succeeded"] * 3
    assert tried[0].id == jobs[0].id
    assert (await service.jobs.get(jobs[3].id)).state == "failed", "in another directory"
    lines = {
        (await service.transcripts.cues(each.id)).items[0].text for each in (await service.transcripts.page()).items
    }
    assert lines == set(SHORT)


async def test_a_file_that_cannot_be_in_the_encoding_is_left_as_it_was(service: Service, season: Path) -> None:
    (season / "zz.ja.srt").write_bytes(CUE.format("日本").encode("gb18030"))
    jobs = await finished(service, await service.files.add([season]))
    tried = await service.jobs.retry_in(jobs[0].id, "windows-1251")
    assert len(tried) == 3
    await finished(service, tried)
    assert (await service.jobs.get(jobs[-1].id)).state == "failed"


async def test_what_was_picked_is_taken_however_it_reads(service: Service, season: Path) -> None:
    (job,) = await finished(service, await service.files.add([season / "e1.ru.srt"]))
    (tried,) = await finished(service, await service.jobs.retry_in(job.id, "iso-8859-5"))
    assert tried.state == "succeeded"


@pytest.mark.exhaustive
async def test_what_cannot_be_read_again_says_why(service: Service, season: Path) -> None:
    (job,) = await finished(service, await service.files.add([season / "e1.ru.srt"]))
    with pytest.raises(InvalidInput):
        await service.jobs.retry_in(job.id, "nonsense")
    with pytest.raises(NotFound):
        await service.jobs.readings("nothere")
    (tried,) = await finished(service, await service.jobs.retry_in(job.id, "windows-1251"))
    with pytest.raises(InvalidInput, match="has succeeded"):
        await service.jobs.retry_in(tried.id, "windows-1251")


async def test_a_file_that_is_gone_has_no_readings(service: Service, season: Path) -> None:
    jobs = await finished(service, await service.files.add([season / "e1.ru.srt"]))
    if service.location == "local":
        (season / "e1.ru.srt").unlink()
        with pytest.raises(ImportRefused, match="no file"):
            await service.jobs.readings(jobs[0].id)


async def test_an_imported_file_is_shown_from_its_kept_bytes(service: Service, season: Path) -> None:
    jobs = await service.files.add([season / "e1.ru.srt"], encoding="iso-8859-5", force=True)
    await finished(service, jobs)
    (file,) = (await service.files.page()).items
    encodings = [each.encoding for each in await service.files.readings(file.id)]
    assert {"windows-1251", "iso-8859-5"} <= set(encodings)
    await finished(service, await service.files.reread(file.id, encoding="windows-1251"))
    assert (await service.transcripts.cues(file.transcript_id or "")).items[0].text == SHORT[1]


async def test_mojibake_is_imported_as_it_is_stored_and_said_and_mended_when_asked(
    service: Service, tmp_path: Path
) -> None:
    film = tmp_path / "film.de.srt"
    film.write_bytes(CUE.format("Schöne Grüße aus Köln.").encode().decode("cp1252").encode())
    (job,) = await finished(service, await service.files.add([film]))
    (file,) = (await service.files.page()).items
    assert job.message.endswith(f"its letters look wrong: lode files reread {file.id} --encoding mojibake-cp1252")
    assert "Ã¶" in (await service.transcripts.cues(file.transcript_id or "")).items[0].text
    mended, stored = await service.files.readings(file.id)
    assert (mended.encoding, stored.encoding) == ("mojibake-cp1252", "utf-8")
    (anew,) = await finished(service, await service.files.reread(file.id, encoding=mended.encoding))
    assert anew.outcome == "reread"
    assert (await service.transcripts.cues(file.transcript_id or "")).items[0].text == "Schöne Grüße aus Köln."
    again = await finished(service, await service.files.reread(file.id))
    assert "same" in (again[0].outcome or "")
