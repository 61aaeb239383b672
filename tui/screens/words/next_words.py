"""Next words: the new words that are worth learning most, each with its best sentence, to be kept as clips."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Span, Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from tui.records.pages import Page
from tui.records.sorting import Sort
from tui.records.words import NextWord, TextPlace
from tui.screens.dialogs.word_view import View
from tui.screens.input_queue import AnswersOnce
from tui.screens.lists.record_list import Keys, language_column
from tui.screens.messages import LibraryChanged, OpenTranscript
from tui.screens.words.marking_list import MarkingListScreen, WordRow, WordTabs, go_to_tab, marking_keys
from tui.service.protocol import Service
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

_MOST = 200


@dataclass(frozen=True, slots=True)
class NextRow(WordRow):
    """A word to learn in a list."""

    next: NextWord


class NextWordsScreen(MarkingListScreen[NextRow], AnswersOnce[None]):
    SHOWS = frozenset({"word", "transcript", "cue"})
    EMPTY = "No new words here. Add something to read, or look at what counts as known."
    EMPTY_KEYS = (("section.files", "go to the files and add one"), ("next_words.back", "goes back"))
    LOOK = "next_words"
    OWN_SORT = Sort()
    OWN_ORDER = "what is worth most first"
    LIES_OVER = True
    KEYLESS = ()  # its filter is of no list that a view could be of
    RECORD_ACTIONS = ("clip", "cycle", "set_state", "batch")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "clip", "clip", tooltip="keep the sentences of what is marked as clips", id="next_words.clip"),
        *marking_keys("next_words"),
        Binding("v", "view", "which", tooltip="which language they are in", id="next_words.view"),
        Binding("tab", "tab(1)", "next tab", key_display="tab", tooltip="to the overview", id="next_words.tab"),
        Binding("shift+tab", "tab(-1)", "previous tab", show=False, tooltip="to the list", id="next_words.tab_back"),
        Binding("escape", "back", "back", id="next_words.back"),
    ]

    def __init__(self, service: Service, transcript_id: str = "", title: str = "") -> None:
        """Make a list of the words of a transcript with this title, else of the library's."""
        super().__init__(service)
        self._transcript_id = transcript_id
        self._title = title
        self._found: tuple[NextRow, ...] | None = None

    def columns(self) -> Sequence[Column[NextRow]]:
        return (
            Column("Word", lambda row: row.word.lemma, most=18, style="strong", sort="word"),
            Column(
                "Times", lambda row: display.number(row.word.occurrences), align="right", style="muted", sort="times"
            ),
            Column("Sentence", lambda row: _sentence(row.next), share=4, sort="sentence"),
            language_column(lambda row: row.word.language),
            Column(
                "New",
                lambda row: str(row.next.new_words),
                align="right",
                style="muted",
                minimum_table_width=90,
                sort="new",
            ),
            Column(
                "Title",
                lambda row: row.next.title,
                most=24,
                style="muted",
                cut="inside",
                minimum_table_width=90,
                sort="title",
            ),
        )

    def compose_list(self) -> ComposeResult:
        yield WordTabs("next", of=self._title)
        yield from super().compose_list()

    async def fetch_sorted(self, offset: int, limit: int, q: str, sort: str) -> Page[NextRow]:
        """A page of the words, which are all found by the first; the filter goes through what stands in the rows."""
        words = q.lower().split()
        rows = [row for row in await self._rows() if all(word in _searched(row.next) for word in words)]
        found = self.sorted_here(rows, sort)
        return Page(tuple(found[offset : offset + limit]), len(found), offset)

    async def _rows(self) -> tuple[NextRow, ...]:
        if (found := self._found) is None:
            asked = self.service.known_words.next_words(
                transcript_id=self._transcript_id, language=self._language, limit=_MOST
            )
            self._found = found = tuple(NextRow(each.word, each) for each in await asked)
        return found

    def read_anew(self) -> None:
        self._found = None
        super().read_anew()

    def choose(self, view: View) -> None:
        """List the words of a language, else of those that are learned."""
        self._language = view[1] or None
        self._found = None

    def empty_notice(self) -> tuple[str, Keys]:
        headline, keys = super().empty_notice()
        return headline, keys if self._transcript_id else (("next_words.view", "chooses another language"), *keys)

    def counts_said(self) -> list[str]:
        said = super().counts_said()
        return said if self._language is None else [*said, display.language(self._language)]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "view":
            return not self._transcript_id
        return super().check_action(action, parameters)

    # What is done with them

    @work(group="clip", exit_on_error=False)
    async def action_clip(self) -> None:
        """Keep the sentences of the marked words, else of that under the cursor, as clips."""
        chosen = self.table.marked_or_current
        if not (places := await self.find_places(chosen)):
            return
        clips = await self.service.known_words.clip_words(places)
        self.table.clear_marks()
        self.say(f"{display.count_of(len(clips), 'clip')} kept · {shown_key(self, 'undo')} undoes it")
        self.post_message(LibraryChanged("clip", "word"))

    async def find_places(self, ids: Sequence[str]) -> Sequence[TextPlace]:
        rows = {row.id: row for row in await self._rows()}  # which may be read anew just now
        return [rows[each].next.place for each in ids if each in rows]

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        self.post_message(OpenTranscript(event.record.next.transcript_id, event.record.next.cue))

    def action_tab(self, step: int) -> None:
        if not self.has_answered:
            go_to_tab(self, "next", step)


def _searched(word: NextWord) -> str:
    return f"{word.word.lemma} {word.surface} {word.sentence} {word.title} {word.word.language}".lower()


def _sentence(word: NextWord) -> Text | str:
    """The sentence with its word set off, where it stands in it once."""
    sentence, surface = one_line(word.sentence), one_line(word.surface)
    at = sentence.find(surface)
    if not surface or at < 0:
        return sentence
    return Text(sentence, spans=[Span(at, at + len(surface), "strong")])
