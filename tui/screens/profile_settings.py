"""Settings of the profile in the app: the languages that are learned, and what cards look like."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from textual.app import App

from tui.errors import InvalidInput, LodeError
from tui.language.tags import base_language, find_tag, language_name, language_of_locale
from tui.records.settings import CHOICES, LearnedLanguage, ProfileSettings, SavedSettings
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.questions import ask_until_taken
from tui.screens.messages import LibraryChanged
from tui.service.protocol import Service

_LANGUAGES = (
    PromptField("explain_in", "Explain in", "English"),
    PromptField("learning", "You learn", "as in: Spanish A2, Japanese N4"),
)
_HINT = "enter saves · another front or hint changes all cards in Anki with the next import"
_NOTE_TYPES = "Lode | Lapis | Kiku; any other: lode deck fields --set"


async def edit_languages(app: App[Any], service: Service) -> None:
    """Ask what is to change until it can be, or the question is closed."""
    settings = await service.settings.get()
    if saved := await _ask(app, service, settings, "Languages", "enter saves · kept answers stay as they are"):
        from tui.screens.words.import_words import offer_words_below

        app.notify("languages saved", markup=False)
        app.screen.post_message(LibraryChanged("template", "word"))  # its preview shows them; words to learn go by them
        await _offer_dictionaries(app, service, saved)
        await offer_words_below(app, service, [each for each in saved.learning if each not in settings.learning])


async def ask_at_first_start(app: App[Any], service: Service) -> None:
    """Ask in a library that nothing was ever written to; ``esc`` leaves English, and neither is asked again.

    Who has files already has learned to do without: the palette has the question for them. Nothing is said of a library
    that cannot be read, since its lists say so.
    """
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
    if saved := await _ask(app, service, guessed, "In your own language", hint):
        await _offer_dictionaries(app, service, saved)
    else:
        await service.settings.save(ProfileSettings())


async def _offer_dictionaries(app: App[Any], service: Service, saved: ProfileSettings) -> None:
    """Say that the system has dictionaries of what is learned, where it has some that the library has not."""
    try:
        offered = [base_language(each.source_language) for each in await service.dictionaries.find_offered()]
    except LodeError:
        return
    learned = dict.fromkeys(base_language(each.language) for each in saved.learning)
    if names := [language_name(each) for each in learned if each in offered]:
        app.notify(f"this system has dictionaries of {', '.join(names)}: ctrl+p, Dictionaries", markup=False)


async def _ask(
    app: App[Any], service: Service, settings: ProfileSettings, title: str, hint: str
) -> SavedSettings | None:
    """Ask for the languages, and save what is answered; None where the question was closed."""

    async def save(typed: Mapping[str, str]) -> SavedSettings:
        explain_in = typed["explain_in"]
        learning = filter(None, (part.strip() for part in typed["learning"].replace(";", ",").split(",")))
        changed = replace(
            settings.contents(),
            explain_in=(find_tag(explain_in) or explain_in) if explain_in else ProfileSettings().explain_in,
            learning=tuple(map(_read_learned, learning)),
        )
        return await service.settings.save(changed)

    learned = (f"{language_name(each.language)} {each.level}".strip() for each in settings.learning)
    shown = {"explain_in": language_name(settings.explain_in), "learning": ", ".join(learned)}
    return await ask_until_taken(app, partial(FieldsPrompt, title, _LANGUAGES, hint=hint), shown, save)


def _read_learned(typed: str) -> LearnedLanguage:
    """Read the name or the tag of a language, and a level behind it."""
    words = typed.split()
    for end in range(len(words), 0, -1):
        if tag := find_tag(" ".join(words[:end])):
            return LearnedLanguage(tag, " ".join(words[end:]))
    return LearnedLanguage(typed)  # which is refused by its name


async def edit_cards(app: App[Any], service: Service) -> None:
    """Ask what is to change until it can be, or the question is closed."""
    from tui.deck.note_fields import choose_note_fields

    settings = (await service.settings.get()).contents()

    async def save(typed: Mapping[str, str]) -> bool:
        changes: dict[str, Any] = {name: typed[name].casefold() or each.values[0] for name, each in CHOICES.items()}
        changed = replace(settings, **changes)  # the service refuses what is no option
        await service.settings.save(replace(changed, note_fields=_note_fields(typed["note_type"], changed)))
        app.notify("cards saved: the next deck has them", markup=False)
        return True

    fields = [PromptField(name, each.label, " | ".join(each.values)) for name, each in CHOICES.items()]
    fields.insert(2, PromptField("note_type", "Note type", _NOTE_TYPES))
    shown = {**{name: getattr(settings, name) for name in CHOICES}, "note_type": choose_note_fields(settings).note_type}
    await ask_until_taken(app, partial(FieldsPrompt, "Cards", fields, hint=_HINT), shown, save)


def _note_fields(name: str, settings: ProfileSettings) -> str:
    """The fields of a note type that somebody names: those in force, or one to begin with."""
    from tui.deck.note_fields import OURS, PRESETS, choose_note_fields, write_note_fields

    if name.casefold() == choose_note_fields(settings).note_type.casefold():
        return settings.note_fields
    if name.casefold() in ("", OURS.note_type.casefold()):
        return ""
    if (preset := PRESETS.get(name.casefold())) is None:
        raise InvalidInput(f"there is no {name!r} to begin with: {_NOTE_TYPES}", field="note_type")
    return write_note_fields(preset)
