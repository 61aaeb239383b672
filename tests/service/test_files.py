"""Files that are added: named, piped, fetched or in archives; each a job, whose refusal keeps back no other."""

from pathlib import Path

import pytest

from tests.importing.archives.making import story, tarred, zipped
from tests.importing.web.web_server import Answer, WebServer, web
from tests.service.libraries import near_and_far
from tests.service.steps import STORY, ended, finished, imported, refusal
from tui.errors import ImportRefused
from tui.importing import parse
from tui.importing.formats import name_content
from tui.records.transcripts import Transcript
from tui.service.protocol import Service
from tui.service.protocol.records import PartlySent

__all__ = ["web"]

SEASON = {f"Dark/Season 1/{number:02}.de.srt": story(str(number)) for number in range(1, 13)}


async def names(service: Service) -> list[str]:
    return [file.name for file in (await service.files.page()).items]


async def listed(service: Service) -> list[Transcript]:
    return list((await service.transcripts.page()).items)


@near_and_far
async def test_a_subtitle_file_becomes_a_file_and_a_transcript_with_cues(service: Service, tmp_path: Path) -> None:
    job = await imported(service, tmp_path / "Der Zug.de.srt")
    assert job.progress == 1.0
    (file,) = (await service.files.page()).items
    assert (file.id, file.name, file.kind, file.format) == (job.file_id, "Der Zug.de.srt", "subtitle", "srt")
    assert (file.language, file.cue_count, file.duration_ms) == ("de", 2, 5000)
    assert file.size_bytes == len(STORY.encode())
    transcript = await service.transcripts.get(file.transcript_id or "")
    assert (transcript.title, transcript.origin, transcript.cue_count) == ("Der Zug", "import", 2)
    cues = await service.transcripts.cues(transcript.id)
    assert [(cue.start_ms, cue.end_ms, cue.text) for cue in cues.items] == [
        (1000, 2500, "Der Zug fährt ab."),
        (3000, 5000, "Wir fahren mit."),
    ]


