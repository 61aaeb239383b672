"""Lists of words: the tabs of the section, rows and cells, which words are listed, and the keys that mark them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import ClassVar, Protocol, TypeVar

from rich.text import Text
from textual import work
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from tui.language.tags import base_language
from tui.records.word_states import WORD_STATES, WordState
from tui.records.words import KnownWord, WordMark
from tui.screens.dialogs.list_choice import ListChoice
from tui.screens.lists.columns import styled_cell
from tui.screens.lists.record_list import Record, RecordListScreen
from tui.screens.section import SectionScreen
from tui.screens.word_marking import NEXT_STATE, WordMarking
from tui.service.protocol import Service
from tui.service.protocol.records import Records
from tui.text.display import count_of
from tui.text.display import language as language_name
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.themes import MUTED

TABS: Mapping[str, tuple[str, str]] = {
    "words": ("Words", ""),
    "next": ("To learn next", "tui.screens.words.next_words:NextWordsScreen"),
    "overview": ("Overview", "tui.screens.words.word_overview:WordOverviewScreen"),
}
"""Tabs by name: what they are called, and the screen that is opened over the list."""

STATE_STYLES = {"new": "running", "seen": "", "learning": "strong", "known": "muted", "ignored": "muted"}
"""Styles of the states in a list: what is new stands out, what is done with stands back."""
View = tuple[str, str]
"""What is chosen ("all", "state" or "language"), and its value."""
_MEANINGS = {
    "new": "in your texts, and not yet yours",
    "seen": "looked up, or clipped",
    "learning": "marked, or young in Anki",
    "known": "",
    "ignored": "names, numbers, other languages",
}


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


@dataclass(frozen=True, slots=True)
class WordRow:
    """A word in a list; its id is what tells it from the others."""

    word: KnownWord

    @property
    def id(self) -> str:
        return word_id(self.word)


def word_id(word: KnownWord) -> str:
    """Id of a word within a profile: its language, lemma and reading."""
    return f"{word.language}\t{word.lemma}\t{word.reading}"


def mark_of(record_id: str, state: WordState) -> WordMark:
    """The mark that gives this state to the word with an id."""
    language, lemma, reading = record_id.split("\t")
    return WordMark(language, lemma, reading, state)


def state_cell(word: KnownWord) -> Text:
    """Cell of a word's state, in its style."""
    return styled_cell(STATE_STYLES[word.state], word.state)


def lemma_cell(word: KnownWord) -> Text | str:
    """Cell of a word with its reading, which stands back."""
    if not word.reading:
        return word.lemma
    text = styled_cell("muted", f"{word.lemma}  {word.reading}")
    text.stylize("strong", 0, len(word.lemma))
    return text


@dataclass(frozen=True, slots=True)
class WordLanguages:
    """Languages of words, primary subtags: those that the profile learns, and others that its words are in."""

    learned: Sequence[str]
    others: Sequence[str]

    @classmethod
    async def of(cls, service: Service) -> WordLanguages:
        """Read them. Raises ``LodeError``."""
        learned = dict.fromkeys(base_language(each.language) for each in (await service.settings.get()).learning)
        stats = await service.known_words.stats(transcripts=0)
        others = dict.fromkeys(each.language for each in stats.states if each.language not in learned)
        return cls(tuple(learned), tuple(others))


class WordView(ListChoice[View]):
    """Dialog over the languages that words are in, and the states where the list has words in all of them."""

    def __init__(self, languages: WordLanguages, *, states: Sequence[WordState] = WORD_STATES) -> None:
        placeholder = "a state or a language" if states else "a language"
        super().__init__("Which words?", placeholder=placeholder, hint="enter chooses · esc leaves it")
        self._languages = languages
        self._states = states

    def listed(self, typed: str) -> Iterator[tuple[View, Content]]:
        wanted = typed.lower()
        learns = bool(self._languages.learned)
        every = "all words" if self._states or not learns else "all that you learn"
        entries = [("all", "", every, "")]
        entries += [("state", state, state, _MEANINGS[state]) for state in self._states]
        for tags, about in ((self._languages.learned, "you learn it"), (self._languages.others, "")):
            entries += [("language", tag, language_name(tag), about or tag) for tag in tags if tag]
        for kind, value, title, about in entries:
            if wanted in title.lower():
                yield (kind, value), Content(f"{title}  ") + Content.styled(about, MUTED)


class MarkableRow(Record, Protocol):
    """Row of a word, whose id is that of ``word_id``."""

    @property
    def word(self) -> KnownWord: ...


T = TypeVar("T", bound=MarkableRow)


class MarkingListScreen(RecordListScreen[T]):
    """List of words; subclasses bind ``cycle``, ``set_state`` and ``frequent`` to keys."""

    SECTION = "words"
    NOUN = "word"
    CAN_DELETE = False
    ROWS_STAY: ClassVar[bool] = True
    """Whether the row of a word shows its new state, so that nothing has to be said of a single one."""

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._marking = WordMarking(service.known_words, self)

    @property
    def records(self) -> Records[T]:
        raise NotImplementedError  # subclasses read them, and nothing deletes a word

    def action_cycle(self) -> None:
        if (row := self.table.current) is not None:
            self.mark(self.table.marked_or_current, NEXT_STATE[row.word.state])

    def action_set_state(self, state: WordState) -> None:
        self.mark(self.table.marked_or_current, state)

    @work(group="mark", exit_on_error=False)
    async def mark(self, ids: Sequence[str], state: WordState) -> None:
        """Give a state to words, in one step for the undo."""
        marks = [mark_of(each, state) for each in ids]
        if await self._marking.mark(lambda: marks) is not None and (len(ids) > 1 or not self.ROWS_STAY):
            self.say(f"{count_of(len(ids), 'word')} {state} · {shown_key(self, 'undo')} undoes it")

    async def show_marks(self) -> None:
        self.table.clear_marks()

    @property
    def language(self) -> str | None:
        """Language that was chosen for the list, None for no single one."""
        return None

    @work(exclusive=True, group="frequent", exit_on_error=False)
    async def action_frequent(self) -> None:
        from tui.screens.words.frequent_words import mark_frequent_words

        await mark_frequent_words(self.app, self.service, self.language)
