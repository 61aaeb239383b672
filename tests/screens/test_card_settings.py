"""Options of the profile's cards, in the app."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from tests.screens.driving import shows, until
from tui.app import LodeApp
from tui.config import Settings
from tui.deck.note_fields import PRESETS, parse_note_fields
from tui.records.clips import FocusWord, NewClip
from tui.records.settings import CardOptions, LearnedLanguage, ProfileSettings
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive


async def test_options_are_chosen_in_the_palette_and_the_card_beside_a_clip_has_them(settings: Settings) -> None:
    service = LocalService(settings, environ={})
    learning = (LearnedLanguage("de"),)
    await service.settings.save(ProfileSettings("fr", learning))
    await service.clips.add(NewClip("Er fährt ab.", translation="He leaves.", focus=FocusWord("fährt ab", "abfahren")))
    app = LodeApp(service, settings, asks_first=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *"cards")
        await until(pilot, lambda: shows(pilot, "what the front of a card asks with"))
        await pilot.press("enter")
        await until(pilot, lambda: shows(pilot, "changes all cards in Anki"))
        await pilot.press("ctrl+u", *"picture", "enter")
        await until(pilot, lambda: shows(pilot, "'picture' is no front of a card"))
        await pilot.press("ctrl+u", *"Word", "tab", "ctrl+u", *"translation", "tab", "ctrl+u", *"Anki", "enter")
        await until(pilot, lambda: shows(pilot, "there is no 'Anki' to begin with"))
        await pilot.press("ctrl+u", *"lapis", "tab", "ctrl+u", *"Tag", "enter")
        await until(pilot, lambda: not app.screen.is_modal)
        saved = await service.settings.get()
        assert (saved.card, saved.explain_in, saved.learning) == (CardOptions("word", "translation"), "fr", learning)
        assert (saved.deck_per, parse_note_fields(saved.note_fields)) == ("tag", PRESETS["lapis"])
        await pilot.press("3")
        await until(pilot, lambda: shows(pilot, "Er fährt ab."))
        await pilot.press("E")
        await until(pilot, lambda: shows(pilot, "Card · back"))
        await pilot.press("f4")
        side = app.screen.query_one(".card-side", Static)
        await until(pilot, lambda: str(side.content) == "abfahren\n\nTranslation")
