"""Clips without a recording are spoken by a machine, from the sentence to a card in Anki that says so."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.deck.conftest import Anki
from tests.deck.conftest import anki as anki
from tests.llm.fakes.fake_server import Cut, FakeModelServer, Reply, html, status
from tests.media.films import length, make_film, tone, tones
from tests.service.libraries import Opened, Where, opened
from tests.service.media.test_clip_media import add_clip, add_subtitle, linked, when
from tests.service.steps import ended, refusal
from tests.voices.programs import Programs, pitch
from tests.voices.programs import programs as programs
from tui.config import ProviderSettings, Settings, SpeechSettings
from tui.errors import InvalidInput, NotFound
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip
from tui.records.jobs import Job
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive

ZUG = NewClip("Der Zug kommt.", focus=FocusWord("Zug", lemma="Zug", language="de"), source="Fahrplan", tags=("rail",))
CAT = NewClip("The cat sat.", focus=FocusWord("cat", language="en"))


async def spoken(service: Service, *ids: str, again: bool = False) -> Job:
    """The job that has spoken them, or all."""
    return await ended(service, await service.media.speak(ClipSelection(ids), again=again))


async def test_the_card_says_that_a_machine_spoke(
    service: Service, programs: Programs, tmp_path: Path, anki: Anki
) -> None:
    zug, cat = await service.clips.add(ZUG), await service.clips.add(CAT)
    job = await spoken(service)
    assert (job.kind, job.state, job.message) == ("speech", "succeeded", "2 clips spoken")
    assert programs.said == [("de", ZUG.sentence), ("en", CAT.sentence)]
    now = await service.clips.get(zug.id)
    assert (now.voice, now.updated_at) == ("espeak-ng de", zug.updated_at)
    sound = tmp_path / "sound.mp3"
    sound.write_bytes(await service.media.audio(zug.id))
    assert length(sound) == pytest.approx(1, abs=0.1)
    assert tones(sound, 0.2, 0.8) == pytest.approx(pitch(ZUG.sentence), abs=10)
    assert await service.media.speak() is None

    deck = tmp_path / "lode.apkg"
    assert (await service.deck.export(deck)).written
    anki.take(deck)
    note = next(note for note in anki.notes() if "Zug" in note["Sentence"])
    assert note["SentenceAudio"] == f"[sound:lode-{now.audio}.mp3]"
    assert "Fahrplan · spoken by a machine (espeak-ng de)" in note["MiscInfo"]
    assert "spoken by a machine (espeak-ng de)" in next(back for _, back in anki.sides() if "Zug" in back)
    media = anki.col.media.check()
    assert (list(media.missing), list(media.unused)) == ([], [])

    assert await service.media.unspeak(ClipSelection((cat.id,))) == 1
    silent = await service.clips.get(cat.id)
    assert (silent.audio, silent.voice, silent.updated_at) == (None, None, cat.updated_at)
    assert await service.media.unspeak() == 1
    assert await service.media.unspeak() == 0


async def test_what_is_spoken_is_chosen_and_spoken_once_a_sentence(service: Service, programs: Programs) -> None:
    zug, cat = await service.clips.add(ZUG), await service.clips.add(CAT)
    assert (await ended(service, await service.media.speak(ClipSelection(tag="rail")))).state == "succeeded"
    assert (await ended(service, await service.media.speak(ClipSelection(q="cat sat")))).state == "succeeded"
    assert programs.said == [("de", ZUG.sentence), ("en", CAT.sentence)]
    assert isinstance(await refusal(service.media.speak(ClipSelection(("nosuchclip22",)))), NotFound)
    assert isinstance(await refusal(service.media.unspeak(ClipSelection(since="never"))), InvalidInput)
    again = await spoken(service, zug.id, cat.id, again=True)
    assert (again.message, len(programs.said)) == ("0 clips spoken", 2)  # by the voice that has done so already
    assert (await service.clips.edit(zug.id, replace(ZUG, note="a note"))).voice == "espeak-ng de"
    await service.clips.delete(zug.id)
    await service.undo()
    assert await service.media.audio(zug.id)
    edited = await service.clips.edit(zug.id, replace(ZUG, sentence="Der Zug fährt."))
    assert (edited.audio, edited.voice) == (None, None)
    await spoken(service)
    assert programs.said[-1] == ("de", "Der Zug fährt.")


async def test_a_recording_replaces_a_voice_for_good(service: Service, programs: Programs, tmp_path: Path) -> None:
    transcript = await add_subtitle(service, tmp_path)
    later = (await service.transcripts.cues(transcript)).items[1]
    clip = await add_clip(service, transcript)
    beyond = await service.clips.add(
        NewClip(later.text, transcript_id=transcript, cue_index=1, start_ms=90_000, end_ms=95_000)
    )
    await spoken(service)  # in the language of the transcript
    assert (await service.clips.get(clip.id)).voice == (await service.clips.get(beyond.id)).voice == "espeak-ng de"
    await linked(service, transcript, make_film(tmp_path / "film.mkv", 6, languages=("de",)))
    now = await service.clips.get(clip.id)
    assert (now.voice, now.updated_at) == (None, clip.updated_at)
    sound = tmp_path / "sound.mp3"
    sound.write_bytes(await service.media.audio(clip.id))
    assert tones(sound, 0.4, 1.1) == pytest.approx(tone(1), abs=15)
    assert (await service.clips.get(beyond.id)).voice == "espeak-ng de", "the film ends before it"
    again = await service.media.speak(ClipSelection((clip.id,)), again=True)
    assert (again, await service.media.unspeak(ClipSelection((clip.id,)))) == (None, 0)
    assert (await service.clips.get(clip.id)).audio == now.audio
    said = len(programs.said)
    waiting = await service.clips.add(NewClip("Der Zug", transcript_id=transcript, start_ms=1000, end_ms=2000))
    if (job := await service.media.speak()) is not None:
        await ended(service, job)
    kept = await when(service, waiting, lambda clip: clip.audio is not None)
    assert (kept.voice, len(programs.said)) == (None, said), "one that waits for the film is cut and not spoken"


async def test_what_cannot_be_spoken_is_left_out_and_told(service: Service, programs: Programs) -> None:
    for clip in (
        replace(ZUG, sentence="♪ ♪"),
        replace(ZUG, sentence="Zug " * 1300),
        NewClip("nuqneH", focus=FocusWord("nuqneH", language="tlh")),
        NewClip("Who knows?"),
        ZUG,
    ):
        await service.clips.add(clip)
    job = await spoken(service)
    assert job.state == "succeeded"
    for said in (
        "1 clip spoken · ",
        "1 not: the sentence has no word to be spoken",
        "1 not: a text of more than 4000 characters is not spoken",
        "1 not: espeak-ng has no voice for tlh",
        "1 not: the language of a clip is not known",
    ):
        assert said in job.message
    job = await spoken(service)
    assert job.state == "failed"
    assert "the sentence has no word" in (job.error or "")


async def test_a_program_that_fails_is_tried_thrice_and_the_rest_stays(service: Service, programs: Programs) -> None:
    for at in range(6):
        await service.clips.add(replace(ZUG, sentence=f"Zug {at}"))
    real = (programs.place / "espeak-ng").read_text("utf-8")
    garbage = "else: open(given['-w'], 'w').write('no sound')"
    programs.put("espeak-ng", real.replace("\nspeak(given", "\nif not os.path.exists(log): speak(given") + garbage)
    job = await spoken(service)
    assert job.state == "failed"
    assert (job.error or "").startswith("espeak-ng de has not spoken: what comes is no sound\n")
    assert [clip.voice for clip in (await service.clips.page()).items] == [None] * 5 + ["espeak-ng de"]
    programs.espeak()
    again = await ended(service, await service.jobs.retry(job.id))
    assert again.message == "5 clips spoken"
    assert [text for _, text in programs.said] == [f"Zug {at}" for at in range(6)]


async def test_a_cancelled_job_ends_its_program_at_once(service: Service, programs: Programs, tmp_path: Path) -> None:
    programs.put(
        "espeak-ng",
        f"#!/bin/sh\nif [ $1 = --voices ]; then cat {programs.place}/voices.txt; else touch {tmp_path}/begun;"
        " sleep 600; fi\n",
    )
    await service.clips.add(ZUG)
    job = await service.media.speak()
    assert job is not None
    while not (tmp_path / "begun").exists():
        await asyncio.sleep(0.01)
    (cancelled,) = await service.jobs.cancel(job.id)
    assert cancelled.state == "cancelled"
    assert (await service.clips.page()).items[0].audio is None


async def test_a_place_that_cannot_be_written_is_told_and_without_any_voice_what_to_install(
    service: Service, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.clips.add(ZUG)
    with monkeypatch.context() as patched:
        patched.setattr("tempfile.tempdir", str(programs.place / "none"))
        job = await spoken(service)
    assert (job.state, (job.error or "").startswith("the sound cannot be written: No such file")) == ("failed", True)
    (programs.place / "espeak-ng").unlink()
    monkeypatch.setenv("PATH", str(programs.place))
    refused = await refusal(service.media.speak())
    assert (refused.code, "apt install espeak-ng" in refused.hint) == ("voice_missing", True)


# A provider's


@pytest.fixture
async def with_provider(
    settings: Settings, server: FakeModelServer, where: Where, programs: Programs
) -> AsyncIterator[Opened]:
    """``work`` speaks, but for English."""
    work = ProviderSettings("work", "openai", server.base_url)
    speech = {"": SpeechSettings("work", "tts-large", "anna"), "en": SpeechSettings("espeak-ng", voice="en-gb")}
    async with opened(replace(settings, providers=(work,), speech=speech), where) as library:
        yield library


def mp3(tmp_path: Path) -> Reply:
    sound = make_film(tmp_path / "reply.mp3", 1, video=False, codec="libmp3lame").read_bytes()
    return Reply((sound[:1000], sound[1000:]), headers={"content-type": "audio/mpeg"})


async def test_a_provider_that_is_named_speaks_and_each_language_may_have_its_own(
    with_provider: Opened, server: FakeModelServer, programs: Programs, tmp_path: Path
) -> None:
    service = with_provider.service
    zug, cat = await service.clips.add(ZUG), await service.clips.add(CAT)
    server.enqueue(mp3(tmp_path))
    assert (await spoken(service)).message == "2 clips spoken"
    assert programs.said == [("en-gb", CAT.sentence)]
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/v1/audio/speech")
    assert request.body == {"model": "tts-large", "voice": "anna", "input": ZUG.sentence, "response_format": "mp3"}
    assert (await service.clips.get(zug.id)).voice == "work tts-large anna"
    sound = tmp_path / "sound.mp3"
    sound.write_bytes(await service.media.audio(zug.id))
    assert tones(sound, 0.2, 0.8) == pytest.approx(tone(0), abs=10)
    assert (await service.clips.get(cat.id)).voice == "espeak-ng en-gb"


async def test_a_provider_s_refusal_is_told(with_provider: Opened, server: FakeModelServer, tmp_path: Path) -> None:
    service = with_provider.service
    clip = await service.clips.add(ZUG)
    for reply, said in (
        (status(401), "work wants a key (401)"),
        (status(404), "work knows no model 'tts-large'"),
        (Reply((b"ID3", Cut())), "the connection to work was lost"),
        (Reply((b"\0" * 1_000_000,) * 21), "the server's answer has no end"),
        (html("It works!"), "work tts-large anna has not spoken: what comes is no sound"),
        (Reply(()), "work tts-large anna has not spoken: what comes is no sound"),
        (status(400, {"error": {"message": "no such voice"}}), "work refuses the request (400): no such voice"),
    ):
        server.on_chat = lambda request: reply
        job = await spoken(service)
        assert job.state == "failed"
        assert said in (job.error or "")
        assert (await service.clips.get(clip.id)).audio is None
    server.on_chat = lambda request: mp3(tmp_path)
    assert (await ended(service, await service.jobs.retry(job.id))).state == "succeeded"


async def test_who_cannot_speak_is_told_so(settings: Settings, server: FakeModelServer, programs: Programs) -> None:
    claude = ProviderSettings("claude", "anthropic", server.base_url)
    for name, said in (("nobody", "nobody"), ("claude", "claude cannot be asked to speak")):
        speech = {"": SpeechSettings(name, "large", "anna")}
        async with opened(replace(settings, providers=(claude,), speech=speech), "local") as library:
            if not (await library.service.clips.page()).items:
                await library.service.clips.add(ZUG)
            job = await spoken(library.service)
            assert (job.state, said in (job.error or "")) == ("failed", True)
    assert server.requests == [] and programs.said == []


async def test_a_program_that_writes_nothing_leaves_no_other_s_sound(service: Service, programs: Programs) -> None:
    real = (programs.place / "espeak-ng").read_text("utf-8")
    programs.put("espeak-ng", real.replace("\nspeak(given", "\nif not os.path.exists(log): speak(given"))
    first, second = await service.clips.add(ZUG), await service.clips.add(replace(ZUG, sentence="Ein Hund."))
    assert (await spoken(service)).message == "1 clip spoken · 1 not: espeak-ng wrote no sound"
    assert (await service.clips.get(first.id)).voice and not (await service.clips.get(second.id)).audio
