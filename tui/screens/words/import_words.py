"""Import of words in the app: a path or Anki is asked for, then what it leaves open, then whether that is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path

from textual.content import Content

from tui.errors import InvalidInput, LodeError, in_one_line
from tui.records.jobs import Job
from tui.records.vocabulary import RunningAnki, VocabularyChoice, VocabularyOffer, VocabularyReport
from tui.screens.dialogs.list_choice import ListChoice
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.screens.dialogs.questions import Choice, TextPrompt
from tui.screens.input_queue import typed_input_kept
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.system.regular_file import named_path
from tui.text.display import count_of, number
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.themes import MUTED

_HINT = (
    "a list, a table, a frequency list, .apkg, .colpkg, collection.anki2 · anki for the one that runs · tab completes"
)
Source = Path | RunningAnki


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
    value, refusal = "", ""
    while True:
        prompt = PathPrompt("Import words that you know or learn", value=value, hint=_HINT, error=refusal)
        answer = await screen.app.push_screen_wait(prompt)
        if answer is None:
            return
        value = answer
        try:
            if await _imported(screen, _source(answer)):
                return
            refusal = ""
        except LodeError as error:
            refusal = in_one_line(error)


def _source(answer: str) -> Source:
    return RunningAnki.typed(answer) or named_path(answer)


async def _imported(screen: SectionScreen, source: Source) -> bool:
    """Ask what the source leaves open, show what would be marked, and queue it; False where that is not wanted."""
    service = screen.service.vocabulary
    choice = VocabularyChoice()
    with typed_input_kept(screen.app):
        offer = await service.offer(source)
    while True:
        try:
            with typed_input_kept(screen.app):
                report = await service.preview(source, choice)
        except InvalidInput as error:
            answered = await _answered(screen, offer, choice, error)
            if answered is None:
                return False
            choice = answered
            continue
        options = [("y", "Mark")]
        if offer.format == "anki":
            options += [("f", "Field"), ("d", "Deck")]
        question = f"{count_of(report.words, 'word')} · {number(report.changed)} to be marked"
        answer = await screen.app.push_screen_wait(Choice(question, [*options, ("esc", "Back")], _details(report)))
        if answer == "y":
            job = await service.add(source, choice)
            screen.post_message(LibraryChanged("job", jobs=(job,)))
            # By itself: another import may be begun meanwhile, and a server that does not answer is no refusal.
            screen.run_worker(_tell_success(screen, job), group="imported", exit_on_error=False)
            return True
        if answer == "f":
            if (field := await screen.app.push_screen_wait(FieldChoice(offer))) is not None:
                choice = replace(choice, note_type=field[0], field=field[1])
        elif answer == "d":
            if (deck := await screen.app.push_screen_wait(DeckChoice(offer.decks))) is not None:
                choice = replace(choice, deck=deck)
        else:
            return False


async def _tell_success(screen: SectionScreen, job: Job) -> None:
    """Say what the job came to, once it has succeeded; why one failed is told as for every job."""
    with suppress(LodeError):  # the list of jobs says so
        async with aclosing(screen.service.jobs.follow([job.id])) as changes:
            async for change in changes:
                if change.state == "succeeded":
                    said = f"{change.message} · {shown_key(screen, 'undo')} undoes it"
                    screen.notify(one_line(said), markup=False)


async def _answered(
    screen: SectionScreen, offer: VocabularyOffer, choice: VocabularyChoice, error: InvalidInput
) -> VocabularyChoice | None:
    """The choice with what was missing; None where it is not given. Raises the error where it is about nothing else."""
    match error.field:
        case "field":
            field = await screen.app.push_screen_wait(FieldChoice(offer))
            return None if field is None else replace(choice, note_type=field[0], field=field[1])
        case "language":
            typed = await screen.app.push_screen_wait(
                TextPrompt("Which language are they in?", hint=in_one_line(error))
            )
            return None if typed is None else replace(choice, language=typed)
        case "first":
            title = "The list goes by frequency: how many of its words do you know?"
            typed = await screen.app.push_screen_wait(TextPrompt(title, value="1000", hint="the most frequent ones"))
            if typed is None:
                return None
            return replace(choice, first=int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 8 else 0)
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
