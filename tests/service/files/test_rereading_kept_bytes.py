"""A file of the library is read anew from its kept bytes: its transcript stays, its clips too, and undo goes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.files.test_files import STORY, finished, imported
from tests.service.files.test_rereading import GIBBERISH, add, film, lines, transcript
from tests.service.libraries import Opened
from tui.errors import NotFound
from tui.records.clips import NewClip
from tui.records.jobs import Job
from tui.service.protocol import Service

__all__ = ["film"]

ROLLING = "\n".join(
    f"{n + 1}\n00:00:{n:02},000 --> 00:00:{n + 1:02},000\n{f'Satz {n - 1}.' if n else ''}\nSatz {n}.\n".replace(
        "\n\n", "\n"
    )
    for n in range(8)
)


async def reread(
    service: Service,
    file_id: str,
    *,
    language: str | None = None,
    encoding: str | None = None,
    force: bool = False,
    as_is: bool = False,
) -> Job:
    jobs = await service.files.reread(file_id, language=language, encoding=encoding, force=force, as_is=as_is)
    (job,) = (await finished(service, jobs)).values()
    return job


async def test_a_file_is_read_anew_although_it_is_gone_and_its_transcript_and_clips_stay(
    service: Service, film: Path
) -> None:
    first = await add(service, film, encoding="cp1252", force=True)
    film.unlink()
    before = await transcript(service)
    clip = await service.clips.add(NewClip(GIBBERISH, transcript_id=before.id, cue_index=1, start_ms=3000))
    job = await reread(service, (first.file_id or "")[:6], encoding="windows-1251")
    assert (job.state, job.outcome, job.file_id, job.error) == ("succeeded", "reread", first.file_id, None)
    assert job.source == f"kept:{first.file_id}/{film.name}"
    assert (await transcript(service)).id == before.id
    assert await lines(service) == ["Слева мы видим реку.", "Я не знаю, что это."]
    assert await service.clips.get(clip.id) == clip
    restored = await service.undo()
    assert restored is not None
    assert restored.kind == "reading"
    assert (await lines(service))[0] == GIBBERISH
    assert await service.clips.get(clip.id) == clip


async def test_what_is_the_same_is_said_and_cannot_be_undone(service: Service, tmp_path: Path) -> None:
    job = await imported(service, tmp_path / "Der Zug.de.srt")
    again = await reread(service, job.file_id or "")
    assert (again.state, again.outcome, again.message) == ("succeeded", "same", "the same 2 cues")
    assert again.is_rereading
    assert await service.undo() is None


async def test_what_was_named_before_holds_until_it_is_named_anew(service: Service, film: Path) -> None:
    job = await add(service, film, encoding="mac-cyrillic", language="uk", force=True)
    file = job.file_id or ""
    assert (await reread(service, file)).outcome == "same"
    assert (await reread(service, file, encoding="cp1251")).outcome == "reread"
    assert (await transcript(service)).language == "uk"
    assert (await reread(service, file, language="ru")).outcome == "reread"
    assert ((await transcript(service)).language, (await lines(service))[0]) == ("ru", "Слева мы видим реку.")


async def test_as_is_leaves_out_the_cleaning_and_the_next_reading_cleans_again(
    service: Service, tmp_path: Path
) -> None:
    job = await imported(service, tmp_path / "rolling.de.srt", ROLLING)
    clean = await lines(service)
    raw = await reread(service, job.file_id or "", as_is=True)
    assert raw.outcome == "reread"
    assert (await lines(service))[1] == "Satz 0.\nSatz 1."
    assert clean[1] == "Satz 1."
    assert (await reread(service, job.file_id or "", as_is=True)).outcome == "same"
    assert (await reread(service, job.file_id or "")).outcome == "reread"
    assert await lines(service) == clean
    assert await service.undo() is not None
    assert await service.undo() is not None
    assert (await lines(service), await service.undo()) == (clean, None)


async def test_several_files_are_several_jobs_and_one_that_is_not_there_begins_none(
    service: Service, tmp_path: Path
) -> None:
    one = await imported(service, tmp_path / "a.de.srt")
    two = await imported(service, tmp_path / "b.de.srt", STORY.replace("Wir", "Sie"))
    ids = [one.file_id or "", two.file_id or ""]
    jobs = await service.files.reread(*ids, ids[0][:8], as_is=True)
    assert [job.file_id for job in jobs] == ids
    assert {job.outcome for job in (await finished(service, jobs)).values()} == {"same"}
    with pytest.raises(NotFound):
        await service.files.reread(ids[0], "nothere")
    assert len((await service.jobs.page()).items) == 4


@pytest.mark.exhaustive
async def test_a_refused_reading_changes_nothing(service: Service, film: Path) -> None:
    job = await add(service, film, encoding="cp1251")
    before = await lines(service)
    for named in ({"encoding": "cp932"}, {"encoding": "nonsense"}, {"language": "no tag"}):
        refused = await reread(service, job.file_id or "", **named)  # type: ignore[arg-type]  # they are all texts
        assert refused.state == "failed"
        assert refused.error
    assert await lines(service) == before
    assert await service.undo() is None


@pytest.mark.parametrize("damage", ["missing", "other", "shorter"])
async def test_lost_bytes_are_said_with_what_to_do_and_adding_the_file_brings_them_back(
    library: Opened, film: Path, damage: str
) -> None:
    service = library.service
    job = await add(service, film, encoding="cp1251")
    file = await service.files.get(job.file_id or "")
    blob = library.engine.database.directory / "blobs" / file.sha256[:2] / file.sha256[2:]
    data = blob.read_bytes()
    blob.chmod(0o644)
    match damage:
        case "missing":
            blob.unlink()
        case "other":
            blob.write_bytes(data[::-1])
        case "shorter":
            blob.write_bytes(data[:10])
    refused = await reread(service, file.id)
    assert refused.state == "failed"
    assert refused.error is not None
    assert film.name in refused.error
    assert "lode add PATH" in refused.error
    assert (await lines(service))[0] == "Слева мы видим реку."
    assert (await add(service, film)).outcome == "same"
    assert blob.read_bytes() == data
    assert (await reread(service, file.id)).outcome == "same"


async def test_deleting_a_file_takes_its_rereading_with_it(service: Service, tmp_path: Path) -> None:
    job = await imported(service, tmp_path / "a.de.srt")
    again = await reread(service, job.file_id or "")
    assert set((await service.files.delete(job.file_id or "")).job_ids) == {job.id, again.id}


async def test_a_failed_rereading_can_be_tried_again(service: Service, film: Path) -> None:
    job = await add(service, film, encoding="cp1251")
    refused = await reread(service, job.file_id or "", encoding="cp932")
    again = await service.jobs.retry(refused.id)
    (end,) = (await finished(service, (again,))).values()
    assert (end.state, end.is_rereading) == ("failed", True)


async def test_an_episode_stays_one_and_one_without_its_transcript_is_known_by_its_name(
    service: Service, tmp_path: Path
) -> None:
    job = await imported(service, tmp_path / "Dark.S01E02.de.srt")
    episode = await transcript(service)
    assert (episode.series, episode.season, episode.episode) == ("Dark", 1, 2)
    assert (await reread(service, job.file_id or "", language="nl")).outcome == "reread"
    again = await transcript(service)
    assert (again.id, again.title, again.series, again.episode) == (episode.id, episode.title, "Dark", 2)
    await service.transcripts.delete(episode.id)
    assert (await reread(service, job.file_id or "")).outcome == "added"
    new = await transcript(service)
    assert (new.series, new.season, new.episode, new.language) == ("Dark", 1, 2, "nl")
