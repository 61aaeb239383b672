"""Words section: the list of words with their states, which keys change, one or many at once; the places of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from tui.records.pages import Page
from tui.records.sorting import Sort
from tui.records.word_states import WORD_STATES, WordState
from tui.screens.lists.record_list import Keys, age_column, language_column, styled_cell
from tui.screens.words.marking_list import MarkingListScreen, WordRow, WordTabs, go_to_tab, marking_keys
from tui.text.display import number
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.records.words import TextPlace
    from tui.screens.dialogs.word_view import View
    from tui.service.protocol import Service

_STATE_STYLES = {"new": "running", "seen": "", "learning": "strong", "known": "muted", "ignored": "muted"}
"""Styles of the states in a list: what is new stands out, what is done with stands back."""


class WordListScreen(MarkingListScreen[WordRow]):
    SHOWS = frozenset({"word", "transcript", "clip", "cue"})
    EMPTY = "No words yet. They come with what you read, or from a list or Anki."
    EMPTY_KEYS = (("section.files", "go to the files and add one"), ("words.import", "import words that you know"))
    LOOK = "words"
    OWN_SORT = Sort("times")
    RECORD_ACTIONS = ("cycle", "set_state", "batch", "dictionary", "in_anki")
    STATES = WORD_STATES
    BINDINGS: ClassVar[list[BindingType]] = [
        *marking_keys("words"),
        Binding(
            "D", "dictionary", "entry", tooltip="what the dictionaries say of it", show=False, id="words.dictionary"
        ),
        Binding("A", "in_anki", "its notes in Anki, which runs here", show=False, id="words.in_anki"),
        Binding("d", "app.open_dictionaries", "dictionaries", show=False, id="words.dictionaries"),
        Binding("v", "view", "which", tooltip="which states and languages are listed", id="words.view"),
        Binding("s", "sort", "sort", tooltip="sort; tab: columns, groups", id="words.sort"),
        Binding("a", "import_words", "import", tooltip="words from a list or from Anki", id="words.import"),
        Binding("tab", "tab(1)", "next tab", key_display="tab", tooltip="to what to learn next", id="words.tab"),
        Binding("shift+tab", "tab(-1)", "previous tab", show=False, tooltip="to the overview", id="words.tab_back"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._states: tuple[WordState, ...] = ()

    def columns(self) -> Sequence[Column[WordRow]]:
        return (
            Column("Word", _lemma, share=2, style="strong", sort="word"),
            Column(
                "State", lambda row: styled_cell(_STATE_STYLES[row.word.state], row.word.state), least=8, sort="state"
            ),
            language_column(lambda row: row.word.language),
            Column("Times", lambda row: _count(row.word.occurrences), align="right", sort="times"),
            Column(
                "Texts", lambda row: _count(row.word.transcripts), align="right", minimum_table_width=70, sort="texts"
            ),
            Column(
                "Rank",
                lambda row: _count(row.word.rank or 0),
                align="right",
                style="muted",
                minimum_table_width=70,
                sort="rank",
            ),
            Column(
                "From",
                lambda row: row.word.source or ("name" if row.word.is_name else ""),
                style="muted",
                most=12,
                minimum_table_width=90,
                sort="from",
            ),
            age_column(lambda row: row.word.changed_at, title="Changed", sort="changed"),
        )

    def compose_list(self) -> ComposeResult:
        yield WordTabs("words")
        yield from super().compose_list()

    async def fetch_sorted(self, offset: int, limit: int, q: str, sort: str) -> Page[WordRow]:
        page = await self.service.known_words.page(
            language=self._language, states=self._states, q=q, sort=sort, offset=offset, limit=limit
        )
        return Page(tuple(map(WordRow, page.items)), page.total, page.offset, page.next)

    # What is listed

    def choose(self, view: View) -> None:
        match view:
            case "language", tag:
                self._language = tag
            case "state", state:
                self._states = tuple(each for each in WORD_STATES if each == state)
            case _:
                self._states, self._language = (), None

    def _filtered(self) -> bool:
        return bool(self._states) or self._language is not None

    def counts_said(self) -> list[str]:
        said = []
        which = [*self._states, *([self._language] if self._language is not None else [])]
        if which or self.table.q:
            said.append(f"{number(self.table.total)} {' '.join(which) or 'found'}")
        return said

    def empty_notice(self) -> tuple[str, Keys]:
        if self._filtered():
            return "No word is like that.", (("words.view", "chooses others"),)
        return super().empty_notice()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("view", "sort"):
            return self.has_records or self._filtered()
        return super().check_action(action, parameters)

    # What is done with them

    async def find_places(self, ids: Sequence[str]) -> Sequence[TextPlace]:
        from tui.records.words import TextPlace

        found = []
        for language, lemma, _ in (each.split("\t") for each in ids):
            lines = await self.service.words.concordance(lemma, language=language or None, limit=1)
            found += [TextPlace(line.transcript_id, line.cue_index, line.start, line.end) for line in lines]
        return found

    def action_dictionary(self) -> None:
        """Show the dictionary entries of the word."""
        from tui.screens.dialogs.dictionary_entry import DictionaryEntryScreen

        if (row := self.table.current) is not None:
            language = row.word.language or None
            self.app.push_screen(DictionaryEntryScreen(self.service, row.word.lemma, language, ""))

    @work(exclusive=True, group="in_anki", exit_on_error=False)
    async def action_in_anki(self) -> None:
        from tui.screens.clip_keeping import show_in_anki

        if (row := self.table.current) is not None:
            await show_in_anki(self, row.word.lemma)

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        from tui.screens.words.word_places import WordPlacesScreen

        self.app.push_screen(WordPlacesScreen(self.service, event.record.word))

    @work(exclusive=True, group="import", exit_on_error=False)
    async def action_import_words(self) -> None:
        from tui.screens.words.import_words import import_words

        await import_words(self)

    def action_tab(self, step: int) -> None:
        go_to_tab(self, "words", step)


def _lemma(row: WordRow) -> Text | str:
    """Cell of a word with its reading, which stands back."""
    word = row.word
    if not word.reading:
        return word.lemma
    text = styled_cell("muted", f"{word.lemma}  {word.reading}")
    text.stylize("strong", 0, len(word.lemma))
    return text


def _count(count: int) -> str:
    return number(count) if count else ""
