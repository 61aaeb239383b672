"""Films that are added: their subtitles are, and they are linked."""

import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.media.films import av, make_film, subtitled
from tests.service.libraries import near_and_far
from tests.service.steps import finished, refusal
from tui.records.media import MediaLink
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive

SRT = "1\n00:00:01,000 --> 00:00:02,000\nDer Zug kommt heute wieder viel zu spät an.\n"


async def films(service: Service) -> dict[str, MediaLink | None]:
    """The films of the transcripts, by their titles."""
    return {each.title: await service.media.of(each.id) for each in (await service.transcripts.page()).items}


async def test_subtitles_find_the_film_that_lies_beside_them(service: Service, tmp_path: Path) -> None:
    film = make_film(tmp_path / "Zug.mkv", 3)
    for name in ("Zug.de.srt", "Bahn.de.srt", "Zug.txt"):
        (tmp_path / name).write_text(SRT.replace("Zug", name) if name.endswith("srt") else "Ein Text.", "utf-8")
    await finished(service, await service.files.add([tmp_path]))
    found = await films(service)
    assert {title for title, link in found.items() if link} == {"Zug"}
    links = [link for link in found.values() if link]
    assert [(link.path, link.track) for link in links] == [(str(film), 0)]
    shutil.copy(film, tmp_path / "Bahn.mkv")
    await finished(service, await service.files.add([tmp_path / "Bahn.de.srt"]))  # it is there already
    link = (await films(service))["Bahn"]
    assert link is not None and link.path == str(tmp_path / "Bahn.mkv")


@near_and_far
async def test_a_film_that_is_added_brings_the_subtitles_inside_and_beside_it(service: Service, tmp_path: Path) -> None:
    film = subtitled(tmp_path / "Hola.mkv", "srt")
    told: list[str] = []
    jobs = await service.files.add([film], on_progress=lambda name, *_: told.append(name))
    assert [job.state for job in (await finished(service, jobs)).values()] == ["succeeded"]
    (transcript,) = (await service.transcripts.page()).items
    assert (transcript.title, transcript.language, transcript.cue_count) == ("Hola", "es", 2)
    assert told[0] == str(film)
    link = await service.media.of(transcript.id)
    # A server never links a path of another machine.
    assert (link.path if link else None) == (str(film) if service.location == "local" else None)
    beside = make_film(tmp_path / "Zug.mp4", 2)
    (tmp_path / "Zug.de.srt").write_text(SRT, "utf-8")
    await finished(service, await service.files.add([beside]))
    assert ((await films(service))["Zug"] is not None) == (service.location == "local")


async def test_a_film_without_subtitles_is_refused_with_the_next_step(service: Service, tmp_path: Path) -> None:
    silent, text = make_film(tmp_path / "Stumm.mkv", 1), tmp_path / "Text.mkv"
    text.write_text("nothing", "utf-8")
    for film, code in ((silent, "no_subtitles"), (text, "not_media")):
        refused = await refusal(service.files.add([film]))
        assert (refused.code, bool(refused.hint)) == (code, True)
    assert (await service.jobs.page()).total == 0


async def test_films_of_a_directory_bring_the_subtitles_inside_them(service: Service, tmp_path: Path) -> None:
    folder = tmp_path / "Serie"
    (folder / ".hidden").mkdir(parents=True)
    for name, language in (("Hola.mkv", "spa"), ("Zug.mkv", "por"), (".hidden/Nada.mkv", "ita")):
        subtitled(folder / name, "srt", language, name)
    make_film(folder / "Stumm.mkv", 1)
    (folder / "Text.mkv").write_text("nothing", "utf-8")
    jobs = await service.files.add([folder])
    assert [job.state for job in (await finished(service, jobs)).values()] == ["succeeded"] * 2
    assert set(await films(service)) == {"Hola", "Zug"}
    (folder / "Zug.de.srt").write_text(SRT, "utf-8")
    await finished(service, await service.files.add([folder]))
    assert {each.language for each in (await service.transcripts.page()).items} == {"es", "pt", "de"}


async def test_of_those_languages_that_are_learned_go_first(service: Service, tmp_path: Path) -> None:
    await service.settings.save(ProfileSettings(learning=(LearnedLanguage("de"),)))
    single = [subtitled(tmp_path / f"{tag}.mkv", "srt", tag, f"Un {tag}") for tag in ("spa", "ger")]
    folder = tmp_path / "Filme"
    folder.mkdir()
    two_tracks(folder / "Film.mkv", *single)
    await finished(service, await service.files.add([folder]))
    assert [(each.title, each.language) for each in (await service.transcripts.page()).items] == [("Film", "de")]
    single[0].rename(folder / "Hola.mkv")
    await finished(service, await service.files.add([folder]))  # no track of it is in that language
    assert {each.language for each in (await service.transcripts.page()).items} == {"de", "es"}


def two_tracks(path: Path, *films: Path) -> None:
    """Write a film with the subtitles of others."""
    with av.open(str(path), "w") as made, ExitStack() as opened:
        read = [opened.enter_context(av.open(str(film))) for film in films]
        streams = [made.add_stream_from_template(each.streams[0]) for each in read]
        for each, stream in zip(read, streams, strict=True):
            stream.metadata["language"] = each.streams[0].metadata["language"]
        for each, stream in zip(read, streams, strict=True):
            for packet in each.demux():
                if packet.dts is not None:
                    packet.stream = stream
                    made.mux(packet)
