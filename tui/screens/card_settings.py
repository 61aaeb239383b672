"""Options of the profile's cards as the app asks for them: what the front asks with, and its hint."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.app import App

from tui.errors import LodeError, in_one_line
from tui.records.settings import CHOICES, ProfileSettings
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField

if TYPE_CHECKING:
    from tui.service.protocol import Service

_HINT = "enter saves · another front or hint changes all cards in Anki with the next import"


_NOTE_TYPES = "Lode | Lapis | Kiku; any other: lode deck fields --set"


async def edit_cards(app: App[Any], service: Service) -> None:
    """Ask what is to change until it can be, or the question is closed."""
    from tui.deck.note_fields import note_fields_of

    refusal, wrong = "", ""
    try:
        settings = (await service.settings.get()).contents()
        note_type = note_fields_of(settings).note_type
    except LodeError as error:
        app.notify(in_one_line(error), severity="error", markup=False)
        return
    while True:
        fields = [
            PromptField(name, each.label, getattr(settings, name), " | ".join(each.values))
            for name, each in CHOICES.items()
        ]
        fields.insert(2, PromptField("note_type", "Note type", note_type, _NOTE_TYPES))
        answer = await app.push_screen_wait(FieldsPrompt("Cards", fields, hint=_HINT, error=refusal, begin_in=wrong))
        if answer is None:
            return
        changes: dict[str, Any] = {name: answer[name].casefold() or each.values[0] for name, each in CHOICES.items()}
        settings = replace(settings, **changes)  # the service refuses what is no option
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
    from tui.deck.note_fields import OURS, PRESETS, note_fields_of, written

    if name.casefold() == note_fields_of(settings).note_type.casefold():
        return settings.note_fields
    if name.casefold() in ("", OURS.note_type.casefold()):
        return ""
    preset = PRESETS.get(name.casefold())
    return None if preset is None else written(preset)
