"""A clip as a form: what is saved, what is refused, its card beside it, and that nothing typed is lost unasked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from tests.hostile import deal
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
from tui.records.clips import FocusWord, NewClip
from tui.service.local import LocalService
from tui.widgets.cards.clip_cards import CardView
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.forms.text_fields import LineField


def field(pilot: Pilot[None], name: str) -> TextField:
    return pilot.app.screen.query_one(f"#{name}", TextField)


async def until_closed(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: not shows(pilot, "Translation"))


async def test_what_was_typed_is_saved_and_a_sentence_taken_out_is_refused(service: LocalService) -> None:
    (clip,) = await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, section="3", rows=1) as pilot:
        await press_until(pilot, "E", shown="Translation")
        field(pilot, "sentence").load_text("  ")
        field(pilot, "note").focus()
        await press_until(pilot, Typed("late "))
        pilot.app.screen.query_one("#tags", LineField).value = "#a1 zug a1"
        field(pilot, "meanings").load_text("train\n\n  locomotive ")
        await press_until(pilot, "f2", shown="a clip needs a sentence")
        assert shows(pilot, "late"), "the rest stays"
        field(pilot, "sentence").load_text("Der Zug kommt.")
        await pilot.press("ctrl+s")
        await until_closed(pilot)
        await until_shown(pilot, "train")
        kept = await service.clips.get(clip.id)
        assert (kept.sentence, kept.note, kept.tags) == ("Der Zug kommt.", "late", ("a1", "zug"))
        assert kept.focus is not None
        assert (kept.focus.lemma, kept.focus.meanings) == ("Zug", ("train", "locomotive"))
        await press_until(pilot, "E", shown="Translation")
        await pilot.press("escape")  # leaves at once when nothing changed
        await until_closed(pilot)


async def test_esc_asks_when_something_changed_and_quitting_too(service: LocalService) -> None:
    (clip,) = await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, section="3", rows=1) as pilot:
        for key, typed, kept, leaves in (
            ("n", "one", "", False),
            ("escape", "two", "", False),
            ("d", "three", "", True),
            ("s", "four", "four", True),
        ):
            if not shows(pilot, "Translation"):
                await press_until(pilot, "E", shown="Translation")
            field(pilot, "note").load_text(typed)
            await press_until(pilot, "escape", shown="This clip has unsaved changes.")
            await press_until(pilot, key, gone="unsaved changes")
            await until(pilot, lambda leaves=leaves: shows(pilot, "Translation") is not leaves)  # type: ignore[misc]
            assert (await service.clips.get(clip.id)).note == kept
        await press_until(pilot, "E", shown="Translation")
        field(pilot, "note").load_text("five")
        await press_until(pilot, "ctrl+q", shown="This clip has unsaved changes.")
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


async def test_the_card_beside_the_form_is_as_anki_shows_it_and_follows_what_is_typed(service: LocalService) -> None:
    await keep_whole(service)
    async with opened(service, (120, 40), section="3", rows=1) as pilot:
        await press_until(pilot, "E", shown="Translation")
        for size in ((100, 30), (200, 50), (120, 40)):
            await pilot.resize_terminal(*size)
            await until_shown(pilot, "#zug")
            asked, _, answer = " ".join(on_card(pilot)).replace("─", "").partition("ab.")
            assert asked == "Card · back Hoffentlich fährt er überhaupt noch "
            assert " ".join(answer.split()) == (
                "I do hope it leaves at all. abfahren A1 to leave The prefix ab goes to the very end. "
                "Der letzte Zug · 2:01 #zug"
            )
            assert_is_clean(pilot)
        for name in ("sentence", "note"):
            field(pilot, name).focus()
            for side in ("front", "back"):
                await press_until(pilot, "f4", shown=f"Card · {side}")
            assert field(pilot, name).has_focus
        field(pilot, "sentence").focus()
        await pilot.press("shift+tab")
        assert card(pilot).has_focus
        await press_until(pilot, "space", shown="Card · front")
        assert on_card(pilot) == ["Card · front", "Hoffentlich fährt er überhaupt noch ab."]
        await press_until(pilot, "space", shown="Card · back")
        field(pilot, "sentence").move_cursor((0, 0))
        await pilot.press("tab", "space")
        assert field(pilot, "sentence").text.startswith(" Hoffentlich"), "it types in a field"
        field(pilot, "note").focus()
        await press_until(pilot, Typed("ask Anna"))
        await until(pilot, lambda: "ask Anna" in on_card(pilot))
        pilot.app.screen.query_one("#tags", LineField).value = "a1 verb"
        pilot.app.screen.query_one("#focus", LineField).value = ""
        await until(pilot, lambda: "#a1 #verb" in on_card(pilot))
        assert not {"abfahren", "to leave"} & set(on_card(pilot))
        assert shows(pilot, "to leave")  # in the field, as before
        kept = (await service.clips.page()).items[0]
        assert (kept.note, kept.focus) == ("", WHOLE), "nothing is saved"


@pytest.mark.exhaustive
async def test_in_a_narrow_terminal_f4_lays_the_card_over_the_form(service: LocalService) -> None:
    await keep_whole(service)
    async with opened(service, section="3", rows=1) as pilot:
        await press_until(pilot, "E", shown="Translation")
        for size, key in (((80, 24), "f4"), ((60, 16), "escape")):
            await pilot.resize_terminal(*size)
            assert not shows(pilot, "Card ·")
            field(pilot, "note").focus()
            await pilot.press("f4")
            await until(pilot, lambda: shows(pilot, "Card · front") and card(pilot).has_focus)
            assert not shows(pilot, "Translation")
            await press_until(pilot, "space", shown="Card · back")
            assert_is_clean(pilot)
            await pilot.press(key)
            await until(pilot, lambda: field(pilot, "note").has_focus and shows(pilot, "Translation"))
            assert not shows(pilot, "Card ·")


async def test_every_empty_field_says_what_belongs_there(service: LocalService) -> None:
    await service.clips.add(NewClip("Nur ein Satz."))
    async with opened(service, (100, 30), section="3", rows=1) as pilot:
        await press_until(pilot, "E", shown="Translation")
        for said in ("one meaning a line: to leave", "separated by spaces: verb a1", "or its parts: fährt … ab"):
            assert shows(pilot, said)
        empty = [line for line in lines(pilot) if line.split("▏")[0].strip() in ("Focus", "Meanings", "Note", "Tags")]
        assert empty == []


@pytest.mark.exhaustive
async def test_whatever_a_clip_says_its_card_is_only_text(service: LocalService) -> None:
    hands = list(deal(9))
    for sentence, translation, explanation, context, note, source, word, meaning, tag in hands:
        focus = FocusWord(word, lemma=word, reading=word, meanings=(meaning,))
        clip = NewClip(f"{sentence} Satz", translation=translation, explanation=explanation, context=context)
        await service.clips.add(replace(clip, note=note, source=source, focus=focus, tags=(tag,)))
    async with opened(service, (120, 40), section="3", rows=len(hands)) as pilot:
        for _ in hands:
            await pilot.press("E")
            for side in ("back", "front"):
                await until_shown(pilot, f"Card · {side}")
                assert_is_clean(pilot)
                await pilot.press("f4")
            await press_until(pilot, "escape", rows=len(hands))
            await pilot.press("j")
