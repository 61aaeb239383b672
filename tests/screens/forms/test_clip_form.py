"""A clip as a form: what is saved, what is refused, and that nothing typed is lost unasked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from tests.hostile import HOSTILE
from tests.screens.driving import assert_is_clean, keep_clips, lines, opened, shows, until, until_rows, until_shown
from tui.config import Settings
from tui.records.clips import FocusWord, NewClip
from tui.service.local import LocalService
from tui.widgets.cards.clip_cards import CardView
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.forms.text_fields import LineField


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
    async with opened(service) as pilot:
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


async def test_a_sentence_taken_out_is_refused_and_the_rest_stays(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service) as pilot:
        await open_form(pilot)
        field(pilot, "sentence").load_text("  ")
        field(pilot, "note").load_text("keep me")
        await pilot.press("f2")
        await until_shown(pilot, "a clip needs a sentence")
        assert shows(pilot, "keep me")


@pytest.mark.exhaustive
async def test_esc_leaves_at_once_when_nothing_changed(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service) as pilot:
        await open_form(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "Translation"))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("key", "kept", "left"), [("s", "changed", True), ("d", "", True), ("n", "", False), ("escape", "", False)]
)
async def test_esc_asks_when_something_changed(service: LocalService, key: str, kept: str, left: bool) -> None:
    (clip,) = await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service) as pilot:
        await open_form(pilot)
        field(pilot, "note").load_text("changed")
        await pilot.press("escape")
        await until_shown(pilot, "This clip has unsaved changes.")
        await pilot.press(key)
        await until(pilot, lambda: not shows(pilot, "unsaved changes"))
        await until(pilot, lambda: shows(pilot, "Translation") is not left)
        assert (await service.clips.get(clip.id)).note == kept


async def test_quitting_with_a_changed_form_asks_too(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service) as pilot:
        await open_form(pilot)
        field(pilot, "note").load_text("changed")
        await pilot.press("ctrl+q")
        await until_shown(pilot, "This clip has unsaved changes.")
        await pilot.press("d")
        await until(pilot, lambda: not pilot.app.is_running)


# The card.

WHOLE = FocusWord("fährt … ab", lemma="abfahren", level="A1", meanings=("to leave",), language="de", origin="llm")


async def keep_whole(service: LocalService) -> None:
    await service.clips.add(
        NewClip(
            "Hoffentlich fährt er überhaupt noch ab.",
            focus=WHOLE,
            translation="I do hope it leaves at all.",
            explanation="The prefix **ab** goes to the *very* end.",
            source="Der letzte Zug",
            start_ms=121_750,
            tags=("zug",),
        )
    )


def card(pilot: Pilot[None]) -> CardView:
    return pilot.app.screen.query_one(CardView)


def on_card(pilot: Pilot[None]) -> list[str]:
    """What stands on the card, line by line."""
    region = card(pilot).region
    found = [line[region.x + 1 : region.right - 1].strip() for line in lines(pilot)[region.y : region.bottom]]
    return [line for line in found if line]


@pytest.mark.parametrize("size", [(100, 30), (120, 40), (200, 50)])
async def test_the_card_stands_beside_the_form_as_anki_shows_it(service: LocalService, size: tuple[int, int]) -> None:
    await keep_whole(service)
    async with opened(service, size) as pilot:
        await open_form(pilot)
        await until_shown(pilot, "#zug")
        asked, _, answer = " ".join(on_card(pilot)).replace("─", "").partition("ab.")
        assert asked == "Card · back Hoffentlich fährt er überhaupt noch "
        assert " ".join(answer.split()) == (
            "I do hope it leaves at all. abfahren A1 to leave The prefix ab goes to the very end. "
            "Der letzte Zug · 2:01 #zug"
        )
        assert_is_clean(pilot)


@pytest.mark.exhaustive
async def test_the_card_follows_what_is_typed_and_nothing_is_saved(service: LocalService, settings: Settings) -> None:
    await keep_whole(service)
    async with opened(service, (120, 40)) as pilot:
        await open_form(pilot)
        field(pilot, "note").focus()
        await pilot.press(*"ask Anna")
        await until(pilot, lambda: "ask Anna" in on_card(pilot))
        pilot.app.screen.query_one("#tags", LineField).value = "a1 verb"
        pilot.app.screen.query_one("#focus", LineField).value = ""
        await until(pilot, lambda: "#a1 #verb" in on_card(pilot))
        assert not {"abfahren", "to leave"} & set(on_card(pilot))
        assert shows(pilot, "to leave")  # in the field, as before
    kept = (await LocalService(settings).clips.page()).items[0]
    assert (kept.note, kept.focus) == ("", WHOLE)


@pytest.mark.exhaustive
async def test_space_turns_the_card_that_has_the_focus_and_types_in_a_field(service: LocalService) -> None:
    await keep_whole(service)
    async with opened(service, (120, 40)) as pilot:
        await open_form(pilot)
        await until_shown(pilot, "Card · back")
        await pilot.press("space")
        assert field(pilot, "sentence").text.startswith(" Hoffentlich")
        await pilot.press("shift+tab")
        assert card(pilot).has_focus
        await pilot.press("space")
        await until_shown(pilot, "Card · front")
        assert on_card(pilot) == ["Card · front", "Hoffentlich fährt er überhaupt noch ab."]
        await pilot.press("space")
        await until_shown(pilot, "Card · back")


async def test_f4_turns_the_card_from_every_field(service: LocalService) -> None:
    await keep_whole(service)
    async with opened(service, (120, 40)) as pilot:
        await open_form(pilot)
        for name in ("sentence", "note"):
            field(pilot, name).focus()
            for side in ("front", "back"):
                await pilot.press("f4")
                await until_shown(pilot, f"Card · {side}")
            assert field(pilot, name).has_focus


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(80, 24), (60, 16)])
@pytest.mark.parametrize("key", ["f4", "escape"])
async def test_in_a_narrow_terminal_f4_lays_the_card_over_the_form(
    service: LocalService, size: tuple[int, int], key: str
) -> None:
    await keep_whole(service)
    async with opened(service, size) as pilot:
        await open_form(pilot)
        assert not shows(pilot, "Card ·")
        field(pilot, "note").focus()
        await pilot.press("f4")
        await until(pilot, lambda: shows(pilot, "Card · front") and card(pilot).has_focus)
        assert not shows(pilot, "Translation")
        await pilot.press("space")
        await until_shown(pilot, "Card · back")
        assert_is_clean(pilot)
        await pilot.press(key)
        await until(pilot, lambda: field(pilot, "note").has_focus and shows(pilot, "Translation"))
        assert not shows(pilot, "Card ·")


async def test_every_empty_field_says_what_belongs_there(service: LocalService) -> None:
    await service.clips.add(NewClip("Nur ein Satz."))
    async with opened(service, (100, 30)) as pilot:
        await open_form(pilot)
        for said in (
            "one meaning a line: to leave",
            "separated by spaces: verb a1",
            "the word in it, or its parts: fährt … ab",
        ):
            assert shows(pilot, said)
        empty = [line for line in lines(pilot) if line.split("▏")[0].strip() in ("Focus", "Meanings", "Note", "Tags")]
        assert empty == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_whatever_a_clip_says_its_card_is_only_text(service: LocalService, text: str) -> None:
    focus = FocusWord(text, lemma=text, reading=text, meanings=(text,))
    clip = NewClip(f"{text} Satz", translation=text, explanation=text, context=text, note=text, source=text)
    await service.clips.add(replace(clip, focus=focus, tags=(text,)))
    async with opened(service, (120, 40)) as pilot:
        await open_form(pilot)
        for side in ("back", "front"):
            await until_shown(pilot, f"Card · {side}")
            assert_is_clean(pilot)
            await pilot.press("f4")
