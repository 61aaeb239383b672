"""Settings of a profile: what is saved has been checked, and is written as it is usual."""

from collections.abc import Sequence
from dataclasses import replace

from tui.errors import InvalidInput
from tui.language.levels import list_levels, normalise_level
from tui.language.tags import language_name, normalise
from tui.records.settings import CHOICES, LearnedLanguage, ProfileSettings, SavedSettings
from tui.records.word_states import WORD_STATES, WordState
from tui.service.library import Library
from tui.text.sanitize import is_blank, one_line

MAX_LANGUAGES = 50
"""Languages that a profile can learn: they stand in one list of one screen."""

MAX_SELECTOR = 300
"""Characters of a model's selector: it may have a folder's path."""


class LocalSettings:
    def __init__(self, library: Library) -> None:
        self._library = library

    async def get(self) -> SavedSettings:
        return await self._library.settings()

    async def save(self, settings: ProfileSettings) -> SavedSettings:
        for name, choice in CHOICES.items():
            if (given := getattr(settings, name)) not in choice.values:
                wrong, hint = (
                    f"{one_line(given)[:40]!r} is no {choice.refused}",
                    f"use one of {', '.join(choice.values)}",
                )
                raise InvalidInput(wrong, hint=hint, field=name)
        checked = replace(
            settings.contents(),
            explain_in=check_tag(settings.explain_in, "explain_in"),
            learning=_learning(settings.learning),
            known_states=_check_states(settings.known_states),
            note_fields=_note_fields(settings.note_fields),
            transcribe_with=_check_transcriber(settings.transcribe_with),
        )
        return await self._library.change(lambda store: store.settings.save(self._library.profile, checked))


def check_tag(given: str, field: str = "language") -> str:
    """Normalise a language tag that was given as this field; raises ``InvalidInput`` when it is none."""
    tag = normalise(given)
    if tag is None:
        raise InvalidInput(
            f"{one_line(given)[:40]!r} is no language tag",
            hint="use one such as de, pt-BR, zh-Hans or yue",
            field=field,
        )
    return tag


def check_level(tag: str, given: str, field: str) -> str:
    """Normalise a level of a language that was given as this field; raises ``InvalidInput`` when it is none."""
    level = normalise_level(tag, given)
    if level is None:
        raise InvalidInput(
            f"{one_line(given)[:40]!r} is no level of {language_name(tag)}",
            hint=f"use one of {', '.join(list_levels(tag))}, or none",
            field=field,
        )
    return level


def _learning(languages: tuple[LearnedLanguage, ...]) -> tuple[LearnedLanguage, ...]:
    if len(languages) > MAX_LANGUAGES:
        raise InvalidInput(
            f"a profile learns at most {MAX_LANGUAGES} languages",
            hint="leave some out, or make another profile for them",
            field="learning",
        )
    tags = [check_tag(each.language, "learning") for each in languages]
    levels = [check_level(tag, each.level, "learning") for tag, each in zip(tags, languages, strict=True)]
    if twice := next((tag for tag in tags if tags.count(tag) > 1), None):
        raise InvalidInput(f"{language_name(twice)} ({twice}) is named twice", hint="name it once", field="learning")
    return tuple(map(LearnedLanguage, tags, levels))


def _check_states(states: Sequence[str]) -> tuple[WordState, ...]:
    """States that count as known, in their usual order."""
    if wrong := [state for state in states if state not in WORD_STATES or state == "new"]:
        raise InvalidInput(
            f"{one_line(wrong[0])[:40]!r} can't count as known",
            hint=f"use some of {', '.join(WORD_STATES[1:])}",
            field="known_states",
        )
    return tuple(state for state in WORD_STATES if state in states)


def _check_transcriber(selector: str) -> str:
    """A selector as it is kept, "" for none; whether it can be used is known once it is."""
    given = one_line(selector).strip()
    provider, _, model = given.partition(":")
    if given and not (provider and model and len(given) <= MAX_SELECTOR):
        raise InvalidInput(
            f"{given[:80]!r} is no model to transcribe with",
            hint="write PROVIDER:MODEL, whisper:NAME or whisper:FOLDER",
            field="transcribe_with",
        )
    return given


def _note_fields(text: str) -> str:
    """Fields of a note type as they were written, "" where they are Lode's own; a deck of clips reads them."""
    from tui.deck.note_fields import parse_note_fields

    return text if not is_blank(text) and parse_note_fields(text).is_own else ""
