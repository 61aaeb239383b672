"""What notes do not say is filled in afterwards, by dictionaries, the library and a model; what is there stays."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.server.inbox.serving import base64_of
from tests.service.jobs.mining_server import MiningServer
from tests.service.steps import STORY, story
from tests.store.conftest import run_sql
from tests.waiting import HANGS
from tui.config import ProviderSettings, Settings
from tui.errors import InvalidInput
from tui.inbox.wire import InboxRequest
from tui.records.answers import NewTemplate
from tui.records.clips import Clip, NewClip
from tui.records.settings import ProfileSettings
from tui.service.inbox.caller import Caller
from tui.service.inbox.inbox import LocalInbox
from tui.service.local import LocalService

MP3 = b"ID3\x04" + bytes(60)
SOUND = {"audio": {"data": "SUQz", "filename": "a.mp3", "fields": ["Audio"]}}
Asking = tuple[LocalService, MiningServer]
CALLER = Caller(is_page=False, may_read=lambda path: True)


@pytest.fixture
def inbox(service: LocalService) -> LocalInbox:
    return service.inbox


@asynccontextmanager
async def begun(inbox: LocalInbox) -> AsyncIterator[None]:
    inbox.begin()
    try:
        yield
    finally:
        await inbox.close()


async def ask(inbox: LocalInbox, action: str, **params: object) -> Any:
    return await inbox.answer(InboxRequest(action, params, 6), CALLER)


async def add(inbox: LocalInbox, media: Mapping[str, object] | None = None, **fields: str) -> int:
    note = {"deckName": "Lode::German", "modelName": "T", "fields": fields, "options": {"allowDuplicate": True}}
    number: int = await ask(inbox, "addNote", note={**note, **(media or {})})
    return number


async def clip_that(service: LocalService, holds: Callable[[Clip], object]) -> Clip:
    """The newest clip, once something holds of it."""
    async with asyncio.timeout(HANGS):
        while not holds(clip := (await service.clips.page()).items[0]):
            await asyncio.sleep(0.01)
    return clip


async def is_done(home: Path) -> None:
    """Wait until nothing is left to be filled."""
    async with asyncio.timeout(HANGS):
        while run_sql(home, "SELECT 1 FROM inbox_notes WHERE state <> 'done'"):
            await asyncio.sleep(0.01)


async def test_dictionaries_say_what_is_missing_and_find_another_form_of_the_word(
    service: LocalService, inbox: LocalInbox
) -> None:
    await add(inbox, Expression="fahren", Sentence="Der Zug fährt bald.")
    async with begun(inbox):
        clip = await clip_that(service, lambda clip: clip.focus and clip.focus.meanings)
    assert clip.focus is not None
    assert (clip.focus.surface, clip.focus.lemma, clip.language) == ("fährt", "fahren", "de")
    assert await service.undo() is None, "filling is no step of its own"


async def test_what_a_note_says_is_not_changed(service: LocalService, inbox: LocalInbox, home: Path) -> None:
    await add(inbox, Expression="Zug", Sentence="Der Zug fährt.", Definition="my own", PartOfSpeech="thing")
    async with begun(inbox):
        await is_done(home)
    clip = await clip_that(service, bool)
    assert clip.focus is not None
    assert (clip.focus.meanings, clip.focus.part_of_speech) == (("my own",), "thing")


async def test_a_sentence_of_the_library_has_its_place_there(
    service: LocalService, inbox: LocalInbox, tmp_path: Path
) -> None:
    film = await story(service, tmp_path)
    english = STORY.replace("Der Zug fährt ab.", "The train is leaving.").replace(
        "Wir fahren mit.", "We are going too."
    )
    other = await story(service, tmp_path, english, "The Train.en.srt")
    await service.transcripts.pair(film.id, other.id, offset_ms=0)
    await add(inbox, Sentence="Der <b>Zug</b> fährt ab", Source="Elsewhere (1m1s)")
    async with begun(inbox):
        clip = await clip_that(service, lambda clip: clip.transcript_id)
    assert (clip.transcript_id, clip.cue_index, clip.start_ms, clip.end_ms) == (film.id, 0, 1000, 2500)
    assert (clip.source, clip.translation) == (film.title, "The train is leaving."), "as its translation track has it"
    await add(
        inbox,
        {"audio": {"data": "SUQz", "filename": "a.mp3", "fields": ["Audio"]}},
        Sentence="Wir fahren mit.",
        Audio="",
    )
    async with begun(inbox):
        clip = await clip_that(service, lambda clip: clip.transcript_id and "Wir" in clip.sentence)
    assert (clip.cue_index, clip.start_ms, clip.end_ms) == (1, 3000, None), "its own sound is not cut anew"
    assert clip.audio


async def test_exported_clips_and_those_of_others_are_left_alone(
    service: LocalService, inbox: LocalInbox, tmp_path: Path, home: Path
) -> None:
    other = await service.clips.add(NewClip("Der Bus fährt."))
    await add(inbox, Expression="Zug", Sentence="Der Zug fährt.")
    (before,) = [clip for clip in (await service.clips.page()).items if clip.id != other.id]
    await service.deck.export(tmp_path / "deck.apkg")
    async with begun(inbox):
        await is_done(home)
        now = await service.clips.get(before.id)
        assert now.contents() == before.contents() and now.exported == "same"
        await add(inbox, Expression="Bahn", Sentence="Die Bahn fährt.")
        await is_done(home)
    assert replace(await service.clips.get(other.id), exported="never") == other
    assert (await service.clips.get(before.id)).updated_at == before.updated_at


async def test_a_file_that_comes_later_is_taken_once_it_is_whole(service: LocalService, inbox: LocalInbox) -> None:
    folder = Path(await ask(inbox, "getMediaDirPath"))
    outside = folder.parent / "out.mp3"
    outside.write_bytes(MP3)
    number = await add(
        inbox, Sentence="Der Zug.", SentAudio="[sound:a.mp3][sound:../out.mp3]", Image='<img src="text.png">'
    )
    (folder / "text.png").write_text("password")
    async with begun(inbox):
        written = folder / "a.mp3"
        written.write_bytes(MP3[:10])
        os.utime(written, (time.time() + 50, time.time() + 50))  # written to at this moment
        assert await inbox.filling.fill(number), "it waits"
        assert (await service.clips.page()).items[0].audio is None
        written.write_bytes(MP3)
        os.utime(written, (time.time() - 5, time.time() - 5))
        clip = await clip_that(service, lambda clip: clip.audio)
    assert await service.media.audio(clip.id) == MP3
    assert clip.picture is None


async def test_the_sound_of_a_word_is_kept_as_long_as_its_clip(
    service: LocalService, inbox: LocalInbox, home: Path
) -> None:
    await ask(inbox, "storeMediaFile", filename="yomitan_audio_Zug.mp3", data=base64_of(MP3))
    await add(inbox, Expression="Zug", Sentence="Der Zug.", ExpressionAudio="[sound:yomitan_audio_Zug.mp3]")
    async with begun(inbox):
        await is_done(home)
    (clip,) = (await service.clips.page()).items
    assert clip.audio is None
    kept = run_sql(home, "SELECT name, clip_id FROM inbox_media")
    assert list(map(tuple, kept)) == [("yomitan_audio_Zug.mp3", clip.id)]


async def test_what_an_earlier_run_left_is_done_by_the_next(settings: Settings, home: Path) -> None:
    first = LocalService(settings)
    await add(first.inbox, Expression="Zug", Sentence="Der Zug fährt.")
    await first.close()
    second = LocalService(settings)
    async with begun(second.inbox):
        clip = await clip_that(second, lambda clip: clip.focus and clip.focus.meanings)
        await is_done(home)
    assert clip.focus is not None and clip.focus.lemma == "Zug"
    await second.close()


async def test_an_address_that_answers_nothing_is_asked_for_seldom(
    service: LocalService, inbox: LocalInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def fetch(address: str) -> bytes:
        asked.append(address)
        raise InvalidInput("cannot be fetched")

    monkeypatch.setattr("tui.service.inbox.fetching.fetch_media", fetch)
    told: list[str] = []
    inbox.filling.warn = told.append
    audio = {"audio": {"url": "http://example.com/a.mp3", "fields": ["Audio"]}}
    number = await add(inbox, audio, Sentence="Der Zug.", Audio="")
    for _ in range(3):
        assert await inbox.filling.fill(number)
    assert asked == ["http://example.com/a.mp3"]
    assert told.count("cannot be fetched") == 1


@pytest.fixture
async def asking(settings: Settings) -> AsyncIterator[Asking]:
    """A service whose template asks a model that breaks down, and that model's server."""
    with MiningServer() as model:
        own = ProviderSettings("near", "openai", model.url)
        service = LocalService(replace(settings, providers=(own,)), environ={})
        await service.template.save(NewTemplate("near:miner", "Explain {{ focus }} in {{ sentence }}", "Be brief."))
        await service.settings.save(ProfileSettings(inbox_fill="breakdown"))
        yield service, model
        await service.close()


