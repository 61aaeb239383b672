"""Words that somebody knows, many at once: imported from a file or Anki, or the commonest of a language.

What would be marked is looked at before it is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content

from tui.errors import InvalidInput, LodeError, in_one_line
from tui.language.tags import find_tag, language_name
from tui.records.jobs import Job
from tui.records.settings import LearnedLanguage
from tui.records.vocabulary import RunningAnki, VocabularyChoice, VocabularyOffer, VocabularyReport
from tui.records.words import FrequencyOffer
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.list_choice import ListChoice
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.screens.dialogs.questions import Choice, Confirm, TextPrompt, ask_until_taken
from tui.screens.input_queue import typed_input_kept
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.protocol import Service
from tui.system.regular_file import named_path
from tui.text.display import count_of, number
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.themes import MUTED

_HINT = (
    "a list, a table, a frequency list, .apkg, .colpkg, collection.anki2 · anki for the one that runs · tab completes"
)
_USUAL = 500
"""Words that are asked about where no level says how many."""


class FieldChoice(ListChoice[tuple[str, str]]):
    """Dialog over the fields of the note types of a source; the answer is a note type ("" for all) and its field."""

    def __init__(self, offer: VocabularyOffer) -> None:
        super().__init__("Which field has the word?", placeholder="a field", hint="enter takes it · esc leaves it")
        self._offer = offer

    def listed(self, typed: str) -> Iterator[tuple[tuple[str, str], Content]]:
        for kind in self._offer.note_types:
            for field in kind.fields:
                title = " · ".join(filter(None, (one_line(kind.name), one_line(field.name))))
                samples = ", ".join(one_line(text) for text in field.samples[:3])
                if typed.lower() in f"{title} {samples}".lower():
                    yield (kind.name, field.name), Content(f"{title}  ") + Content.styled(samples, MUTED)


class DeckChoice(ListChoice[str]):
    """Dialog over the decks of a source; "" is all of them."""

    def __init__(self, decks: Sequence[str]) -> None:
        super().__init__("Which deck?", placeholder="a deck", hint="with those below it · enter takes it")
        self._decks = decks

    def listed(self, typed: str) -> Iterator[tuple[str, Content]]:
        for deck in ("", *self._decks):
            if typed.lower() in deck.lower():
                yield deck, Content(one_line(deck) or "all decks")


async def import_words(screen: SectionScreen) -> None:
    """Ask until words can be imported or the question is closed; then queue the import."""

    async def take(answer: str) -> bool | None:
        return await _import(screen, RunningAnki.typed(answer) or named_path(answer)) or None

    prompt = partial(PathPrompt, "Import words that you know or learn", hint=_HINT)
    await ask_until_taken(screen.app, prompt, "", take)


async def _import(screen: SectionScreen, source: Path | RunningAnki) -> bool:
    """Ask what the source leaves open, show what would be marked, and queue it; False where that is not wanted."""
    service = screen.service.vocabulary
    choice = VocabularyChoice()
    with screen.typed_kept():
        offer = await service.offer(source)
    while True:
        try:
            with screen.typed_kept():
                report = await service.preview(source, choice)
        except InvalidInput as error:
            if (answered := await _answered(screen, offer, choice, error)) is None:
                return False
            choice = answered
            continue
        options = [("y", "Mark"), *([("f", "Field"), ("d", "Deck")] if offer.format == "anki" else []), ("esc", "Back")]
        question = f"{count_of(report.words, 'word')} · {number(report.changed)} to be marked"
        match await screen.app.push_screen_wait(Choice(question, options, _details(report))):
            case "y":
                job = await service.add(source, choice)
                screen.post_message(LibraryChanged("job", jobs=(job,)))
                # By itself: another import may be begun meanwhile, and a server that does not answer is no refusal.
                screen.run_worker(_tell_success(screen, job), group="imported", exit_on_error=False)
                return True
            case "f":
                choice = await _with_field(screen, offer, choice) or choice
            case "d":
                if (deck := await screen.app.push_screen_wait(DeckChoice(offer.decks))) is not None:
                    choice = replace(choice, deck=deck)
            case _:
                return False


async def _with_field(
    screen: SectionScreen, offer: VocabularyOffer, choice: VocabularyChoice
) -> VocabularyChoice | None:
    field = await screen.app.push_screen_wait(FieldChoice(offer))
    return None if field is None else replace(choice, note_type=field[0], field=field[1])


async def _tell_success(screen: SectionScreen, job: Job) -> None:
    """Say what the job came to, once it has succeeded; why one failed is told as for every job."""
    with suppress(LodeError):  # the list of jobs says so
        async with aclosing(screen.service.jobs.follow([job.id])) as changes:
            async for change in changes:
                if change.state == "succeeded":
                    screen.say(f"{change.message} · {shown_key(screen, 'undo')} undoes it")


async def _answered(
    screen: SectionScreen, offer: VocabularyOffer, choice: VocabularyChoice, error: InvalidInput
) -> VocabularyChoice | None:
    """The choice with what was missing; None where it is not given. Raises the error where it is about nothing else."""
    match error.field:
        case "field":
            return await _with_field(screen, offer, choice)
        case "language":
            prompt = TextPrompt("Which language are they in?", hint=in_one_line(error))
            typed = await screen.app.push_screen_wait(prompt)
            return None if typed is None else replace(choice, language=typed)
        case "first":
            title = "The list goes by frequency: how many of its words do you know?"
            typed = await screen.app.push_screen_wait(TextPrompt(title, value="1000", hint="the most frequent ones"))
            return None if typed is None else replace(choice, first=_read_count(typed) if len(typed) < 8 else 0)
        case _:
            raise error


def _details(report: VocabularyReport) -> list[str]:
    by_state = [f"{number(each.words)} {each.state} ({each.language or 'no language'})" for each in report.states]
    left = (
        (report.unchanged, "so already"),
        (report.kept, "as you marked it"),
        (report.never_shown, "never shown"),
        (report.phrases, "of several words"),
        (report.unread, "without a word"),
    )
    said = " · ".join(f"{number(count)} {what}" for count, what in left if count)
    samples = ", ".join(one_line(mark.lemma) for mark in report.samples)
    lines = [" · ".join(by_state), f"left out: {said}" if said else "", f"such as {samples}" if samples else ""]
    return [line for line in lines if line]


def _read_count(typed: str) -> int:
    return int(typed) if typed.isascii() and typed.isdigit() else 0


# The commonest ones.


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


async def mark_frequent_words(screen: SectionScreen, language: str | None) -> None:
    """Ask for a language, the given or the first that is learned, and a number of words, until they can be marked."""
    service = screen.service
    shown, error = {"language": "", "count": str(_USUAL)}, None
    try:
        with screen.typed_kept():
            settings = await service.settings.get()
            tag = language or next((each.language for each in settings.learning), "")
            level = settings.level_in(tag)
            offered = await service.known_words.frequent(tag, level=level) if level else None
        shown = {
            "language": language_name(tag) if tag else "",
            "count": str((offered.count if offered is not None else 0) or _USUAL),
        }
    except LodeError as refusal:
        error = refusal

    async def mark(typed: Mapping[str, str]) -> bool | None:
        asked = find_tag(typed["language"]) or typed["language"]
        with screen.typed_kept():
            offer = await service.known_words.frequent(asked, count=_read_count(typed["count"]))
        return await _confirmed(screen.app, service, asked, offer, "") or None

    fields = (PromptField("language", "Language", "German"), PromptField("count", "Words", str(_USUAL)))
    hint = "the commonest ones, by a frequency dictionary or your own texts · enter looks"
    prompt = partial(FieldsPrompt, "Which words do you know?", fields, hint=hint, begin_in="count")
    await ask_until_taken(screen.app, prompt, shown, mark, error)


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
    marked = await service.known_words.mark_frequent(language, offer.count)
    app.notify(f"{count_of(marked.changed, 'word')} known · {shown_key(app.screen, 'undo')} undoes it", markup=False)
    app.screen.post_message(LibraryChanged("word"))
    return True
