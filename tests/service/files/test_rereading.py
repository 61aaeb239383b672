"""A file that is there is read anew when another encoding or language is named for it, over HTTP too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.files.test_files import finished
from tui.records.clips import NewClip
from tui.records.jobs import Job
from tui.records.transcripts import Transcript
from tui.service.protocol import Service

TEXT = (
    "1\n00:00:01,000 --> 00:00:02,500\nСлева мы видим реку.\n\n2\n00:00:03,000 --> 00:00:05,000\nЯ не знаю, что это.\n"
)
GIBBERISH = "Ñëåâà ìû âèäèì ðåêó."


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.ru.srt"
    path.write_bytes(TEXT.encode("cp1251"))
    return path


async def add(
    service: Service, path: Path, *, language: str | None = None, encoding: str | None = None, force: bool = False
) -> Job:
    jobs = await service.files.add([path], language=language, encoding=encoding, force=force)
    (job,) = (await finished(service, jobs)).values()
    return job


async def transcript(service: Service) -> Transcript:
    (only,) = (await service.transcripts.page()).items
    return only


async def lines(service: Service) -> list[str]:
    return [cue.text for cue in (await service.transcripts.cues((await transcript(service)).id)).items]


async def test_a_text_that_was_read_wrongly_is_read_anew_and_its_clip_stays(service: Service, film: Path) -> None:
    first = await add(service, film, encoding="cp1252", force=True)
    assert (first.state, first.outcome) == ("succeeded", "added")
    assert (await lines(service))[0] == GIBBERISH
    before = await transcript(service)
    clip = await service.clips.add(NewClip(GIBBERISH, transcript_id=before.id, cue_index=0, start_ms=1000))
    job = await add(service, film, encoding="windows-1251")
    assert (job.state, job.outcome, job.file_id) == ("succeeded", "reread", first.file_id)
    assert (await transcript(service)).id == before.id
    assert await lines(service) == ["Слева мы видим реку.", "Я не знаю, что это."]
    file = await service.files.get(first.file_id or "")
    assert (file.language, file.encoding, file.cue_count) == ("ru", "cp1251", 2)
    assert await service.clips.get(clip.id) == clip
    restored = await service.undo()
    assert restored is not None
    assert restored.kind == "reading"
    assert (await lines(service))[0] == GIBBERISH
    assert (await service.files.get(file.id)).encoding == "cp1252"


async def test_a_refusal_names_the_likeliest_encoding_in_a_field_and_leaves_the_old_cues(
    service: Service, film: Path
) -> None:
    film.write_bytes(
        TEXT.split("\n\n")[0].replace("Слева мы видим реку", "Левый берег").encode("cp1251")
    )  # too little to be sure of
    job = await add(service, film)
    assert (job.state, job.outcome, job.suggested_encoding) == ("failed", None, "windows-1251")
    await add(service, film, encoding="cp1251")
    for encoding in ("cp1252", "cp932", "utf-8", "nonsense"):
        assert (await add(service, film, encoding=encoding)).state == "failed"
    assert (await add(service, film, language="no tag")).state == "failed"
    assert (await lines(service))[0] == "Левый берег."
    assert await service.undo() is None


async def test_what_was_named_before_need_not_be_named_again(service: Service, film: Path) -> None:
    await add(service, film, encoding="cp1251")
    job = await add(service, film, language="uk")
    assert (job.outcome, (await transcript(service)).language) == ("reread", "uk")
    assert (await lines(service))[0] == "Слева мы видим реку."
    await add(service, film, encoding="mac-cyrillic", force=True)
    assert (await transcript(service)).language == "uk", "the language that was named outlives another encoding"
    assert (await lines(service))[0] == "лева мы видим реку."


async def test_the_same_again_is_the_same(service: Service, film: Path, tmp_path: Path) -> None:
    await add(service, film, encoding="cp1251")
    for named in ({}, {"encoding": "windows-1251"}, {"language": "ru"}, {"language": "rus", "encoding": "CP1251"}):
        assert (await add(service, film, **named)).outcome == "same"  # type: ignore[arg-type]  # they are all texts
    other = tmp_path / "other.ru.srt"
    other.write_bytes(TEXT.encode("cp1251"))
    assert (await add(service, other)).outcome == "same"
    assert await service.undo() is None


async def test_a_file_whose_transcript_was_deleted_is_read_as_it_was(service: Service, film: Path) -> None:
    await add(service, film, encoding="cp1251")
    await service.transcripts.delete((await transcript(service)).id)
    assert (await add(service, film)).outcome == "added"
    assert (await lines(service))[0] == "Слева мы видим реку."


async def test_another_profile_knows_nothing_of_how_a_file_was_read(service: Service, film: Path) -> None:
    await add(service, film, encoding="cp1252", force=True)
    anna = service.of("anna")
    assert (await add(anna, film)).message == "2 cues, read as windows-1251"
    assert (await lines(anna))[0] == "Слева мы видим реку."
    assert (await lines(service))[0] == GIBBERISH
