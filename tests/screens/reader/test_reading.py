"""How a text is read: sentence by sentence, by one word, with notes, widths, parts of the pane, labels, the cursor."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import Input

from tests.screens.driving import (
    Typed,
    assert_is_clean,
    keep_clips,
    lines,
    opened,
    press_until,
    shows,
    until,
    until_shown,
)
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import on_screen, press, running, settled
from tui.config import Settings
from tui.records.clips import FocusWord, NewClip
from tui.records.word_summary import WordSummary
from tui.screens.messages import OpenTranscript
from tui.screens.reader.reader import ReaderScreen
from tui.screens.reader.side_pane import SidePane
from tui.screens.shell.labels import Labels
from tui.service.local import LocalService
from tui.widgets.transcript.cue_reader import CueReader

WIDE = (140, 40)


def reader(app: Stage) -> CueReader:
    return app.screen.query_one(CueReader)


async def open_reader(pilot: Pilot[None], transcript: str, cue: int = 3) -> CueReader:
    pilot.app.post_message(OpenTranscript(transcript, cue))
    await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen) and pilot.app.screen.query(CueReader))
    found = pilot.app.screen.query_one(CueReader)
    await until(pilot, lambda: found.cue_index == cue and found.cue is not None)
    await pilot.pause()
    return found


def texts(pilot: Pilot[None]) -> list[str]:
    """What is drawn of the texts in sight."""
    return [line.strip() for line in lines(pilot) if any(line.strip().endswith(end) for end in (".", "?", ","))]


# A step.


async def test_a_step_is_one_paint_with_the_words_heading_and_what_it_means_is_one_more(
    app: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(app, WIDE) as pilot:
        headings, layouts = list[str](), list[object]()
        app.screen.screen_layout_refresh_signal.subscribe(app.screen, layouts.append, immediate=True)
        monkeypatch.setattr(app, "post_display_hook", lambda: headings.append(_heading(pilot)))
        for key, word in (("j", "Bestimmt"), ("k", "Hoffentlich"), ("l", "fährt"), ("h", "Hoffentlich")):
            await press(pilot, key)
            assert set(headings) == {word}
            assert len(headings) <= 2
            headings.clear()
        assert not layouts


def _heading(pilot: Pilot[None]) -> str:
    region = pilot.app.screen.query_one(SidePane).region
    return lines(pilot)[region.y][region.x + 1 :].split()[0]


async def test_what_a_word_means_is_not_shown_any_more_once_the_eye_has_left_it(
    app: Stage, service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers, summary = asyncio.Event(), asyncio.Event(), service.words.summary

    async def slow(*arguments: Any, **options: Any) -> WordSummary:
        found = await summary(*arguments, **options)
        asked.set()
        await answers.wait()
        return found

    async with running(app, WIDE) as pilot:
        monkeypatch.setattr(service.words, "summary", slow)
        await pilot.press("l")
        await until(pilot, asked.is_set)
        headings = list[str]()
        monkeypatch.setattr(app, "post_display_hook", lambda: headings.append(_heading(pilot)))
        answers.set()
        reader(app).action_word(1)
        await settled(pilot)
        assert set(headings) == {"er"}


async def test_a_search_that_goes_on_saying_the_same_lays_nothing_out(app: Stage) -> None:
    async with running(app, WIDE) as pilot:
        await press(pilot, "slash", *"Zug", "enter")
        await until(pilot, lambda: shows(pilot, "1/1"))
        layouts = list[object]()
        app.screen.screen_layout_refresh_signal.subscribe(app.screen, layouts.append, immediate=True)
        await press(pilot, "l", "h", "l")
        assert not layouts


# Places of one word.


async def test_the_next_place_of_a_word_is_one_of_any_of_its_forms_and_n_goes_on(service: LocalService) -> None:
    cues = ("Der Zug fährt ab.", "Sie fahren mit.", "Zugluft.", "Die Gefahr.", "Er fuhr gestern.", "Wer fährt?")
    app = Stage(ReaderScreen(service, await add_transcript(service, timed(cues))))
    async with running(app) as pilot:
        await press(pilot, "l", "l", "asterisk")
        await until(pilot, lambda: (reader(app).cue_index, reader(app).focus_text) == (1, "fahren"))
        for key, place in (("n", (4, "fuhr")), ("n", (5, "fährt")), ("n", (0, "fährt")), ("N", (5, "fährt"))):
            await press(pilot, key)
            assert (reader(app).cue_index, reader(app).focus_text) == place
        assert shows(pilot, "4/4")
        await press(pilot, "escape")
        assert not shows(pilot, "4/4")


# One sentence at a time.


async def test_one_sentence_is_shown_at_a_time_whole_and_in_the_middle_until_the_key_is_pressed_again(
    service: LocalService,
) -> None:
    cues = ("Warten Sie schon lange? Ja,", "seit einer Stunde. Kommt er", "heute noch?", "Nein.")
    app = Stage(ReaderScreen(service, await add_transcript(service, timed(cues))))
    async with running(app) as pilot:
        await press(pilot, "Z")
        assert "Warten Sie schon lange?" in on_screen(app)
        assert not {"Ja", "Stunde", "Nein"} & set(on_screen(app).replace(",", " ").split())
        places = []
        for shown, hidden in ((("Ja,", "seit einer Stunde."), "Kommt"), (("Kommt er", "heute noch?"), "Stunde")):
            await press(pilot, "j")
            assert all(each in on_screen(app) for each in shown)
            assert hidden not in on_screen(app)
            places.append(next(y for y, line in enumerate(lines(pilot)) if shown[0] in line))
        assert len(set(places)) == 1, "the eye stays where it is"
        assert " ALONE " in lines(pilot)[-1]
        await press(pilot, "Z")
        assert all(each in on_screen(app) for each in ("Warten", "Stunde", "Nein"))
        assert not reader(app).is_one_sentence, "as it was before"


async def test_ctrl_l_puts_the_line_into_the_middle(service: LocalService) -> None:
    transcript = await add_transcript(service, timed([f"Satz {number}." for number in range(1, 101)]))
    async with opened(service) as pilot:
        here = await open_reader(pilot, transcript, 50)
        for keys in (["k"] * 3, ["j"] * 5, ["ctrl+d"]):
            await pilot.press(*keys, "ctrl+l")
            await until(pilot, lambda: abs(_row(pilot, here) - here.size.height // 2) <= 1)


def _row(pilot: Pilot[None], here: CueReader) -> int:
    number = here.cue_index + 1
    return next((y - here.region.y for y, line in enumerate(lines(pilot)) if f" Satz {number}." in line), -99)


# Widths and spacing.


async def test_lines_become_narrower_and_wider_keep_the_word_and_are_kept_on_this_machine(settings: Settings) -> None:
    service = LocalService(settings)
    transcript = await add_transcript(service, timed(STATION))
    async with opened(service) as pilot:
        here = await open_reader(pilot, transcript)
        await pilot.press("l")
        before = here.text_width
        await press_until(pilot, "minus", "minus", holds=lambda: here.text_width == before - 8)
        assert here.focus_text == "fährt"
        await press_until(pilot, "equals_sign", holds=lambda: here.text_width == before - 4)
        assert_is_clean(pilot)
    async with opened(LocalService(settings)) as pilot:
        here = await open_reader(pilot, transcript)
        await until(pilot, lambda: here.text_width == before - 4)
        await press_until(pilot, *["minus"] * 20, holds=lambda: here.text_width == 24)
        await press_until(pilot, *["equals_sign"] * 20, holds=lambda: here.text_width == before)
        await pilot.resize_terminal(120, 24)
        await until(pilot, lambda: here.text_width > before - 20)
    assert '"text_width": {"chosen": 0' in (settings.home / "look.json").read_text("utf-8")


async def test_free_lines_between_the_lines_are_chosen_in_the_palette(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    async with opened(service) as pilot:
        here = await open_reader(pilot, transcript)
        gaps = []
        for _ in range(3):
            rows = [y for y, line in enumerate(lines(pilot)) if "fährt er" in line or "Bestimmt" in line]
            gaps.append(rows[1] - rows[0])
            await pilot.press("ctrl+p", *"line spac", "enter")
            await until(pilot, lambda: _gap(pilot) != gaps[-1])
        assert gaps == [1, 2, 3]
        assert _gap(pilot) == 1
        assert here.focus_text == "Hoffentlich"


def _gap(pilot: Pilot[None]) -> int:
    rows = [y for y, line in enumerate(lines(pilot)) if "fährt er" in line or "Bestimmt" in line]
    return rows[1] - rows[0] if len(rows) == 2 else 0


# Notes.


async def test_a_note_is_written_shown_found_taken_to_the_clip_and_undone(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    async with opened(service, WIDE) as pilot:
        await open_reader(pilot, transcript)
        await press_until(pilot, "semicolon", shown="A note on this sentence")
        await press_until(pilot, *"prefix at its end", "enter", shown="; prefix at its end")
        assert any(line.startswith(" ▌;") for line in lines(pilot)), "a sign stands in the margin"
        await press_until(pilot, "j", gone="; prefix at its end")
        await press_until(pilot, "slash", *"prefix", "enter", shown="1/1")
        assert pilot.app.screen.query_one(CueReader).cue_index == 3
        await press_until(pilot, "escape", "c", told="clip saved")
        (clip,) = (await service.clips.page()).items
        assert clip.note == "prefix at its end"
        await press_until(pilot, "u", told="back again: ")
        await press_until(pilot, "u", told="back again: the note at line 4 of Der letzte Zug")
        await until(pilot, lambda: not shows(pilot, "; prefix at its end"))
        assert await service.transcripts.notes(transcript) == ()


# The pane's parts.


async def test_the_pane_goes_through_its_parts_and_never_moves_the_text(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    await keep_clips(service, {"Hoffentlich": "Hoffentlich regnet es nicht."})
    app = Stage(ReaderScreen(service, transcript, (3, 0)))
    async with running(app, WIDE) as pilot:
        pane = app.screen.query_one(SidePane)
        left = [line[: pane.region.x] for line in lines(pilot)]
        for part, shown in (
            ("clips", "meaning of Hoffentlich"),
            ("context", "in your library"),
            ("answer", "No answer about Hoffentlich yet."),
            ("word", "Hoffentlich"),
        ):
            await press_until(pilot, "P", shown=shown)
            assert pane.shown == part
            assert [line[: pane.region.x] for line in lines(pilot)][:-1] == left[:-1]
            assert_is_clean(pilot)
        await press(pilot, "P", "l")
        await until_shown(pilot, "No clip of")


async def test_clips_in_the_pane_are_literal(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    focus = FocusWord("Hoffentlich", meanings=("[b]*hope*[/b]", "# `x`"), language="de")
    await service.clips.add(NewClip("[@click=app.quit]Hoffentlich[/] _so_ <b>.", focus=focus))
    app = Stage(ReaderScreen(service, transcript, (3, 0)))
    async with running(app, WIDE) as pilot:
        await press_until(pilot, "P", shown="[b]*hope*[/b]; # `x`")
        assert_is_clean(pilot)


# Labels.


async def test_a_label_typed_goes_to_its_word_and_new_words_get_the_short_ones(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    async with opened(service) as pilot:
        here = await open_reader(pilot, transcript)
        await until(pilot, lambda: any(each.is_wanted for each in here.targets()))
        await press_until(pilot, "f", at=Labels)
        labels = pilot.app.screen
        assert isinstance(labels, Labels)
        assert {target.is_wanted for label, target in labels._labelled if len(label) == 1} == {True}
        label, target = labels._labelled[-1]
        assert_is_clean(pilot)
        await press_until(pilot, *label, at=ReaderScreen)
        await until(pilot, lambda: pilot.app.cursor_position == Offset(target.x, target.y))
        where = here.cue_index, here.word_index
        for key in ("escape", "5"):
            await press_until(pilot, "f", at=Labels)
            await press_until(pilot, key, at=ReaderScreen)
            assert (here.cue_index, here.word_index) == where


async def test_rows_fields_and_lines_of_the_pane_have_labels_too(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    await keep_clips(service, {"Zug": "Der Zug fährt.", "Uhr": "Die Uhr geht.", "Ei": "Das Ei ist hart."})
    async with opened(service, WIDE, section="3", rows=3) as pilot:
        await press_until(pilot, "f", at=Labels)
        await press_until(pilot, "d", holds=lambda: not isinstance(pilot.app.screen, Labels))
        table = pilot.app.screen.focused
        await until(pilot, lambda: getattr(table, "cursor_row", None) == 2)
        await press_until(pilot, "4", shown="Prompt")
        await press_until(pilot, "f", at=Labels)
        await press_until(pilot, "s", holds=lambda: isinstance(pilot.app.focused, Input) or pilot.app.focused)
        await pilot.press("escape")
        await open_reader(pilot, transcript)
        await press_until(pilot, "P", "P", shown="in your library")
        await press_until(pilot, "f", at=Labels)
        labels = pilot.app.screen
        assert isinstance(labels, Labels)
        x = max(target.x for _, target in labels._labelled)
        label = next(label for label, target in labels._labelled if target.x == x)
        await press_until(pilot, *label, holds=lambda: pilot.app.screen.query_one("ConcordanceView").has_focus)


# The terminal's cursor.


async def test_the_terminals_cursor_stands_at_the_word_and_at_the_row(service: LocalService) -> None:
    transcript = await add_transcript(service, timed(STATION))
    await keep_clips(service, {"Zug": "Der Zug fährt.", "Uhr": "Die Uhr geht."})

    def at_cursor() -> str:
        x, y = pilot.app.cursor_position
        return lines(pilot)[y][x:]

    def before_cursor_is(text: str) -> Callable[[], bool]:
        return lambda: lines(pilot)[pilot.app.cursor_position.y][: pilot.app.cursor_position.x].endswith(text)

    async with opened(service, section="3", rows=2) as pilot:
        await until(pilot, lambda: "Die Uhr geht." in at_cursor())
        await press_until(pilot, "j", holds=lambda: "Der Zug fährt." in at_cursor())
        await open_reader(pilot, transcript)
        await press_until(pilot, "l", holds=lambda: at_cursor().startswith("fährt er"))
        await press_until(pilot, "j", holds=lambda: at_cursor().startswith("Bestimmt"))
        await press_until(pilot, "ctrl+p", Typed("qq"), holds=before_cursor_is("qq"))
        await pilot.resize_terminal(70, 20)
        await until(pilot, lambda: len(lines(pilot)) == 20 and before_cursor_is("qq")())
        await press_until(pilot, "escape", holds=lambda: at_cursor().startswith("Bestimmt"))
        await press_until(pilot, "ctrl+l", holds=lambda: at_cursor().startswith("Bestimmt"))
        await pilot.resize_terminal(60, 16)
        await until(pilot, lambda: at_cursor().startswith("Bestimmt"))


@pytest.mark.parametrize("cues", [("Das ist 世界 heute.",), ("mit Ruby",)])
async def test_the_cursor_counts_cells(service: LocalService, cues: Sequence[str]) -> None:
    app = Stage(ReaderScreen(service, await add_transcript(service, timed(cues))))
    async with running(app) as pilot:
        last = len(list(reader(app).targets())) - 1
        await press(pilot, *["l"] * last)
        x, y = reader(app).cursor_screen_offset
        strip = app.screen._compositor.render_strips()[y]
        assert strip.crop(x).text.startswith(reader(app).focus_text)
