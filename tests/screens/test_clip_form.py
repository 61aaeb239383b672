"""A clip as a form: what is saved, what is refused, and that nothing typed is lost unasked."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.screens.driving import keep_clips, opened, shows, until, until_rows, until_shown
from tui.config import Settings
from tui.errors import InvalidInput
from tui.records import Clip, FocusWord
from tui.screens.clip_form import edited
from tui.service.local import LocalService
from tui.widgets.text_fields import LineField, TextField


async def open_form(pilot: Pilot[None]) -> None:
    await pilot.press("3")
    await until_rows(pilot, 1)
    await pilot.press("E")
    await until_shown(pilot, "Translation")


def field(pilot: Pilot[None], name: str) -> TextField:
    return pilot.app.screen.query_one(f"#{name}", TextField)


@pytest.mark.parametrize("key", ["f2", "ctrl+s"])
async def test_what_was_typed_is_saved(service: LocalService, settings: Settings, key: str) -> None:
    (clip,) = await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, settings) as pilot:
        await open_form(pilot)
        field(pilot, "note").focus()
        await pilot.press(*"late ")
        pilot.app.screen.query_one("#tags", LineField).value = "#a1 zug a1"
        field(pilot, "meanings").load_text("train\n\n  locomotive ")
        await pilot.press(key)
        await until(pilot, lambda: not shows(pilot, "Translation"))
        await until_shown(pilot, "train")
    kept = await LocalService(settings).clips.get(clip.id)
    assert kept.note == "late"
    assert kept.tags == ("a1", "zug")
    assert kept.focus is not None
    assert kept.focus.meanings == ("train", "locomotive")
    assert kept.focus.lemma == "Zug"


async def test_a_sentence_taken_out_is_refused_and_the_rest_stays(service: LocalService, settings: Settings) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, settings) as pilot:
        await open_form(pilot)
        field(pilot, "sentence").load_text("  ")
        field(pilot, "note").load_text("keep me")
        await pilot.press("f2")
        await until_shown(pilot, "a clip needs a sentence")
        assert shows(pilot, "keep me")


async def test_esc_leaves_at_once_when_nothing_changed(service: LocalService, settings: Settings) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, settings) as pilot:
        await open_form(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "Translation"))


@pytest.mark.parametrize(
    ("key", "kept", "left"), [("s", "changed", True), ("d", "", True), ("n", "", False), ("escape", "", False)]
)
async def test_esc_asks_when_something_changed(
    service: LocalService, settings: Settings, key: str, kept: str, left: bool
) -> None:
    (clip,) = await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, settings) as pilot:
        await open_form(pilot)
        field(pilot, "note").load_text("changed")
        await pilot.press("escape")
        await until_shown(pilot, "This clip has unsaved changes.")
        await pilot.press(key)
        await until(pilot, lambda: not shows(pilot, "unsaved changes"))
        await until(pilot, lambda: shows(pilot, "Translation") is not left)
        assert (await service.clips.get(clip.id)).note == kept


async def test_quitting_with_a_changed_form_asks_too(service: LocalService, settings: Settings) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, settings) as pilot:
        await open_form(pilot)
        field(pilot, "note").load_text("changed")
        await pilot.press("ctrl+q")
        await until_shown(pilot, "This clip has unsaved changes.")
        await pilot.press("d")
        await until(pilot, lambda: not pilot.app.is_running)


def clip(focus: FocusWord | None) -> Clip:
    moment = "2026-01-31T12:00:00.000Z"
    return Clip("c1", None, None, None, None, None, "s", "", "", focus, "", "", (), "", "", moment, moment)


def typed(focus: str, meanings: str = "") -> dict[str, str]:
    return {
        "sentence": "s", "focus": focus, "meanings": meanings, "translation": "", "context": "", "note": "", "tags": ""
    }  # fmt: skip


def test_another_word_loses_what_was_known_of_the_old_one() -> None:
    old = FocusWord("fährt", lemma="fahren", level="A1", language="de", meanings=("to drive",), origin="llm")
    assert edited(clip(old), typed("ab", "off")).focus == FocusWord("ab", meanings=("off",), language="de")


def test_the_same_word_keeps_what_is_known_of_it() -> None:
    old = FocusWord("fährt", lemma="fahren", level="A1", meanings=("to drive",), origin="llm")
    assert edited(clip(old), typed("fährt", "to go")).focus == FocusWord(
        "fährt", lemma="fahren", level="A1", meanings=("to go",), origin="llm"
    )


def test_meanings_without_a_word_are_refused() -> None:
    with pytest.raises(InvalidInput, match="no word"):
        edited(clip(None), typed("", "to drive"))
    assert edited(clip(None), typed("")).focus is None
