"""Lists of words: the tabs of the section, rows and cells, which words are listed, and the keys that mark them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import work
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from tui.language.tags import base_language
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import LibraryChanged
from tui.screens.word_marking import NEXT_STATE, WordMarking
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.themes import MUTED

if TYPE_CHECKING:
    from tui.records.word_states import WordState
    from tui.records.words import KnownWord, TextPlace
    from tui.screens.dialogs.word_view import View
    from tui.screens.section import SectionScreen
    from tui.service.protocol import Service

TABS: Mapping[str, tuple[str, str]] = {
    "words": ("Words", ""),
    "next": ("To learn next", "tui.screens.words.next_words:NextWordsScreen"),
    "overview": ("Overview", "tui.screens.words.word_overview:WordOverviewScreen"),
}
"""Tabs by name: what they are called, and the screen that is opened over the list."""


class WordTabs(Static):
    """Line with the names of the tabs, one of them in the accent's colour."""

    DEFAULT_CSS = """
    WordTabs { height: 1; width: 1fr; max-width: 140; padding: 0 3; margin-bottom: 1; }
    """

    def __init__(self, here: str, *, of: str = "") -> None:
        """``of`` is what the tab that is shown is about, "" for the library."""
        names = [Content.styled(title, "bold $accent" if name == here else MUTED) for name, (title, _) in TABS.items()]
        if of:
            at = list(TABS).index(here)
            names[at] = Content.assemble(names[at], (f" · {one_line(of)}", "$foreground"))
        super().__init__(Content("   ").join(names))


def go_to_tab(screen: SectionScreen, here: str, step: int) -> None:
    """Show the tab that is so many further, from the last one on to the first."""
    names = list(TABS)
    target = names[(names.index(here) + step) % len(names)]
    app, path = screen.app, TABS[target][1]
    if here != "words":
        screen.dismiss(None)
    if path:
        opened: Screen[None] = resolve_name(path)(screen.service)
        app.push_screen(opened)


def marking_keys(prefix: str) -> list[Binding]:
    """Bindings of the actions that mark words, whose ids begin with ``prefix``."""
    frequent = "mark the commonest words as known"
    return [
        Binding("w", "cycle", "state", tooltip="next state: learning, known, ignored, new", id=f"{prefix}.state"),
        Binding("W", "set_state('known')", "known", tooltip="mark as known", id=f"{prefix}.known"),
        Binding("i", "set_state('ignored')", "ignore", tooltip="mark as ignored", show=False, id=f"{prefix}.ignored"),
        Binding("m", "batch", "mark", tooltip="into the batch, in its sentence", show=False, id=f"{prefix}.batch"),
        Binding("F", "frequent", "frequent words", tooltip=frequent, show=False, id=f"{prefix}.frequent"),
    ]


@dataclass(frozen=True, slots=True)
class WordRow:
    """A word in a list."""

    word: KnownWord

    @property
    def id(self) -> str:
        """Id of the word within a profile: its language, lemma and reading."""
        return f"{self.word.language}\t{self.word.lemma}\t{self.word.reading}"


T = TypeVar("T", bound=WordRow)


class MarkingListScreen(RecordListScreen[T]):
    """List of words; subclasses bind ``marking_keys`` and one for ``view``."""

    SECTION = "words"
    NOUN = "word"
    SEARCHED = ("words",)
    CAN_DELETE = False
    STATES: ClassVar[Sequence[WordState]] = ()
    """States that can be chosen: a list of words in all of them shows the new state of one that is marked."""

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._marking = WordMarking(service.known_words, self)
        self._language: str | None = None
        """Language that was chosen for the list, None for no single one."""

    def action_cycle(self) -> None:
        if (row := self.table.current) is not None:
            self.mark(self.table.marked_or_current, NEXT_STATE[row.word.state])

    def action_set_state(self, state: WordState) -> None:
        self.mark(self.table.marked_or_current, state)

    @work(group="mark", exit_on_error=False)
    async def mark(self, ids: Sequence[str], state: WordState) -> None:
        """Give a state to words, in one step for the undo."""
        from tui.records.words import WordMark

        words = (each.split("\t") for each in ids)
        marks = [WordMark(language, lemma, reading, state) for language, lemma, reading in words]
        if await self._marking.mark(lambda: marks) is not None and (len(ids) > 1 or not self.STATES):
            self.say(f"{display.count_of(len(ids), 'word')} {state} · {shown_key(self, 'undo')} undoes it")

    async def show_marks(self) -> None:
        self.table.clear_marks()

    @work(group="batch", exit_on_error=False)
    async def action_batch(self) -> None:
        """Mark the marked words, else that under the cursor, where they stand: the reader has them broken down."""
        places = await self.find_places(self.table.marked_or_current)
        for place in places:
            await self.service.mining.mark(place.transcript_id, place.cue, place.start, place.end)
        if not places:
            self.say("no text has this word")
            return
        self.table.clear_marks()
        self.say(f"{display.count_of(len(places), 'word')} marked · the reader of the text has them broken down")
        self.post_message(LibraryChanged("mark"))

    @abstractmethod
    async def find_places(self, ids: Sequence[str]) -> Sequence[TextPlace]:
        """Find a sentence for each of these words, where the word stands in it; words without one are left out."""

    @work(exclusive=True, group="view", exit_on_error=False)
    async def action_view(self) -> None:
        """Let a language or a state be chosen."""
        from tui.screens.dialogs.word_view import WordView

        with self.typed_kept():  # counting takes a while in a large library: what is typed is meant for the question
            learning = (await self.service.settings.get()).learning
            stats = await self.service.known_words.stats(transcripts=0)
        learned = dict.fromkeys(base_language(each.language) for each in learning)
        others = dict.fromkeys(each.language for each in stats.states if each.language not in learned)
        view = await self.app.push_screen_wait(WordView(learned, others, self.STATES))
        if view is not None:
            self.choose(view)
            self.table.reload(keep_cursor=False)

    @abstractmethod
    def choose(self, view: View) -> None:
        """List what was chosen."""

    @work(exclusive=True, group="frequent", exit_on_error=False)
    async def action_frequent(self) -> None:
        from tui.screens.words.import_words import mark_frequent_words

        await mark_frequent_words(self, self._language)
