"""The reader screen: what starts from the word under the eye, and what is known of it, over a real library."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.hostile import FORBIDDEN, WORST
from tests.language.segmenting import needs_segmenter
from tests.screens.driving import lines, opened, until, until_rows, until_shown
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import on_screen, press, running, settled
from tui.app import LodeApp
from tui.config import Settings
from tui.records.clips import NewClip
from tui.records.transcripts import Cue, ReadingPlace, Ruby
from tui.screens.messages import GoBack, LibraryChanged, OpenBreakdown, OpenTranscript, SentenceLookedAt
from tui.screens.reader import reader as reader_module
from tui.screens.reader.reader import ReaderScreen
from tui.screens.reader.side_pane import SidePane
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest, ExplainRequest
from tui.widgets.cards.focus_card import sparkline
from tui.widgets.chrome.notice import Notice
from tui.widgets.transcript.cue_reader import CueReader


def marked(pilot: Pilot[None]) -> list[str]:
    """The times of the cues in sight that are marked as having clips."""
    return [line[3:7] for line in lines(pilot) if line.startswith("•")]


def reader(app: Stage) -> CueReader:
    return app.screen.query_one(CueReader)


@asynccontextmanager
async def at_the_word(app: Stage, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """The reader's app, "fährt" under the eye."""
    async with running(app, size) as pilot:
        await press(pilot, "l")
        yield pilot


async def test_the_title_says_what_is_read(app: Stage) -> None:
    async with running(app, (120, 40)):
        assert "Der letzte Zug · German · 10 cues · 2:31" in on_screen(app)


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
async def test_the_word_and_its_clip_have_the_dictionary_form_and_reading_of_their_sentence(
    service: LocalService,
) -> None:
    transcript = await add_transcript(service, timed(["待っていた。"]), title="駅", language="ja")
    app = Stage(ReaderScreen(service, transcript))
    async with running(app, (120, 40)) as pilot:
        await until_shown(pilot, "まっ · 待つ")
        assert reader(app).focus_text == "待っ"
        await press(pilot, "l", "l", "c")
        await until(pilot, lambda: app.said() != [])
        (clip,) = (await service.clips.page()).items
        assert clip.focus is not None
        assert (clip.focus.surface, clip.focus.lemma, clip.focus.reading) == ("い", "いる", None)


async def test_on_a_short_terminal_a_long_title_is_cut_and_takes_one_line(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION), title="Ein sehr langer Titel " * 9)
    app = Stage(ReaderScreen(service, transcript))
    async with app.run_test(size=(60, 16)) as pilot:
        await until_shown(pilot, "1:47")
        shown = lines(pilot)
        first = next(number for number, line in enumerate(shown) if "1:47" in line)
        assert "…" in shown[first - 1]
        assert sum("Titel" in line for line in shown) == 1


async def test_enter_asks_for_a_breakdown_with_everything_that_is_known(
    app: Stage, service: LocalService, transcript: str
) -> None:
    async with at_the_word(app, (120, 40)) as pilot:
        await press(pilot, "K", "enter")
        [asked] = app.all_asked(OpenBreakdown)
        assert asked.request == BreakdownRequest(
            sentence="Hoffentlich fährt er überhaupt noch ab.",
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


async def test_words_that_stand_apart_are_asked_about_together(app: Stage) -> None:
    async with at_the_word(app) as pilot:
        await pilot.press("space", *"llll", "enter")
        [asked] = app.all_asked(OpenBreakdown)
        assert isinstance(asked.request, BreakdownRequest)
        assert asked.request.focus == "fährt ab"


async def test_a_cue_without_words_has_no_breakdown_but_can_be_explained(app: Stage) -> None:
    async with at_the_word(app) as pilot:
        await press(pilot, "j", "j", "j", "j", "enter")
        assert not list(app.all_asked(OpenBreakdown))
        assert any("no word" in said for said in app.said())
        await pilot.press("x")
        [asked] = app.all_asked(OpenBreakdown)
        assert asked.request.sentence == "♪♪♪"


async def test_x_asks_for_an_explanation_of_the_sentence(app: Stage) -> None:
    async with at_the_word(app) as pilot:
        await pilot.press("x")
        [asked] = app.all_asked(OpenBreakdown)
        assert asked.request == ExplainRequest(
            sentence="Hoffentlich fährt er überhaupt noch ab.", language="de", source="Der letzte Zug"
        )
        assert asked.draft.focus is None


async def test_c_saves_a_clip_at_once(app: Stage, service: LocalService, transcript: str) -> None:
    async with at_the_word(app) as pilot:
        await press(pilot, "J", "c")
        [clip] = (await service.clips.page()).items
        assert (clip.sentence, clip.context) == ("Hoffentlich fährt er überhaupt noch ab.", "Bestimmt.")
        assert (clip.transcript_id, clip.cue_index, clip.start_ms) == (transcript, 3, 120_750)
        assert clip.focus is not None
        assert clip.focus.surface == "fährt"
        assert app.said() == ["clip saved: fährt"]
        assert [message.kinds for message in app.all_asked(LibraryChanged)] == [{"clip"}]


@pytest.mark.exhaustive
async def test_c_again_on_the_same_word_saves_no_second_clip(app: Stage, service: LocalService) -> None:
    async with at_the_word(app) as pilot:
        await press(pilot, "c", "c")
        assert app.said() == ["clip saved: fährt", "it is already saved"]
        await press(pilot, "j", "k", "l", "J", "c")
        assert app.said()[-1] == "clip completed: fährt", "with the context that it lacked"
        assert (await service.clips.page()).total == 1
        await press(pilot, "l", "c")
        assert (await service.clips.page()).total == 2


async def test_a_clip_that_was_deleted_can_be_saved_again(app: Stage, service: LocalService) -> None:
    async with at_the_word(app) as pilot:
        await press(pilot, "c")
        await service.clips.delete((await service.clips.page()).items[0].id)
        await press(pilot, "c")
        assert app.said() == ["clip saved: fährt"] * 2


async def test_c_again_on_a_cue_without_words_saves_no_second_clip(service: LocalService, transcript: str) -> None:
    app = Stage(ReaderScreen(service, transcript, STATION.index("♪♪♪")))
    async with running(app) as pilot:
        await press(pilot, "c", "c")
        assert app.said() == ["clip saved: ♪♪♪", "it is already saved"]


@pytest.mark.exhaustive
async def test_cues_with_clips_are_marked_as_clips_come_and_go(
    service: LocalService, settings: Settings, transcript: str
) -> None:
    app = LodeApp(service, settings)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.on_open_transcript(OpenTranscript(transcript, 3))
        await until_shown(pilot, "Hoffentlich")
        assert not marked(pilot)
        await pilot.press("c")
        await until(pilot, lambda: marked(pilot) == ["2:00"])
        await pilot.press("j", "c")
        await until(pilot, lambda: marked(pilot) == ["2:00", "2:05"])
        await pilot.press("3")
        await until_rows(pilot, 2)
        await pilot.press("d", "y")
        await until_rows(pilot, 1)
        await pilot.press("2")
        await until(pilot, lambda: marked(pilot) == ["2:00"])
        await pilot.press("u")
        await until(pilot, lambda: marked(pilot) == ["2:00", "2:05"])


async def test_clips_of_before_are_marked_when_a_transcript_is_opened(service: LocalService, transcript: str) -> None:
    for cue_index in (9, 2, 2):
        await service.clips.add(NewClip("Satz", transcript_id=transcript, cue_index=cue_index))
    await service.clips.add(NewClip("Satz", transcript_id=transcript))
    app = Stage(ReaderScreen(service, transcript))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: marked(pilot) == ["1:56", "2:27"])