async def test_one_bad_file_of_a_directory_does_not_stop_the_rest(service: Service, tmp_path: Path) -> None:
    refused = await refusal(service.files.add([tmp_path / "nowhere.srt"]))
    assert isinstance(refused, ImportRefused) and "nowhere.srt" in refused.message
    assert (await service.jobs.page()).total == 0
    season = tmp_path / "season"
    season.mkdir()
    for number in range(3):
        (season / f"{number}.srt").write_text(STORY + f"\n{number}", "utf-8")
    (season / "picture.srt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    ends = await finished(service, await service.files.add([season]))
    failed = ends.pop("picture.srt")
    assert {name: job.state for name, job in ends.items()} == dict.fromkeys(("0.srt", "1.srt", "2.srt"), "succeeded")
    assert failed.state == "failed" and "picture.srt" in (failed.error or "") and "PNG" in (failed.error or "")
    assert len(await names(service)) == len(await listed(service)) == 3


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


@near_and_far
async def test_a_text_in_no_file_is_imported_by_its_name(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (job,) = await service.files.add_content("Märchen.de.txt", "Es war einmal ein König. Er schlief.".encode())
    assert job.source == "Märchen.de.txt"
    await finished(service, (job,))
    (file,) = (await service.files.page()).items
    assert (file.name, file.language, file.cue_count) == ("Märchen.de.txt", "de", 2)
    assert [each.title for each in await listed(service)] == ["Märchen"]
    data = zipped(tmp_path / "a.zip", {"a.srt": story("a"), "b.srt": story("b")}).read_bytes()
    await finished(service, await service.files.add_content("stdin.txt", data))
    assert await names(service) == ["b.srt", "a.srt", "Märchen.de.txt"]
    monkeypatch.setattr(parse, "MAX_BYTES", 1000)
    assert (await refusal(service.files.add_content("a.txt", b"x" * 1001))).code == "too_large"
    assert (await service.jobs.page()).total == 3


@pytest.mark.exhaustive
@near_and_far
async def test_what_is_at_an_address_is_fetched_from_here(service: Service, web: WebServer, tmp_path: Path) -> None:
    web.answers["/film.de.srt"] = Answer(story("a"), "text/plain")
    address, path = f"{web.url}/film.de.srt", str(tmp_path / "b.srt")
    (tmp_path / "b.srt").write_bytes(story("b"))
    refused = await refusal(service.files.add([path, f"{web.url}/nothing"]))
    assert isinstance(refused, ImportRefused) and "404" in refused.message
    assert (await service.jobs.page()).total == 0
    jobs = await service.files.add([address, path])
    assert {job.source for job in jobs} == {address, path}
    ends = await finished(service, jobs)
    assert {job.state for job in ends.values()} == {"succeeded"}
    assert set(await names(service)) == {"film.de.srt", "b.srt"}
    assert web.asked == ["/nothing", "/film.de.srt"], "once, by this process"
    told = [job.source.partition("\n")[2] for job in (await service.jobs.page()).items]
    # Where it is from is kept with the job; no address is told to a server.
    assert sorted(told) == ["", address if service.location == "local" else ""]


def test_a_name_is_made_of_the_first_words_and_the_format() -> None:
    for text, name in (
        ("Der letzte Zug\n\nEs war spät.", "Der letzte Zug.txt"),
        ("Hoffentlich fährt er überhaupt noch ab, dachte sie.", "Hoffentlich fährt er überhaupt noch ab, dachte.txt"),
        ("美咲は四月にこの町へ来た。駅は小さかった。", "美咲は四月にこの町へ来た。.txt"),
        ("1\n00:00:01,000 --> 00:00:02,000\nHallo Welt.\n", "Hallo Welt.srt"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Na endlich!\n", "Na endlich!.vtt"),
        ("../../etc/passwd\n", "etc passwd.txt"),
        ("a/b\\c:d*e?.de\n", "a b c d e de.txt"),
        ("\n \n", "otherwise.txt"),
        ("\x00\x01\x02", "otherwise.txt"),
    ):
        assert name_content(text.encode(), "otherwise.txt") == name


async def test_an_archive_of_a_season_is_listed_as_its_episodes_in_order(service: Service, tmp_path: Path) -> None:
    path = zipped(tmp_path / "subs.zip", SEASON)
    ends = await finished(service, await service.files.add([path]))
    assert {job.state for job in ends.values()} == {"succeeded"}
    told = [(each.title, each.series, each.season, each.episode) for each in await listed(service)]
    assert told == [(f"Dark · S01E{number:02}", "Dark", 1, number) for number in range(1, 13)]
    assert await names(service) == [name.rpartition("/")[2] for name in SEASON]
    found = await service.transcripts.page(q="dark s01e03")
    assert [each.episode for each in found.items] == [3]
    again = await finished(service, await service.files.add([path]))
    assert {job.outcome for job in again.values()} == {"same"}
    job = await ended(service, *await service.files.reread(found.items[0].file_id or "", language="nl"))
    assert job.outcome == "reread"
    anew = await service.transcripts.get(found.items[0].id)
    assert (anew.title, anew.episode, anew.language) == ("Dark · S01E03", 3, "nl")
    members = {f"Show - {number:02}.srt": story(f"show {number}") for number in (9, 10)}
    tar = tarred(tmp_path / "Show - Season 2.tar.gz", members, mode="w:gz")
    await finished(service, await service.files.add([tar]))
    shows = await service.transcripts.page(q="show")
    assert [each.title for each in shows.items] == ["Show · S02E09", "Show · S02E10"]


@near_and_far
async def test_what_is_bad_in_an_archive_is_refused_by_name_alone(service: Service, tmp_path: Path) -> None:
    members = {
        "good.srt": story("good"),
        "../out.srt": story("out"),
        "inner.zip": zipped(tmp_path / "inner.zip", SEASON).read_bytes(),
        "bomb.srt": b"\0" * 30_000_000,
        "empty.srt": b"",
        "picture.jpg": b"\xff\xd8\xff",
    }
    path = zipped(tmp_path / "mixed.zip", members)
    try:
        jobs = await service.files.add([path])
    except PartlySent as error:  # who sends files names at once those that cannot be read
        jobs = error.jobs
        named = " ".join(refusal.message for _, refusal in error.refused)
        assert all(name in named for name in ("out.srt", "inner.zip", "bomb.srt"))
    ends = await finished(service, jobs)
    assert ends["good.srt"].state == "succeeded"
    assert all(job.state == "failed" and name in (job.error or "") for name, job in ends.items() if name != "good.srt")
    assert await names(service) == ["good.srt"]
    assert not (tmp_path / "out.srt").exists()
