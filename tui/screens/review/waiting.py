"""Reviews that wait: the list over the screen that it was opened from, to which it goes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from tui.records.pages import Page
from tui.records.reviews import Review
from tui.screens.lists.record_list import RecordListScreen, age_column
from tui.screens.messages import LibraryChanged, OpenReview
from tui.text import display
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable


class ReviewsScreen(RecordListScreen[Review]):
    SECTION = "transcripts"
    NOUN = "review"
    SHOWS = frozenset({"review", "transcript"})
    EMPTY = "Nothing waits for a review. What a model proposes for a transcript comes here."
    EMPTY_KEYS = (("section.transcripts", "goes to the transcripts"), ("reviews.back", "goes back"))
    LIES_OVER = True
    KEYLESS = ()
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "back", id="reviews.back")]

    def columns(self) -> Sequence[Column[Review]]:
        return (
            Column("Transcript", lambda review: review.title, share=1, cut="inside"),
            Column("What", lambda review: f"{display.REVIEW_NOUNS[review.kind]}s", style="muted"),
            Column("Into", lambda review: display.language(review.into), style="muted"),
            Column("Changes", lambda review: display.number(review.total), align="right"),
            Column("Taken", lambda review: display.number(review.taken), align="right"),
            Column("Unseen", lambda review: display.number(review.unseen), align="right", style="muted"),
            Column("Doubtful", lambda review: display.number(review.doubtful), align="right", style="muted"),
            Column("Model", lambda review: review.model, most=30, style="muted", minimum_table_width=110),
            age_column(lambda review: review.created_at),
        )

    async def fetch(self, offset: int, limit: int, q: str) -> Page[Review]:
        return await self.service.reviews.page(offset=offset, limit=limit)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return False if action == "filter" else super().check_action(action, parameters)

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        self.post_message(OpenReview(event.record))

    @work(exclusive=True, group="delete", exit_on_error=False)
    async def ask_and_delete(self, ids: Sequence[str]) -> None:
        """Drop reviews without a question: undo brings them back."""
        for review_id in ids:
            await self.service.reviews.drop(review_id)
        self.table.clear_marks()
        self.say(f"{display.count_of(len(ids), 'review')} dropped · {shown_key(self, 'undo')} undoes it")
        self.post_message(LibraryChanged("review"))
