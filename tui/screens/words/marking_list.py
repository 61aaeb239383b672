"""Base class of the lists of words: keys that give states to the word under the cursor, or to all that are marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, TypeVar

from textual import work

from tui.errors import LodeError
from tui.records.word_states import WordState
from tui.records.words import KnownWord
from tui.screens.lists.record_list import Record, RecordListScreen
from tui.screens.messages import LibraryChanged
from tui.screens.reader.word_marks import NEXT_STATE
from tui.screens.words.word_rows import mark_of
from tui.service.protocol.records import Records
from tui.text.display import count_of
from tui.widgets.chrome.key_line import shown_key


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

    @property
    def records(self) -> Records[T]:
        raise NotImplementedError  # subclasses read them, and nothing deletes a word

    def action_cycle(self) -> None:
        if (row := self.table.current) is not None:
            self.mark(self.table.marked_or_current, NEXT_STATE[row.word.state])

    def action_set_state(self, state: WordState) -> None:
        self.mark(self.table.marked_or_current, state)

    @property
    def language(self) -> str | None:
        """Language that was chosen for the list, None for no single one."""
        return None

    @work(exclusive=True, group="frequent", exit_on_error=False)
    async def action_frequent(self) -> None:
        from tui.screens.words.frequent_words import mark_frequent_words

        await mark_frequent_words(self.app, self.service, self.language)

    @work(group="mark", exit_on_error=False)
    async def mark(self, ids: Sequence[str], state: WordState) -> None:
        """Give a state to words, in one step for the undo."""
        if not ids:
            return
        try:
            await self.service.known_words.mark([mark_of(each, state) for each in ids])
        except LodeError as error:
            self.say_error(error)
            return
        if len(ids) > 1 or not self.ROWS_STAY:
            self.say(f"{count_of(len(ids), 'word')} {state} · {shown_key(self, 'undo')} undoes it")
        self.table.clear_marks()
        self.post_message(LibraryChanged("word"))
