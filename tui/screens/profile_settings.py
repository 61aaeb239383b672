"""Settings of the profile in the app: the languages that are learned, and what cards look like."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.app import App

from tui.errors import LodeError, in_one_line
from tui.records.settings import CHOICES, LearnedLanguage, ProfileSettings
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.messages import LibraryChanged

if TYPE_CHECKING:
    from tui.service.protocol import Service

_LEARNING_EXAMPLE = "as in: Spanish A2, Japanese N4"


async def edit_languages(app: App[Any], service: Service) -> None:
    """Ask what is to change until it can be, or the question is closed."""
    try:
        settings = await service.settings.get()
    except LodeError as error:
        app.notify(in_one_line(error), severity="error", markup=False)
        return
    if await _asked(app, service, settings, "Languages", "enter saves · kept answers stay as they are"):
        app.notify("languages saved", markup=False)
        app.screen.post_message(LibraryChanged("template", "word"))  # its preview shows them; words to learn go by them
        await _offer_dictionaries(app, service)
        await _offer_words(app, service, settings)


async def ask_at_first_start(app: App[Any], service: Service) -> None:
    """Ask in a library that nothing was ever written to; ``esc`` leaves English, and neither is asked again.

    Who has files already has learned to do without: the palette has the question for them. Nothing is said of a library
    that cannot be read, since its lists say so.
    """
    from tui.language.tags import language_of_locale

    try:
        if await service.profiles():
            return
        settings = await service.settings.get()
    except LodeError:
        return
    if settings.updated_at is not None or app.screen.is_modal:
        return
    guessed = ProfileSettings(language_of_locale(os.environ))
    hint = "enter takes it · esc leaves English · later: ctrl+p, Languages"
    if not await _asked(app, service, guessed, "In your own language", hint):
        try:
            await service.settings.save(ProfileSettings())
        except LodeError as error:
            app.notify(in_one_line(error), severity="error", markup=False)
        return
    await _offer_dictionaries(app, service)


async def _offer_dictionaries(app: App[Any], service: Service) -> None:
    """Say that the system has dictionaries of what is learned, where it has some that the library has not."""
    from tui.language.tags import base_language, language_name

    try:
        learned = [base_language(each.language) for each in (await service.settings.get()).learning]
        offered = [base_language(each.source_language) for each in await service.dictionaries.offered()]
    except LodeError:
        return
    if names := [language_name(each) for each in dict.fromkeys(learned) if each in offered]:
        app.notify(f"this system has dictionaries of {', '.join(names)}: ctrl+p, Dictionaries", markup=False)


async def _offer_words(app: App[Any], service: Service, before: ProfileSettings) -> None:
    """Offer the commonest words below each level that is new."""
    from tui.screens.words.frequent_words import offer_words_below

    try:
        learning = (await service.settings.get()).learning
    except LodeError:
        return
    await offer_words_below(app, service, [each for each in learning if each not in before.learning])


async def _asked(app: App[Any], service: Service, settings: ProfileSettings, title: str, hint: str) -> bool:
    """Ask, and save what is answered; False where the question was closed."""
    typed: Mapping[str, str] = _shown(settings)
    refusal, wrong = "", ""
    while True:
        fields = (
            PromptField("explain_in", "Explain in", typed["explain_in"], "English"),
            PromptField("learning", "You learn", typed["learning"], _LEARNING_EXAMPLE),
        )
        answer = await app.push_screen_wait(FieldsPrompt(title, fields, hint=hint, error=refusal, begin_in=wrong))
        if answer is None:
            return False
        typed = dict(answer)
        try:
            spoken = _settings(typed)
            await service.settings.save(
                replace(settings.contents(), explain_in=spoken.explain_in, learning=spoken.learning)
            )
        except LodeError as error:
            refusal, wrong = in_one_line(error), error.field if error.field in typed else ""
            continue
        return True


def _shown(settings: ProfileSettings) -> dict[str, str]:
    from tui.language.tags import language_name

    learning = (f"{language_name(each.language)} {each.level}".strip() for each in settings.learning)
    return {"explain_in": language_name(settings.explain_in), "learning": ", ".join(learning)}


def _settings(typed: Mapping[str, str]) -> ProfileSettings:
    """Read the settings off what was typed: names or tags of languages, a level behind each that is learned."""
    from tui.language.tags import find_tag

    explain_in = typed["explain_in"]
    learning = filter(None, (part.strip() for part in typed["learning"].replace(";", ",").split(",")))
    return ProfileSettings(
        (find_tag(explain_in) or explain_in) if explain_in else ProfileSettings().explain_in,
        tuple(map(_learned, learning)),
    )


def _learned(typed: str) -> LearnedLanguage:
    from tui.language.tags import find_tag

    words = typed.split()
    for end in range(len(words), 0, -1):
        if tag := find_tag(" ".join(words[:end])):
            return LearnedLanguage(tag, " ".join(words[end:]))
    return LearnedLanguage(typed)  # which is refused by its name


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
    from tui.deck.note_fields import OURS, PRESETS, choose_note_fields, write_note_fields

    if name.casefold() == choose_note_fields(settings).note_type.casefold():
        return settings.note_fields
    if name.casefold() in ("", OURS.note_type.casefold()):
        return ""
    preset = PRESETS.get(name.casefold())
    return None if preset is None else write_note_fields(preset)
