"""The reader screen: what starts from the word under the eye, and what is known of it, over a real library."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from tests.language.segmenting import needs_segmenter
from tests.playing.fake_mpv import FakeMpv
from tests.screens.driving import lines, press_until, shows, toasts, until, until_shown
from tests.screens.reader.test_following import following, speak, until_at
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import on_screen, press, running, settled
from tests.waiting import HANGS
from tui.app import LodeApp
from tui.config import Settings
from tui.errors import StoreError
from tui.records.clips import NewClip
from tui.records.transcripts import Cue, OriginalCue, ReadingPlace, Ruby
from tui.screens.messages import GoBack, LibraryChanged, OpenBreakdown, OpenTranscript, SentenceLookedAt
from tui.screens.reader import reader as reader_module
from tui.screens.reader import transcript_screen
from tui.screens.reader.places import LeftPlaces
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest, ExplainRequest
from tui.widgets.cards.focus_card import sparkline
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.chrome.notice import Notice
from tui.widgets.transcript.cue_reader import CueReader


def marked(pilot: Pilot[None]) -> list[str]:
    """The times of the cues in sight that are marked as having clips."""
    return [line[3:7] for line in lines(pilot) if line.startswith("•")]


def reader(app: Stage) -> CueReader:
    return app.screen.query_one(CueReader)


def eye(app: Stage) -> tuple[int, str]:
    return reader(app).cue_index, reader(app).focus_text


@asynccontextmanager
async def at_the_word(app: Stage, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """The reader's app, "fährt" under the eye."""
    async with running(app, size) as pilot:
        await press(pilot, "l")
        yield pilot


async def test_readings_stand_behind_the_characters_until_the_key_is_pressed_again(service: LocalService) -> None:
    cues = [replace(cue, ruby=(Ruby(0, 2, "きのう"),)) for cue in timed(["昨日は休みだ。"] * 3)]
    transcript = await add_transcript(service, cues, title="休み", language="ja")
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        assert "昨日は" in on_screen(app)
        await press(pilot, "R")
        assert on_screen(app).count("昨日[きのう]は") == 3
        assert not app.said()
        app.push_screen(ReaderScreen(service, transcript))
        await until_shown(pilot, "昨日[きのう]は")
        await press(pilot, "R")
        assert "きのう]" not in on_screen(app)


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("de", "no readings are known for this text"),
        ("ja", "readings of Japanese need its segmenter, where the library is: pip install 'lode[ja]'"),
    ],
)
async def test_a_text_without_readings_says_what_would_bring_them(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, language: str, reason: str
) -> None:
    monkeypatch.setattr("tui.language.segmentation.is_installed", lambda row: False)
    app = Stage(ReaderScreen(service, await add_transcript(service, timed(["昨日", "Zug"]), language=language)))
    async with running(app) as pilot:
        await press(pilot, "R")
        assert app.said() == [reason]
        assert not reader(app).shows_readings


