"""What is in no file of this machine: pasted and piped texts, and what is at an address, added here and over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importing.archives.making import story, zipped
from tests.importing.web.web_server import Answer, WebServer, web
from tests.service.files.test_files import finished
from tests.service.libraries import both_every_day
from tui.errors import ImportRefused
from tui.importing import parse
from tui.importing.formats import name_content
from tui.service.protocol import Service

__all__ = ["web"]


@both_every_day
async def test_a_text_in_no_file_is_imported_under_its_name(service: Service) -> None:
    (job,) = await service.files.add_content("Märchen.de.txt", "Es war einmal ein König. Er schlief.".encode())
    assert job.source == "Märchen.de.txt"
    await finished(service, (job,))
    (file,) = (await service.files.page()).items
    assert (file.name, file.language, file.cue_count) == ("Märchen.de.txt", "de", 2)
    (transcript,) = (await service.transcripts.page()).items
    assert transcript.title == "Märchen"


async def test_an_archive_in_no_file_is_its_files(service: Service, tmp_path: Path) -> None:
    data = zipped(tmp_path / "a.zip", {"a.srt": story("a"), "b.srt": story("b")}).read_bytes()
    jobs = await service.files.add_content("stdin.txt", data)
    assert len(jobs) == 2
    await finished(service, jobs)
    assert [file.name for file in (await service.files.page()).items] == ["b.srt", "a.srt"]


async def test_more_than_a_file_may_have_is_refused(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "MAX_BYTES", 1000)
    with pytest.raises(ImportRefused) as caught:
        await service.files.add_content("a.txt", b"x" * 1001)
    assert caught.value.code == "too_large"
    assert (await service.jobs.page()).total == 0


@pytest.mark.exhaustive
@both_every_day
async def test_what_is_at_an_address_is_fetched_here_and_imported_beside_files(
    service: Service, web: WebServer, tmp_path: Path
) -> None:
    web.answers["/film.de.srt"] = Answer(story("a"), "text/plain")
    (tmp_path / "b.srt").write_bytes(story("b"))
    jobs = await service.files.add([f"{web.url}/film.de.srt", str(tmp_path / "b.srt")])
    assert {job.source for job in jobs} == {f"{web.url}/film.de.srt", str(tmp_path / "b.srt")}
    ends = await finished(service, jobs)
    assert {job.state for job in ends.values()} == {"succeeded"}
    assert {file.name for file in (await service.files.page()).items} == {"film.de.srt", "b.srt"}
    assert web.asked == ["/film.de.srt"], "once, by this process"
    told = [job.source.partition("\n")[2] for job in (await service.jobs.page()).items]
    if service.location == "local":
        assert sorted(told) == ["", f"{web.url}/film.de.srt"], "where it is from is kept with the job"
    else:
        assert told == ["", ""], "no address is told to a server"


async def test_an_address_that_has_nothing_queues_nothing(service: Service, web: WebServer, tmp_path: Path) -> None:
    (tmp_path / "b.srt").write_bytes(story("b"))
    with pytest.raises(ImportRefused, match="404"):
        await service.files.add([str(tmp_path / "b.srt"), f"{web.url}/nothing"])
    assert (await service.jobs.page()).total == 0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Der letzte Zug\n\nEs war spät.", "Der letzte Zug.txt"),
        (
            "Hoffentlich fährt er überhaupt noch ab, dachte sie und lief.",
            "Hoffentlich fährt er überhaupt noch ab, dachte.txt",
        ),
        ("美咲は四月にこの町へ来た。駅は小さかった。", "美咲は四月にこの町へ来た。.txt"),
        ("1\n00:00:01,000 --> 00:00:02,000\nHallo Welt.\n", "Hallo Welt.srt"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Na endlich!\n", "Na endlich!.vtt"),
        ("../../etc/passwd\n", "etc passwd.txt"),
        ("a/b\\c:d*e?.de\n", "a b c d e de.txt"),
        ("", "otherwise.txt"),
        ("\n \n", "otherwise.txt"),
        ("\x00\x01\x02", "otherwise.txt"),
    ],
)
def test_a_name_is_made_of_the_first_words_and_the_format(text: str, name: str) -> None:
    assert name_content(text.encode(), "otherwise.txt") == name
