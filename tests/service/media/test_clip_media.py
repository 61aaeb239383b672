"""Sounds and pictures of clips, from a film beside its subtitle to a card in Anki."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.deck.conftest import Anki, Imported
from tests.deck.conftest import anki as anki
from tests.media.films import length, make_film, tone, tones
from tests.server.serving import serving
from tests.service.libraries import Opened, near_and_far
from tests.service.steps import ended, refusal, story
from tui.config import Settings
from tui.errors import InvalidInput, NotFound
from tui.records.clips import Clip, NewClip
from tui.records.media import MediaLink, Span
from tui.remote.service import RemoteService
from tui.server.options import ServerOptions
from tui.service.incoming import KeptFilms
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive

SRT = "1\n00:00:01,000 --> 00:00:02,000\nDer Zug kommt.\n\n2\n00:00:04,000 --> 00:00:05,000\nEr fährt ab.\n"


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A film whose subtitle does not lie beside it."""
    return make_film(tmp_path / "film.mkv", 6, languages=("de",), shades=True)


async def add_subtitle(service: Service, place: Path, name: str = "zug.de.srt", text: str = SRT) -> str:
    """The id of the transcript of a subtitle."""
    return (await story(service, place, text, name)).id


async def add_clip(service: Service, transcript: str, at: int = 0) -> Clip:
    cue = (await service.transcripts.cues(transcript)).items[at]
    return await service.clips.add(
        NewClip(cue.text, transcript_id=transcript, cue_index=cue.index, start_ms=cue.start_ms, end_ms=cue.end_ms)
    )


async def when(service: Service, clip: Clip, has: Callable[[Clip], bool]) -> Clip:
    """The clip once it is so."""
    while not has(clip := await service.clips.get(clip.id)):
        await asyncio.sleep(0.01)
    return clip


async def linked(service: Service, transcript: str, film: Path) -> MediaLink:
    made = await service.media.link(transcript, film)
    if made.job is not None:
        assert (await ended(service, made.job)).state == "succeeded"
    return made.links[0]


@near_and_far
async def test_a_film_is_seen_and_heard_in_anki(service: Service, film: Path, tmp_path: Path, anki: Anki) -> None:
    transcript = await add_subtitle(service, tmp_path)
    before = await add_clip(service, transcript)
    assert (await service.media.of(transcript), before.audio) == (None, None)
    link = await linked(service, transcript, film)
    told = (link.transcript_id, Path(link.path).name, await service.media.of(transcript))
    assert told == (transcript, "film.mkv", link)
    kept = await service.clips.get(before.id)
    assert kept.audio and kept.picture and kept.updated_at == before.updated_at
    sound = tmp_path / "sound.mp3"
    sound.write_bytes(await service.media.audio(before.id))
    assert length(sound) == pytest.approx(1.65, abs=0.1)  # 250 ms before, 400 ms after
    assert tones(sound, 0.4, 1.1) == pytest.approx(tone(1), abs=15)
    assert (await service.media.picture(before.id)).startswith(b"\xff\xd8\xff")

    after = await when(service, await add_clip(service, transcript, 1), lambda clip: clip.audio is not None)
    assert after.audio != kept.audio
    deck = tmp_path / "lode.apkg"
    report = await service.deck.export(deck)
    assert (report.new, report.without_media) == (2, ())
    assert anki.take(deck) == Imported(new=2)
    media = anki.col.media.check()
    assert (list(media.missing), list(media.unused)) == ([], [])
    folder = {path.name: path.read_bytes() for path in Path(anki.col.media.dir()).iterdir()}
    for note, clip in zip(anki.notes(), (kept, after), strict=True):
        name = note["SentenceAudio"].removeprefix("[sound:").removesuffix("]")
        assert folder[name] == await service.media.audio(clip.id)
        assert folder[note["Picture"].split('"')[1]] == await service.media.picture(clip.id)
    assert await service.deck.export(tmp_path / "again.apkg")
    assert (tmp_path / "again.apkg").read_bytes() == deck.read_bytes()


async def test_other_times_or_films_are_cut_anew_or_told(service: Service, film: Path, tmp_path: Path) -> None:
    transcript = await add_subtitle(service, tmp_path)
    await linked(service, transcript, film)
    clip = await when(service, await add_clip(service, transcript), lambda clip: clip.audio is not None)
    edited = await service.clips.edit(clip.id, replace(clip.contents(), end_ms=3500))
    longer = await when(service, edited, lambda now: now.audio != clip.audio)
    assert longer.updated_at == edited.updated_at
    sound = tmp_path / "sound.mp3"
    sound.write_bytes(await service.media.audio(clip.id))
    assert length(sound) == pytest.approx(3.15, abs=0.1)
    assert len(await service.media.waveform(transcript, Span(0, 2000))) == 100

    away, deck = film.rename(tmp_path / "away.mkv"), tmp_path / "lode.apkg"
    later = await add_clip(service, transcript, 1)
    (trouble,) = (await service.deck.export(deck)).without_media
    assert (trouble.path, trouble.clips, trouble.code) == (str(film), 1, "media_missing")
    make_film(film, 7)
    (trouble,) = (await service.deck.export(deck)).without_media
    assert trouble.code == "media_changed"
    assert (await refusal(service.media.waveform(transcript, Span(0, 1000)))).code == "media_changed"
    await linked(service, transcript, away)
    assert (await service.clips.get(later.id)).audio
    written = await service.deck.export(deck)
    assert (written.without_media, written.written) == ((), True)
    (link,) = await service.media.unlink(transcript)
    assert Path(link.path) == away
    assert await service.media.unlink(transcript) == ()
    assert (await service.clips.get(clip.id)).audio, "unlinking leaves what there is"
    assert (await refusal(service.media.waveform(transcript, Span(0, 2000)))).code == "no_media"