@needs_segmenter("ja")
async def test_word_and_clip_have_the_dictionary_form_and_reading_of_their_sentence(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = await add_transcript(service, timed(["待っていた。"]), title="駅", language="ja")
    app = Stage(ReaderScreen(service, transcript))
    async with running(app, (120, 40)) as pilot:
        await until_shown(pilot, "まっ · 待つ")
        assert reader(app).focus_text == "待っ"
        monkeypatch.setattr(reader_module, "SETTLED_SECONDS", HANGS)  # before what dictionaries say of it is there
        await press_until(pilot, "l", "l", "c", holds=app.said)
        (clip,) = (await service.clips.page()).items
        assert clip.focus is not None
        assert (clip.focus.surface, clip.focus.lemma, clip.focus.reading) == ("い", "いる", None)


async def test_what_is_asked_has_everything_that_is_known(app: Stage, service: LocalService, transcript: str) -> None:
    async with at_the_word(app, (120, 40)) as pilot:
        assert "Der letzte Zug · German · 10 cues · 2:31" in on_screen(app)
        last = list(app.all_asked(SentenceLookedAt))[-1]
        assert (last.request.sentence, last.request.focus) == (STATION[3], "fährt")
        await press(pilot, "x", "K", "enter")
        explanation, asked = app.all_asked(OpenBreakdown)
        assert explanation.request == ExplainRequest(sentence=STATION[3], language="de", source="Der letzte Zug")
        assert explanation.draft.focus is None
        assert asked.request == BreakdownRequest(
            sentence=STATION[3],
            focus="fährt",
            context="Das ist der letzte heute, danach kommt bis morgen früh nichts mehr.",
            language="de",
            source="Der letzte Zug",
        )
        draft = asked.draft
        file_id = (await service.transcripts.get(transcript)).file_id
        assert (draft.transcript_id, draft.file_id, draft.cue_index) == (transcript, file_id, 3)
        assert (draft.start_ms, draft.end_ms, draft.source) == (120_750, 124_750, "Der letzte Zug")
        assert (draft.sentence, draft.context) == (asked.request.sentence, asked.request.context)
        assert draft.focus is not None
        assert (draft.focus.surface, draft.focus.language) == ("fährt", "de")


async def test_words_apart_are_asked_about_together_and_a_cue_without_words_is_only_explained(app: Stage) -> None:
    async with at_the_word(app) as pilot:
        await press(pilot, "space", *"llll", "enter", "k", "y", *"jjjjj", "enter", "x")
        words, sentence = [asked.request for asked in app.all_asked(OpenBreakdown)]
        assert isinstance(words, BreakdownRequest)
        assert (words.focus, sentence.sentence) == ("fährt ab", "♪♪♪")
        assert any("no word" in said for said in app.said())
        assert app.copied == ["Das ist der letzte heute, danach kommt bis morgen früh nichts mehr."]


async def test_c_saves_a_clip_at_once_and_none_again(app: Stage, service: LocalService, transcript: str) -> None:
    async with at_the_word(app) as pilot:
        await press(pilot, "c", "c", "J", "c")
        assert app.said() == ["clip saved: fährt", "it is already saved", "clip completed: fährt"]
        [clip] = (await service.clips.page()).items
        assert (clip.sentence, clip.context) == (STATION[3], "Bestimmt.")
        assert (clip.transcript_id, clip.cue_index, clip.start_ms) == (transcript, 3, 120_750)
        assert clip.focus is not None and clip.focus.surface == "fährt"
        assert {kind for message in app.all_asked(LibraryChanged) for kind in message.kinds} - {"place"} == {"clip"}
        await service.clips.delete(clip.id)
        await press(pilot, "c", "l", "c", *"jjjj", "c", "c")
        assert app.said()[3:] == ["clip saved: fährt", "clip saved: er", "clip saved: ♪♪♪", "it is already saved"]


@pytest.mark.exhaustive
async def test_cues_are_marked_as_clips_come_and_go(service: LocalService, settings: Settings, transcript: str) -> None:
    app = LodeApp(service, settings)
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(OpenTranscript(transcript, 3))
        await until_shown(pilot, "Hoffentlich")
        assert not marked(pilot)
        await press_until(pilot, "c", holds=lambda: marked(pilot) == ["2:00"])
        await press_until(pilot, "j", "c", holds=lambda: marked(pilot) == ["2:00", "2:05"])
        await press_until(pilot, "3", rows=2)
        await press_until(pilot, "d", "y", rows=1)
        await press_until(pilot, "2", holds=lambda: marked(pilot) == ["2:00"])
        await press_until(pilot, "u", holds=lambda: marked(pilot) == ["2:00", "2:05"])


@pytest.mark.exhaustive
async def test_escape_closes_the_nearest_thing_and_goes_back_at_last(app: Stage) -> None:
    async with at_the_word(app) as pilot:
        await press(pilot, "J", "v", "l", "slash", "z")
        find = app.screen.query_one("#find")
        await pilot.press("escape")
        assert not find.has_class("-open")
        assert reader(app).has_focus
        assert reader(app).cue_focus.is_extended
        await pilot.press("escape")
        assert not reader(app).cue_focus.is_extended
        assert reader(app).cue_focus.has_context
        await pilot.press("escape")
        assert not reader(app).cue_focus.has_context
        assert not list(app.all_asked(GoBack))
        await pilot.press("escape")
        assert len(list(app.all_asked(GoBack))) == 1


async def test_the_pane_says_what_the_library_knows_of_the_word(service: LocalService) -> None:
    # Of an unknown language, so that nothing depends on a dictionary: a word is counted by its form.
    transcript = await add_transcript(service, timed(STATION), language=None)
    await add_transcript(service, timed(("Er fährt.", "Sie fährt.", "Wer fährt?")), title="Noch einer", language=None)
    for cue_index in (9, 2, 2, None):
        await service.clips.add(NewClip("Satz", transcript_id=transcript, cue_index=cue_index))
    app = Stage(ReaderScreen(service, transcript, (3, 0)))
    async with at_the_word(app, (120, 40)) as pilot:
        assert marked(pilot) == ["1:56", "2:27"]
        await press(pilot, "c")
        screen = app.first_screen
        assert isinstance(screen, ReaderScreen)
        screen.library_changed(frozenset({"clip"}))
        await settled(pilot)
        shown = on_screen(app)
        assert "5 times in your library" in shown
        assert "in 2 texts, oldest first:" in shown
        assert sparkline((2, 3), 40) in shown
        assert "1 clip" in shown


async def test_a_transcript_opens_where_it_was_left_also_by_another_process(
    service: LocalService, settings: Settings, transcript: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        assert reader(app).cue_index == 0
        await press(pilot, "j", "j", "j", "l", "l")
    again = LocalService(settings)
    app = Stage(ReaderScreen(again, transcript))
    monkeypatch.setattr(transcript_screen, "_KEPT_SECONDS", 0.01)
    async with running(app) as pilot:
        assert eye(app) == (3, "er")
        await press(pilot, "k")
        while await service.transcripts.place(transcript) != ReadingPlace(2, 0, 4):  # kept while one reads
            await pilot.pause()
    await again.close()


async def test_a_transcript_that_is_gone_says_so_and_can_be_left(service: LocalService) -> None:
    app = Stage(ReaderScreen(service, "gone"))
    async with running(app) as pilot:
        assert app.screen.query_one(Notice).display
        assert "gone" in on_screen(app)
        await press(pilot, "enter", "x", "c", "y", "j", "escape")
        assert [type(message) for message in app.asked] == [GoBack]


async def test_a_text_without_times_shows_none(service: LocalService) -> None:
    transcript = await add_transcript(service, [Cue(0, None, None, "Es war einmal.")], title="Märchen")
    app = Stage(ReaderScreen(service, transcript))
    async with running(app, (60, 16)) as pilot:
        assert " ▌ Es war einmal." in on_screen(app)
        assert "Märchen · German · 1 cue" in on_screen(app)
        await press(pilot, "c")
        [clip] = (await service.clips.page()).items
        assert (clip.start_ms, clip.end_ms, clip.cue_index) == (None, None, 0)


# Finding.


async def test_hits_are_counted_jumped_to_and_gone_through(app: Stage) -> None:
    async with running(app) as pilot:
        field = app.screen.query_one("#find-field", Input)
        count = app.screen.query_one("#find-count", Static)
        await press(pilot, "slash", *"q1cxyu", "enter")
        assert (field.value, str(count.content)) == ("q1cxyu", "nothing found")
        assert (app.pressed, app.copied, reader(app).cue_index, field.has_focus) == ([], [], 3, True)
        await press(pilot, "tab")
        assert reader(app).has_focus
        await press(pilot, "slash", "ctrl+u", *"fährt")
        assert str(count.content) == "1/2"
        await press(pilot, "enter")
        assert eye(app) == (3, "fährt")
        await press(pilot, "n")
        assert (*eye(app), str(count.content)) == (9, "fährt", "2/2")
        await press(pilot, "n", "N", "k")
        assert (reader(app).cue_index, str(count.content)) == (8, "2 hits")
        await press(pilot, "slash", "ctrl+u", *"FAHR", "enter", "g", "n", "n")
        assert eye(app) == (5, "fahren"), "an accent more or less is found too"


# Key z: what is asked and kept is the whole sentence.


CUT = ("Ja. Hoffentlich fährt er", "überhaupt noch ab.", "Bestimmt.")
SENTENCE = "Hoffentlich fährt er überhaupt noch ab."


@pytest.fixture
async def cut(service: LocalService) -> str:
    return await add_transcript(service, timed(CUT, start_ms=0, step_ms=4_500))


async def test_the_whole_sentence_with_its_span_is_asked_about_and_kept(service: LocalService, cut: str) -> None:
    texts = ("Yes. I hope", "that it leaves at all.", "It will.")
    track = await add_transcript(service, timed(texts, start_ms=0, step_ms=4_500), title="Train", language="en")
    await service.transcripts.pair(cut, track)
    app = Stage(ReaderScreen(service, cut, (1, 0)))
    async with running(app) as pilot:
        await press(pilot, "z", "enter", "x", "c", "c")
        breakdown, explanation = app.all_asked(OpenBreakdown)
        assert isinstance(breakdown.request, BreakdownRequest)
        assert (breakdown.request.sentence, breakdown.request.focus) == (SENTENCE, "überhaupt")
        assert isinstance(explanation.request, ExplainRequest)
        assert explanation.request.sentence == SENTENCE
        assert await service.clips.cues_of(cut) == (1,)
        [clip] = (await service.clips.page()).items  # the same word again is no second one
        for kept in (breakdown.draft, clip):
            assert (kept.sentence, kept.cue_index, kept.start_ms, kept.end_ms) == (SENTENCE, 1, 0, 8_500)
            assert kept.translation == "Yes. I hope that it leaves at all.", "that of all its cues, once"
        assert clip.focus is not None and clip.focus.surface == "überhaupt"


@pytest.mark.exhaustive
async def test_the_key_line_says_so_and_it_holds_for_the_transcript(service: LocalService, cut: str) -> None:
    other = await add_transcript(service, timed(CUT), title="Noch einer")
    for transcript, keys, shown in ((cut, "z", "SENTENCE"), (other, "j", ""), (cut, "j", "SENTENCE"), (cut, "z", "")):
        app = Stage(ReaderScreen(service, transcript))
        async with running(app) as pilot:
            await press(pilot, keys)
            await until(pilot, lambda: app.screen.query_one(KeyLine).mode == shown)
    app = Stage(ReaderScreen(service, cut))
    async with running(app) as pilot:
        await press(pilot, "z", "v")
        await until(pilot, lambda: app.screen.query_one(KeyLine).mode == "SENTENCE EXTEND")


# What the import changed.


CHANGES = (
    OriginalCue(None, "dropped", ("sound",), 100_000, 101_000, "[Musik]\x1b[31m"),
    OriginalCue(4, "labelled", ("sound", "speaker"), 125_250, 129_250, "MANN: [seufzt] Bestimmt."),
)


async def test_each_change_is_listed_with_its_reason_and_enter_goes_to_its_cue(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION), originals=CHANGES)
    app = Stage(ReaderScreen(service, transcript))
    async with running(app, (100, 24)) as pilot:
        await press_until(pilot, "I", shown="2 cues of the file changed")
        shown = on_screen(app)
        assert "1:40  dropped (sound)           [Musik]" in shown
        assert "2:05  labelled (sound, speaker) MANN: [seufzt] Bestimmt." in shown
        await press(pilot, *"mann", "enter")
        await settled(pilot)
        assert app.screen.query_one(CueReader).cue_index == 4
        await press_until(pilot, "I", shown="2 cues of the file changed")
        await press(pilot, "enter")
        assert app.said() == ["that cue was left out"]


async def test_a_transcript_that_is_as_its_file_says_so(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    app = Stage(ReaderScreen(service, transcript))
    async with running(app, (60, 16)) as pilot:
        await press_until(pilot, "I", shown="nothing: the cues are those of the file")
        await press(pilot, "escape")
        assert isinstance(app.screen, ReaderScreen)


# Places at which texts were left.


async def test_a_place_is_kept_until_the_library_has_it(service: LocalService, monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = await add_transcript(service, timed(STATION))
    places = LeftPlaces()
    assert await places.of(service.transcripts, transcript) == (0, 0)
    places.remember(transcript, ReadingPlace(3, 1))

    async def fail(*_: object) -> ReadingPlace:
        raise StoreError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(service.transcripts, "leave_at", fail)
        await places.keep(service.transcripts)
    assert await service.transcripts.place(transcript) is None
    assert await places.of(service.transcripts, transcript) == (3, 1)
    places.remember("gone", ReadingPlace(1))
    await places.keep(service.transcripts)
    assert await service.transcripts.place(transcript) == ReadingPlace(3, 1)
    assert await LeftPlaces().of(service.transcripts, transcript) == (3, 1)


# The film that leads the eye; more of it in test_following.


async def test_who_moves_stays_until_the_key_leads_on(service: LocalService, transcript: str, mpv: FakeMpv) -> None:
    async with following(service, transcript, mpv) as pilot:
        speak(mpv, 3)
        await until_at(pilot, 3)
        await pilot.press("l")
        speak(mpv, 5)
        await until_shown(pilot, "00:02:10 · o follows it")
        assert ((found := pilot.app.screen.query_one(CueReader)).cue_index, found.focus_text) == (3, "fährt")
        speak(mpv, 6)
        await until_shown(pilot, "00:02:15")
        await pilot.press("o")
        await until_at(pilot, 6)
        await until_shown(pilot, "following mpv · 00:02:15")
        speak(mpv, 8)
        await until_at(pilot, 8)
        await press_until(pilot, "o", holds=lambda: mpv.clients == 0)
        assert not shows(pilot, "mpv ·")
        assert not mpv.ended.is_set()  # it was there before Lode
        assert toasts(pilot) == ["the text stays where you are; o follows mpv again"]
        await press_until(pilot, "o", shown="following mpv")