async def test_a_model_explains_where_the_profile_says_so(asking: Asking, home: Path) -> None:
    service, model = asking
    await add(service.inbox, Expression="Zug", Sentence="Der Zug fährt.", Translation="mine")
    async with begun(service.inbox):
        clip = await clip_that(service, lambda clip: clip.explanation)
        await is_done(home)
    assert (clip.explanation, clip.translation) == ("It **says** so.", "mine")
    assert model.asked and clip.model == (await service.template.effective()).model


async def test_without_a_model_that_answers_the_card_is_kept_as_it_is(asking: Asking, home: Path) -> None:
    service, model = asking
    model.refuse = lambda asked: (403, {"error": {"message": "no"}})
    told: list[str] = []
    service.inbox.filling.warn = told.append
    await add(service.inbox, Expression="Zug", Sentence="Der Zug fährt.")
    async with begun(service.inbox):
        await is_done(home)
    clip = await clip_that(service, bool)
    assert clip.explanation == "" and clip.focus is not None and clip.focus.meanings
    assert any(line.startswith("no breakdown") for line in told)


async def test_what_a_client_changes_while_the_model_answers_stays(asking: Asking, home: Path) -> None:
    service, model = asking
    loop = asyncio.get_running_loop()
    number = await add(service.inbox, Expression="Zug", Sentence="Der Zug fährt.")

    def change(_: object) -> None:
        if not model.asked[1:]:
            both = asyncio.run_coroutine_threadsafe(ask(service.inbox, "addTags", notes=[number], tags="neu"), loop)
            both.result(HANGS)

    model.refuse = change
    async with begun(service.inbox):
        clip = await clip_that(service, lambda clip: clip.explanation)
        await is_done(home)
    assert (clip.tags, clip.explanation) == (("neu",), "It **says** so.")
