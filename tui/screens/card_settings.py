"""Options of the profile's cards as the app asks for them: what the front asks with, and its hint."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from textual.app import App

from tui.errors import LodeError, in_one_line
from tui.records.settings import CARD_FRONTS, CARD_HINTS, DECKS_PER, CardFront, CardHint, DeckPer, ProfileSettings
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField

if TYPE_CHECKING:
    from tui.service.protocol import Service

_HINT = "enter saves · another front or hint changes all cards in Anki with the next import"


_NOTE_TYPES = "Lode | Lapis | Kiku; any other: lode deck fields --set"


async def edit_cards(app: App[Any], service: Service) -> None:
    """Ask what is to change until it can be, or the question is closed."""
    from tui.deck.note_fields import choose_note_fields

    refusal, wrong = "", ""
    try:
        settings = (await service.settings.get()).contents()
        note_type = choose_note_fields(settings).note_type
    except LodeError as error:
        app.notify(in_one_line(error), severity="error", markup=False)
        return
    while True:
        fields = (
            PromptField("card_front", "Front", settings.card_front, " | ".join(CARD_FRONTS)),
            PromptField("card_hint", "Hint", settings.card_hint, " | ".join(CARD_HINTS)),
            PromptField("note_type", "Note type", note_type, _NOTE_TYPES),
            PromptField("deck_per", "Deck per", settings.deck_per, " | ".join(DECKS_PER)),
        )
        answer = await app.push_screen_wait(FieldsPrompt("Cards", fields, hint=_HINT, error=refusal, begin_in=wrong))
        if answer is None:
            return
        # The service refuses what is no option.
        settings = replace(
            settings,
            card_front=cast("CardFront", answer["card_front"].casefold() or CARD_FRONTS[0]),
            card_hint=cast("CardHint", answer["card_hint"].casefold() or CARD_HINTS[0]),
            deck_per=cast("DeckPer", answer["deck_per"].casefold() or DECKS_PER[0]),
        )
        note_type = answer["note_type"].strip()
        note_fields = _note_fields(note_type, settings)
        if note_fields is None:
            refusal, wrong = f"there is no {note_type!r} to begin with: {_NOTE_TYPES}", "note_type"
            continue
        settings = replace(settings, note_fields=note_fields)
        try:
            await service.settings.save(settings)
        except LodeError as error:
            refusal, wrong = in_one_line(error), error.field if error.field in answer else ""
            continue
        app.notify("cards saved: the next deck has them", markup=False)
        return


def _note_fields(name: str, settings: ProfileSettings) -> str | None:
    """The fields of a note type that somebody names: those in force, or one to begin with; None for no such name."""
    from tui.deck.note_fields import OURS, PRESETS, choose_note_fields, write_note_fields

    if name.casefold() == choose_note_fields(settings).note_type.casefold():
        return settings.note_fields
    if name.casefold() in ("", OURS.note_type.casefold()):
        return ""
    preset = PRESETS.get(name.casefold())
    return None if preset is None else write_note_fields(preset)