@near_and_far
async def test_what_cannot_be_linked_changes_nothing(library: Opened, film: Path, tmp_path: Path) -> None:
    service = library.service
    transcript = await add_subtitle(service, tmp_path)
    first = await linked(service, transcript, film)
    silent = make_film(tmp_path / "empty.mkv", 0, languages=(), video=False)
    (tmp_path / "text.mkv").write_text("nothing", "utf-8")
    for path, track, code in (
        (tmp_path / "none.mkv", 0, "media_unreadable"),
        (tmp_path / "text.mkv", 0, "not_media"),
        (silent, 0, None),
        (film, 7, "no_such_track"),
    ):
        assert code in (None, (await refusal(service.media.link(transcript, path, track=track))).code)
    text = await add_subtitle(service, tmp_path, "text.txt", "Ein Text ohne Zeiten.")
    assert (await refusal(service.media.link(text, film))).code == "no_times"
    for other in ("nosuchid2345", "!"):
        assert isinstance(await refusal(service.media.link(other, film)), NotFound | InvalidInput)
    assert isinstance(await refusal(library.other_profile.media.of(transcript)), NotFound)
    clip = await add_clip(service, text)
    assert (await refusal(service.media.audio(clip.id))).code == "media_not_found"
    assert await service.media.of(transcript) == first


async def test_a_copy_outlives_the_film_and_goes_with_its_link(library: Opened, film: Path, tmp_path: Path) -> None:
    service, home = library.service, library.engine.settings.home
    transcript = await add_subtitle(service, tmp_path)
    made = await service.media.link(transcript, film, copy=True)
    copy = Path(made.links[0].path)
    assert copy.is_relative_to(home / "films") and copy.read_bytes() == film.read_bytes()
    film.unlink()
    clip = await when(service, await add_clip(service, transcript), lambda clip: clip.audio is not None)
    kept = KeptFilms(home)
    await library.engine.database.run(kept.sweep)
    await service.media.unlink(transcript)
    await library.engine.database.run(kept.sweep)
    assert copy.exists()  # it is young: somebody may be about to link it
    os.utime(copy.parent, (1, 1))
    await library.engine.database.run(kept.sweep)
    assert not copy.parent.exists()
    assert (await service.clips.get(clip.id)).audio


async def test_a_film_too_large_for_the_server_leaves_nothing(settings: Settings, film: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.mkv"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    async with serving(settings, ServerOptions(port=0, max_film=1000)) as served:
        service = RemoteService(served.url)
        transcript = await add_subtitle(service, tmp_path)
        for sent in (film, large):
            refused = await refusal(service.media.link(transcript, sent))
            assert (refused.code, "--max-film" in refused.hint) == ("too_large", True)
        assert not (settings.home / "films").exists()
        assert await service.media.of(transcript) is None
        await service.close()
    async with serving(settings) as served:
        service = RemoteService(served.url)
        # Which is told before the film has come.
        assert isinstance(await refusal(service.media.link("nothing", large)), NotFound)
        await service.close()


@near_and_far
async def test_tables_and_notes_have_their_media_beside_them(service: Service, film: Path, tmp_path: Path) -> None:
    transcript = await add_subtitle(service, tmp_path)
    await linked(service, transcript, film)
    clip = await when(service, await add_clip(service, transcript), lambda clip: clip.audio is not None)
    for name in ("my words.csv", "notes.md", "anki.txt", "lines.jsonl"):
        path = tmp_path / name
        report = await service.deck.export(path)
        assert report.size_bytes == path.stat().st_size
        text, folder = path.read_text("utf-8"), path.with_suffix(".media")
        files = {each.name: each.read_bytes() for each in folder.iterdir()}
        assert files == {
            f"lode-{clip.audio}.mp3": await service.media.audio(clip.id),
            f"lode-{clip.picture}.jpg": await service.media.picture(clip.id),
        }
        beside = "" if name == "anki.txt" else f"{folder.name}/"  # Anki has them in a folder of its own
        assert all(beside + each in text for each in files)
        await service.deck.export(path, overwrite=True)
    assert "![](notes.media/lode-" in (tmp_path / "notes.md").read_text("utf-8")
    (tmp_path / "no.media").write_text("mine")
    assert (await refusal(service.deck.export(tmp_path / "no.csv"))).code == "target_exists"
    assert not (tmp_path / "no.csv").exists()
    assert not list(tmp_path.glob(".lode-tmp-*"))
