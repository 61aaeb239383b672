"""Base class of the lists of what can be read: how many words each transcript has, how many are new, and sorted by it.

Counts come behind the rows: those in sight are counted first, and a row that has not been counted shows a dot. A list
that is sorted by its counts has all of it counted first, which the status tells.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.worker import Worker

from tui.errors import LodeError
from tui.records.sorting import COUNT_COLUMNS, MAX_SORTED
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.lists.sorted_list import Record
from tui.screens.messages import OpenNextWords
from tui.text import display
from tui.widgets.table.columns import Cell, Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:  # its records take a while to make, and the first list is shown without counts
    from tui.records.pages import Page
    from tui.records.search import CueHit
    from tui.records.words import WordCounts
    from tui.service.protocol import Service


class CountedRecord(Record, Protocol):
    """Transcript that a row opens; ``hit`` is the cue by which the filter found it, where it is found by that only."""

    @property
    def hit(self) -> CueHit | None: ...

    @property
    def cue_count(self) -> int: ...

    @property
    def read_cues(self) -> int | None: ...


T = TypeVar("T", bound=CountedRecord)
_AT_ONCE = 5
"""Transcripts that are counted in one call: one that was never counted takes a tenth of a second."""
_SORTED_AT_ONCE = 50
_PAGE = 1000
_NOT_YET = "·"


class CountedListScreen(RecordListScreen[T]):
    """Screen that lists records with a transcript each."""

    RECORD_ACTIONS: ClassVar[Collection[str]] = ("learn", "film")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("L", "learn", "learn", tooltip="the words of it that are worth learning next", id="list.learn"),
        Binding("M", "film", "film", tooltip="its film or recording", show=False, id="list.film"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._counts: dict[str, WordCounts] = {}
        self._fresh: set[str] = set()
        """Transcripts whose counts still hold; the others are shown until they are counted anew."""
        self._counting: Worker[None] | None = None
        self._all_counted: str | None = None
        """The filter of which all records are counted, for an order by their counts."""

    @abstractmethod
    def transcript_of(self, record: T) -> str | None:
        """Id of a record's transcript."""

    def said_column(self) -> Column[T]:
        """Column of the cues by which the filter found records, empty in a list without a filter."""
        return Column(
            "Said", lambda record: record.hit.text if record.hit else "", share=1, style="muted", is_of_search=True
        )

    def read_column(self) -> Column[T]:
        """Column of how much of each transcript is read; there is none until one was opened."""
        return Column(
            "Read",
            lambda record: display.share_read(record.read_cues, record.cue_count),
            align="right",
            style="muted",
            minimum_table_width=70,
            sort="read",
        )

    @abstractmethod
    def title_of(self, record: T) -> str:
        """Name under which people know a record."""

    def count_columns(self) -> Sequence[Column[T]]:
        """Columns of the counts, for a terminal that has room for them."""
        return (
            self._count_column("Words", "words", lambda counts: counts.words, 7, 112),
            self._count_column("New", "new", lambda counts: counts.new, 6, 96),
            self._count_column(
                "Known", "known", lambda of: f"{of.share_known:.0%}" if of.words else display.UNKNOWN, 5, 76
            ),
            self._count_column("One new", "one_new", lambda counts: counts.one_new, 7, 96),
        )

    def _count_column(
        self, title: str, sort: str, value: Callable[[WordCounts], int | str], least: int, width: int
    ) -> Column[T]:
        def cell(record: T) -> Cell:
            transcript = self.transcript_of(record)
            if transcript is None:
                return display.UNKNOWN
            counts = self._counts.get(transcript)
            if counts is None:
                return _NOT_YET
            shown = value(counts)
            return shown if isinstance(shown, str) else display.number(shown)

        return Column(title, cell, align="right", least=least, style="muted", minimum_table_width=width, sort=sort)

    # Counting

    def on_mount(self) -> None:
        for table in self.query(RecordTable):
            self.watch(table, "scroll_y", self._count_in_sight, init=False)

    @on(RecordTable.Loaded)
    @on(RecordTable.RowsRead)
    @on(RecordTable.Highlighted)
    def _rows_changed(self) -> None:
        self.call_after_refresh(self._count_in_sight)  # the rows do not wait for their counts

    def on_screen_resume(self) -> None:
        self._rows_changed()

    def _count_in_sight(self) -> None:
        if not self.is_current:
            return  # another section is shown by now, which would wait for it
        if (self._counting is None or self._counting.is_finished) and self._uncounted():
            self._counting = self.count_words()

    def _uncounted(self) -> list[str]:
        """Transcripts in sight that are to be counted, some of them."""
        found = (self.transcript_of(record) for record in self.table.visible_records())
        return [each for each in found if each is not None and each not in self._fresh][:_AT_ONCE]

    @work(group="counts", exit_on_error=False)
    async def count_words(self) -> None:
        """Count the words of what is in sight, and draw the rows again."""
        while self.is_attached and (ids := self._uncounted()):
            try:
                is_other = await self._count(ids)
            except LodeError:
                return  # what is listed without its counts is listed all the same
            if is_other:
                self.table.draw_again()

    async def _count(self, ids: Sequence[str]) -> bool:
        """Count the words of these; whether there are other counts now."""
        fresh = self._fresh  # not what takes its place where words change meanwhile: these are to be counted again
        found: Mapping[str, WordCounts] = await self.service.known_words.counts(*ids)
        is_other = any(self._counts.get(each) != counts for each, counts in found.items())
        self._counts |= found
        fresh.update(ids)  # one that is gone is not asked for again
        return is_other

    def read_anew(self) -> None:
        self._fresh = set()
        self._all_counted = None
        super().read_anew()

    # Sorting

    async def fetch_sorted(self, offset: int, limit: int, q: str, sort: str) -> Page[T]:
        if sort.removeprefix("-") in COUNT_COLUMNS and self._all_counted != q:
            await self._count_all(q)
            self._all_counted = q
        return await super().fetch_sorted(offset, limit, q, sort)

    async def _count_all(self, q: str) -> None:
        """Count the words of all records, a few at a time, so that it can be told how far that is."""
        ids: list[str] = []
        page = await self.records.page(limit=_PAGE, q=q)
        while page.total <= MAX_SORTED:
            found = map(self.transcript_of, page.items)
            ids += [each for each in found if each is not None and each not in self._fresh]
            if page.next is None:
                break
            page = await self.records.page(limit=_PAGE, q=q, after=page.next)
        try:
            for start in range(0, len(ids), _SORTED_AT_ONCE):
                self.set_status(f"counting {display.number(start)} of {display.number(len(ids))}")
                await self._count(ids[start : start + _SORTED_AT_ONCE])
        finally:
            if ids:
                self._say_counts()  # nothing is being counted any more

    def action_learn(self) -> None:
        """Show the words to learn next of the transcript under the cursor."""
        if (record := self.table.current) is not None and (transcript := self.transcript_of(record)) is not None:
            self.post_message(OpenNextWords(transcript, self.title_of(record)))

    @work(exclusive=True, group="film", exit_on_error=False)
    async def action_film(self) -> None:
        from tui.screens.transcript_edit import link_film

        if (record := self.table.current) is not None and (transcript := self.transcript_of(record)) is not None:
            await link_film(self, transcript)
