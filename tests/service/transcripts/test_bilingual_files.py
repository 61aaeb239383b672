"""Files in two languages, of a library here and over HTTP: split into two transcripts that translate each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importing.test_bilingual import ENGLISH, GERMAN, STACKED
from tests.service.files.test_files import finished
from tui.records.clips import NewClip
from tui.records.jobs import Job
from tui.records.transcripts import Transcript
from tui.service.protocol import Service


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.srt"
    path.write_bytes(STACKED)
    return path


async def add(service: Service, path: Path) -> Job:
    (job,) = (await finished(service, await service.files.add([path]))).values()
    return job


async def reread(service: Service, job: Job, language: str) -> Job:
    jobs = await service.files.reread(job.file_id or "", language=language)
    (done,) = (await finished(service, jobs)).values()
    assert done.outcome == "reread", done
    return done


async def transcripts(service: Service) -> tuple[Transcript, ...]:
    return (await service.transcripts.page()).items


async def texts(service: Service, transcript: Transcript) -> tuple[str, ...]:
    return tuple(cue.text for cue in (await service.transcripts.cues(transcript.id)).items)


async def assert_is_split(service: Service) -> None:
    german, english = await transcripts(service)
    assert (german.language, english.language) == ("de", "en")
    assert (german.translation_id, english.translation_id) == (english.id, german.id)
    assert await texts(service, german) == await service.transcripts.translations(english.id) == GERMAN
    assert await texts(service, english) == await service.transcripts.translations(german.id) == ENGLISH


async def test_a_file_whose_name_says_both_becomes_two_that_translate_each_other(service: Service, film: Path) -> None:
    job = await add(service, film.rename(film.with_name("film.de-en.srt")))
    assert "split into de and en" in job.message
    await assert_is_split(service)


async def test_another_one_is_whole_and_says_how_it_is_split(service: Service, film: Path) -> None:
    job = await add(service, film)
    assert f"two languages: de and en; to split them: lode files reread {job.file_id} --language de+en" in job.message
    (whole,) = await transcripts(service)
    clip = await service.clips.add(NewClip("Warten Sie?", transcript_id=whole.id, cue_index=0, start_ms=0))
    await reread(service, job, "de+en")
    await assert_is_split(service)
    assert (await transcripts(service))[0].id == whole.id
    assert await service.clips.get(clip.id) == clip
    await service.undo()
    (restored,) = await transcripts(service)
    assert (restored.id, restored.translation_id) == (whole.id, None)
    assert (await texts(service, restored))[0] == f"{GERMAN[0]}\n{ENGLISH[0]}"


async def test_what_was_split_can_be_whole_again_without_half_a_pair(service: Service, film: Path) -> None:
    job = await add(service, film)
    await reread(service, job, "de+en")
    await reread(service, job, "de")
    (whole,) = await transcripts(service)
    assert whole.translation_id is None
    await service.undo()
    await assert_is_split(service)


async def test_what_was_split_stays_so_when_it_is_read_anew_for_another_reason(service: Service, film: Path) -> None:
    job = await add(service, film)
    await reread(service, job, "de+en")
    (done,) = (await finished(service, await service.files.reread(job.file_id or "", as_is=True))).values()
    assert done.outcome == "same"
    await assert_is_split(service)
    again = await service.files.add([film], language="de+en")
    assert [job.outcome for job in (await finished(service, again)).values()] == ["same"]
