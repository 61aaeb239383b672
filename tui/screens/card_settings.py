"""Options of the profile's cards as the app asks for them: what the front asks with, and its hint."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from textual.app import App

from tui.errors import LodeError, in_one_line
from tui.records.settings import CARD_FRONTS, CARD_HINTS, DECKS_PER, CardFront, CardHint, DeckPer
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField

if TYPE_CHECKING:
    from tui.service.protocol import Service

_HINT = "enter saves · another front or hint changes all cards in Anki with the next import"


async def edit_cards(app: App[Any], service: Service) -> None:
    """Ask what is to change until it can be, or the question is closed."""
    refusal, wrong = "", ""
    try:
        settings = (await service.settings.get()).contents()
    except LodeError as error:
        app.notify(in_one_line(error), severity="error", markup=False)
        return
    while True:
        fields = (
            PromptField("card_front", "Front", settings.card_front, " | ".join(CARD_FRONTS)),
            PromptField("card_hint", "Hint", settings.card_hint, " | ".join(CARD_HINTS)),
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
        try:
            await service.settings.save(settings)
        except LodeError as error:
            refusal, wrong = in_one_line(error), error.field if error.field in answer else ""
            continue
        app.notify("cards saved: the next deck has them", markup=False)
        return
