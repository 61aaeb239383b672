"""Marks of the most frequent words as known: offered for a level, or asked for, and looked at before they are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from textual.app import App

from tui.errors import LodeError, in_one_line
from tui.language.tags import find_tag, language_name
from tui.records.settings import LearnedLanguage
from tui.records.words import FrequencyOffer
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.questions import Confirm
from tui.screens.input_queue import typed_input_kept
from tui.screens.messages import LibraryChanged
from tui.service.protocol import Service
from tui.text.display import count_of, number
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key

_USUAL = 500
"""Words that are asked about where no level says how many."""


async def offer_words_below(app: App[Any], service: Service, learned: Iterable[LearnedLanguage]) -> None:
    """Offer the words below the levels of these languages, one language after the other, where anything tells them."""
    for each in learned:
        try:
            with typed_input_kept(app):
                offer = await service.known_words.frequent(each.language, level=each.level) if each.level else None
        except LodeError:
            continue  # there is neither a dictionary nor a text
        if offer is not None and offer.changed:
            await _confirmed(app, service, each.language, offer, f" below {each.level}")


async def mark_frequent_words(app: App[Any], service: Service, language: str | None) -> None:
    """Ask for a language, the given or the first that is learned, and a number of words, until they can be marked."""
    typed: Mapping[str, str] = {}
    refusal = ""
    try:
        with typed_input_kept(app):
            typed = await _suggested(service, language)
    except LodeError as error:
        refusal = in_one_line(error)
    while True:
        fields = (
            PromptField("language", "Language", typed.get("language", ""), "German"),
            PromptField("count", "Words", typed.get("count", str(_USUAL)), str(_USUAL)),
        )
        hint = "the commonest ones, by a frequency dictionary or your own texts · enter looks"
        prompt = FieldsPrompt("Which words do you know?", fields, hint=hint, error=refusal, begin_in="count")
        answer = await app.push_screen_wait(prompt)
        if answer is None:
            return
        typed = answer
        count = int(typed["count"]) if typed["count"].isascii() and typed["count"].isdigit() else 0
        try:
            tag = find_tag(typed["language"]) or typed["language"]
            with typed_input_kept(app):
                offer = await service.known_words.frequent(tag, count=count)
        except LodeError as error:
            refusal = in_one_line(error)
            continue
        refusal = ""
        if await _confirmed(app, service, tag, offer, ""):
            return


async def _suggested(service: Service, language: str | None) -> dict[str, str]:
    settings = await service.settings.get()
    tag = language or next((each.language for each in settings.learning), "")
    level = settings.level_in(tag)
    offer = await service.known_words.frequent(tag, level=level) if level else None
    return {
        "language": language_name(tag) if tag else "",
        "count": str((offer.count if offer is not None else 0) or _USUAL),
    }


async def _confirmed(app: App[Any], service: Service, language: str, offer: FrequencyOffer, which: str) -> bool:
    """Show what would be marked, and mark it where that is wanted; one undo takes it back."""
    source = one_line(offer.dictionary) or "how often they occur in your texts"
    details = [
        f"{number(offer.changed)} would change, by {source}",
        f"the last of them: {', '.join(map(one_line, offer.rarest))}",
    ]
    name = language_name(language)
    question = f"Mark the {number(offer.count)} commonest words of {name}{which} as known?"
    if not await app.push_screen_wait(Confirm(question, details, yes="Mark", no="Leave")):
        return False
    try:
        marked = await service.known_words.mark_frequent(language, offer.count)
    except LodeError as error:
        app.notify(in_one_line(error), severity="error", markup=False)
        return False
    said = f"{count_of(marked.changed, 'word')} known · {shown_key(app.screen, 'undo')} undoes it"
    app.notify(said, markup=False)
    app.screen.post_message(LibraryChanged("word"))
    return True