async def test_y_sends_the_sentence_to_the_clipboard(app: Stage) -> None:
    async with at_the_word(app) as pilot:
        await pilot.press("k", "y")
        assert app.copied == ["Das ist der letzte heute, danach kommt bis morgen früh nichts mehr."]


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
    app = Stage(ReaderScreen(service, transcript, 3))
    async with at_the_word(app, (120, 40)) as pilot:
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


async def test_the_pane_is_there_only_where_there_is_room(app: Stage) -> None:
    async with running(app, (120, 40)) as pilot:
        pane = app.screen.query_one(SidePane)
        assert pane.display
        await pilot.resize_terminal(99, 24)
        await settled(pilot)
        assert not pane.display
        await pilot.resize_terminal(100, 24)
        await settled(pilot)
        assert pane.display


async def test_the_last_sentence_looked_at_is_told(app: Stage) -> None:
    async with at_the_word(app):
        last = list(app.all_asked(SentenceLookedAt))[-1]
        assert (last.request.sentence, last.request.focus) == ("Hoffentlich fährt er überhaupt noch ab.", "fährt")


async def test_a_transcript_opens_where_it_was_left(service: LocalService, transcript: str) -> None:
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        assert reader(app).cue_index == 0
        await press(pilot, "j", "j", "j", "l", "l")
    again = Stage(ReaderScreen(service, transcript))
    async with running(again) as pilot:
        assert (reader(again).cue_index, reader(again).focus_text) == (3, "er")


async def test_a_transcript_opens_where_it_was_left_before_a_restart(settings: Settings, transcript: str) -> None:
    first = LocalService(settings)
    async with opened(first, section="2", rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Seit einer Stunde")
        await pilot.press("j", "j", "j", "l", "l")
        await until(pilot, lambda: pilot.app.screen.query_one(CueReader).cue_index == 3)
        await pilot.press("q")
    again = LocalService(settings)
    async with opened(again, section="2", rows=1) as pilot:
        assert await again.transcripts.place(transcript) == ReadingPlace(3, 2)
        await pilot.press("enter")
        await until(pilot, lambda: bool(pilot.app.screen.query(CueReader)))
        await until(pilot, lambda: pilot.app.screen.query_one(CueReader).cue_index == 3)
        assert pilot.app.screen.query_one(CueReader).focus_text == "er"


async def test_a_place_is_kept_while_the_transcript_is_read(
    service: LocalService, transcript: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "_KEPT_SECONDS", 0.01)
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        await press(pilot, "j", "j")
        while await service.transcripts.place(transcript) != ReadingPlace(2):
            await pilot.pause()


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


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
async def test_hostile_text_is_read_saved_and_found_as_text(service: LocalService, text: str) -> None:
    transcript = await add_transcript(service, timed((text, "danach", text)), title=text, language=None)
    app = Stage(ReaderScreen(service, transcript))
    async with running(app, (120, 40)) as pilot:
        await press(pilot, "J", "c", "y", "l")
        await pilot.press("slash")
        app.screen.query_one("#find-field", Input).insert_text_at_cursor(text.splitlines()[0])
        await settled(pilot)
        assert not set(FORBIDDEN) & set(on_screen(app))
        assert not set(FORBIDDEN) & set("".join(app.copied))


@pytest.mark.parametrize(
    ("counts", "width", "bars"),
    [((), 5, ""), ((0, 0), 5, "▁▁"), ((1, 2, 4, 8), 9, "▂▃▅█"), ((1,) * 10, 5, "█████"), ((0, 100, 1), 9, "▁█▂")],
)
def test_a_sparkline_is_tallest_where_most_is_and_flat_only_where_nothing_is(
    counts: tuple[int, ...], width: int, bars: str
) -> None:
    assert sparkline(counts, width) == bars
