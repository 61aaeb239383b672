"""A file that is there is read anew, from its path or its kept bytes: its transcript and its clips stay, undo goes
back; and the encodings of which one is chosen.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.service.libraries import Opened, near_and_far
from tests.service.steps import STORY, ended, finished, imported, refusal, undone
from tui.errors import ImportRefused, InvalidInput, NotFound
from tui.records.clips import NewClip
from tui.records.jobs import Job
from tui.records.transcripts import Transcript
from tui.service.protocol import Service

CUE = "1\n00:00:01,000 --> 00:00:02,500\n{}\n"
TEXT = CUE.format("Слева мы видим реку.") + "\n2\n00:00:03,000 --> 00:00:05,000\nЯ не знаю, что это.\n"
LINES = ["Слева мы видим реку.", "Я не знаю, что это."]
GIBBERISH = "Ñëåâà ìû âèäèì ðåêó."
ROLLING = "\n".join(
    f"{n + 1}\n00:00:{n:02},000 --> 00:00:{n + 1:02},000\n" + (f"Satz {n - 1}.\n" if n else "") + f"Satz {n}.\n"
    for n in range(8)
)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.ru.srt"
    path.write_bytes(TEXT.encode("cp1251"))
    return path


async def add(service: Service, path: Path, **named: Any) -> Job:
    return await ended(service, *await service.files.add([path], **named))


async def reread(service: Service, job: Job, **named: Any) -> Job:
    return await ended(service, *await service.files.reread(job.file_id or "", **named))


async def transcript(service: Service) -> Transcript:
    (only,) = (await service.transcripts.page()).items
    return only


async def lines(service: Service) -> list[str]:
    return [cue.text for cue in (await service.transcripts.cues((await transcript(service)).id)).items]


@pytest.mark.parametrize("by", ["path", "kept bytes"])
async def test_a_text_read_wrongly_is_read_anew_and_its_clip_stays(service: Service, film: Path, by: str) -> None:
    first = await add(service, film, encoding="cp1252", force=True)
    assert (first.state, first.outcome) == ("succeeded", "added")
    assert (await lines(service))[0] == GIBBERISH
    before = await transcript(service)
    clip = await service.clips.add(NewClip(GIBBERISH, transcript_id=before.id, cue_index=1, start_ms=3000))
    if by == "path":
        job = await add(service, film, encoding="windows-1251")
    else:
        film.unlink()
        job = await reread(service, first, encoding="windows-1251")
        assert job.source == f"kept:{first.file_id}/{film.name}"
    assert (job.state, job.outcome, job.file_id, job.error) == ("succeeded", "reread", first.file_id, None)
    assert (await transcript(service)).id == before.id
    assert await lines(service) == LINES
    file = await service.files.get(first.file_id or "")
    assert (file.language, file.encoding, file.cue_count) == ("ru", "cp1251", 2)
    assert await service.clips.get(clip.id) == clip
    assert (await undone(service)).kind == "reading"
    assert (await lines(service))[0] == GIBBERISH
    assert (await service.files.get(file.id)).encoding == "cp1252"
    assert await service.clips.get(clip.id) == clip


async def test_a_refused_reading_names_the_likeliest_encoding_and_changes_nothing(service: Service, film: Path) -> None:
    film.write_bytes(CUE.format("Левый берег.").encode("cp1251"))  # too little to be sure of
    job = await add(service, film)
    assert (job.state, job.outcome, job.suggested_encoding) == ("failed", None, "windows-1251")
    job = await add(service, film, encoding="cp1251")
    wrong = ({"encoding": "cp932"}, {"encoding": "utf-8"}, {"encoding": "nonsense"}, {"language": "no tag"})
    for named in wrong:
        for refused in (await add(service, film, **named), await reread(service, job, **named)):
            assert (refused.state, bool(refused.error)) == ("failed", True)
    again = await ended(service, await service.jobs.retry(refused.id))
    assert (again.state, again.is_rereading) == ("failed", True)
    assert await lines(service) == ["Левый берег."]
    assert await service.undo() is None


async def test_what_was_named_before_holds_until_it_is_named_anew(service: Service, film: Path) -> None:
    job = await add(service, film, encoding="cp1251")
    assert ((await add(service, film, language="uk")).outcome, (await lines(service))[0]) == ("reread", LINES[0])
    await add(service, film, encoding="mac-cyrillic", force=True)
    assert (await transcript(service)).language == "uk", "the language that was named outlives another encoding"
    assert (await lines(service))[0] == "лева мы видим реку."
    assert (await reread(service, job)).outcome == "same"
    assert (await reread(service, job, encoding="cp1251")).outcome == "reread"
    assert (await transcript(service)).language == "uk"
    assert (await reread(service, job, language="ru")).outcome == "reread"
    assert ((await transcript(service)).language, (await lines(service))[0]) == ("ru", LINES[0])
    await service.transcripts.delete((await transcript(service)).id)
    assert (await add(service, film)).outcome == "added"
    assert await lines(service) == LINES
    anna = service.of("anna")
    assert (await add(anna, film)).message == "2 cues, read as windows-1251", "which another profile knows nothing of"


async def test_what_is_the_same_is_said_and_cannot_be_undone(service: Service, film: Path, tmp_path: Path) -> None:
    job = await add(service, film, encoding="cp1251")
    for named in ({}, {"encoding": "windows-1251"}, {"language": "ru"}, {"language": "rus", "encoding": "CP1251"}):
        assert (await add(service, film, **named)).outcome == "same"
    other = tmp_path / "other.ru.srt"
    other.write_bytes(film.read_bytes())
    assert (await add(service, other)).outcome == "same"
    again = await reread(service, job)
    assert (again.state, again.outcome, again.message) == ("succeeded", "same", "the same 2 cues")
    assert again.is_rereading
    assert await service.undo() is None
    assert again.id in (await service.files.delete(job.file_id or "")).job_ids


async def test_as_is_leaves_out_the_cleaning_until_the_next_reading(service: Service, tmp_path: Path) -> None:
    job = await imported(service, tmp_path / "rolling.de.srt", ROLLING)
    clean = await lines(service)
    assert (await reread(service, job, as_is=True)).outcome == "reread"
    assert (await lines(service))[1] == "Satz 0.\nSatz 1."
    assert clean[1] == "Satz 1."
    assert (await reread(service, job, as_is=True)).outcome == "same"
    assert (await reread(service, job)).outcome == "reread"
    assert await lines(service) == clean
    await undone(service)
    await undone(service)
    assert (await lines(service), await service.undo()) == (clean, None)


async def test_several_files_are_several_jobs_all_or_none(service: Service, tmp_path: Path) -> None:
    one = await imported(service, tmp_path / "a.de.srt")
    two = await imported(service, tmp_path / "b.de.srt", STORY.replace("Wir", "Sie"))
    ids = [one.file_id or "", two.file_id or ""]
    jobs = await service.files.reread(*ids, ids[0][:8], as_is=True)
    assert [job.file_id for job in jobs] == ids
    ends = {job.id: job async for job in service.jobs.follow([job.id for job in jobs])}
    assert {job.outcome for job in ends.values()} == {"same"}
    assert isinstance(await refusal(service.files.reread(ids[0], "nothere")), NotFound)
    assert len((await service.jobs.page()).items) == 4


async def test_lost_bytes_are_said_and_adding_the_file_brings_them_back(library: Opened, film: Path) -> None:
    service = library.service
    job = await add(service, film, encoding="cp1251")
    file = await service.files.get(job.file_id or "")
    assert file.sha256 is not None
    blob = library.engine.database.directory / "blobs" / file.sha256[:2] / file.sha256[2:]
    data = blob.read_bytes()
    for damaged in (None, data[::-1], data[:10]):
        blob.chmod(0o644)
        blob.unlink() if damaged is None else blob.write_bytes(damaged)
        refused = await reread(service, job)
        assert refused.state == "failed"
        assert film.name in (refused.error or "")
        assert "lode add PATH" in (refused.error or "")
        assert await lines(service) == LINES
        assert (await add(service, film)).outcome == "same"
        assert blob.read_bytes() == data
        assert (await reread(service, job)).outcome == "same"


async def test_an_episode_stays_one_also_without_its_transcript(service: Service, tmp_path: Path) -> None:
    job = await imported(service, tmp_path / "Dark.S01E02.de.srt")
    episode = await transcript(service)
    assert (episode.series, episode.season, episode.episode) == ("Dark", 1, 2)
    assert (await reread(service, job, language="nl")).outcome == "reread"
    again = await transcript(service)
    assert (again.id, again.title, again.series, again.episode) == (episode.id, episode.title, "Dark", 2)
    await service.transcripts.delete(episode.id)
    assert (await reread(service, job)).outcome == "added"
    new = await transcript(service)
    assert (new.series, new.season, new.episode, new.language) == ("Dark", 1, 2, "nl")


# Encodings

SHORT = ("Левый берег.", "Синий лес", "Слева дом.")


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
    job = await add(service, season / "e1.ru.srt")
    assert (job.state, job.suggested_encoding) == ("failed", "windows-1251")
    first, second, *more = await service.jobs.readings(job.id)
    assert (first.encoding, first.lines) == ("windows-1251", ("Синий лес",))
    assert (second.encoding, second.lines) == ("iso-8859-5", ("бшэшщ ыхё",))
    assert len(more) <= 1
    assert isinstance(await refusal(service.jobs.retry_in(job.id, "nonsense")), InvalidInput)
    assert isinstance(await refusal(service.jobs.readings("nothere")), NotFound)
    gone = await add(service, season / "e2.ru.srt")
    (season / "e2.ru.srt").unlink()
    refused = await refusal(service.jobs.readings(gone.id))
    assert isinstance(refused, ImportRefused) and "no file" in refused.message
    tried, *_ = await service.jobs.retry_in(job.id, "iso-8859-5")
    job = await ended(service, tried)
    assert job.state == "succeeded"
    assert "has succeeded" in (await refusal(service.jobs.retry_in(job.id, "windows-1251"))).message

    (file,) = (await service.files.page()).items
    encodings = [each.encoding for each in await service.files.readings(file.id)]
    assert {"windows-1251", "iso-8859-5"} <= set(encodings), "an imported one is shown from its kept bytes"
    await reread(service, job, encoding="windows-1251")
    assert await lines(service) == [SHORT[1]]


@near_and_far
async def test_a_choice_holds_for_the_other_refused_files_of_the_directory(service: Service, season: Path) -> None:
    (season / "zz.ja.srt").write_bytes(CUE.format("日本").encode("gb18030"))
    ends = await finished(service, await service.files.add([season, season.parent / "other" / "e9.ru.srt"]))
    assert {job.state for job in ends.values()} == {"failed"}
    jobs = list(ends.values())
    tried = await service.jobs.retry_in(jobs[0].id, "windows-1251")
    assert tried[0].id == jobs[0].id
    assert {job.id for job in tried} == {job.id for job in jobs[:3]}
    assert [job.state for job in (await finished(service, tried)).values()] == ["succeeded"] * 3
    for left in jobs[3:]:
        assert (await service.jobs.get(left.id)).state == "failed", "in another directory, or not in that encoding"
    imported = (await service.transcripts.page()).items
    texts = [(await service.transcripts.cues(each.id)).items[0].text for each in imported]
    assert sorted(texts) == sorted(SHORT)


async def test_mojibake_is_imported_as_it_is_and_mended_when_asked(service: Service, tmp_path: Path) -> None:
    film = tmp_path / "film.de.srt"
    film.write_bytes(CUE.format("Schöne Grüße aus Köln.").encode().decode("cp1252").encode())
    job = await add(service, film)
    assert job.message.endswith(f"its letters look wrong: lode files reread {job.file_id} --encoding mojibake-cp1252")
    assert "Ã¶" in (await lines(service))[0]
    mended, stored = await service.files.readings(job.file_id or "")
    assert (mended.encoding, stored.encoding) == ("mojibake-cp1252", "utf-8")
    assert (await reread(service, job, encoding=mended.encoding)).outcome == "reread"
    assert await lines(service) == ["Schöne Grüße aus Köln."]
    assert "same" in ((await reread(service, job)).outcome or "")
