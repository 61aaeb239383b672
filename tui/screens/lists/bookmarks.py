"""Bookmarks: the list over the screen that it was opened from, to which it goes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from tui.records.transcripts import MAX_BOOKMARK_NAME, Bookmark
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.questions import ask_until_taken
from tui.screens.lists.record_list import RecordListScreen, age_column
from tui.screens.messages import LibraryChanged, OpenTranscript
from tui.text import display
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.service.protocol.records import Records

_FIELDS = (PromptField("name", "Name", "what you want to find here", MAX_BOOKMARK_NAME),)
_HINT = "enter keeps it · nothing takes it away · esc back"


def _place(bookmark: Bookmark) -> str:
    return display.clock(bookmark.start_ms) or f"line {display.number(bookmark.cue_index + 1)}"


def _transcript(bookmark: Bookmark) -> str:
    return display.title_with_series(bookmark.title, bookmark.series, bookmark.season, bookmark.episode)


class BookmarksScreen(RecordListScreen[Bookmark]):
    SECTION = "transcripts"
    NOUN = "bookmark"
    SEARCHED = ("bookmarks",)
    SHOWS = frozenset({"bookmark", "transcript", "cue"})
    EMPTY = "No bookmarks yet: b sets one at the sentence that you read."
    EMPTY_KEYS = (("bookmarks.back", "goes back"),)
    LIES_OVER = True
    RECORD_ACTIONS = ("name",)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("E", "name", "name", tooltip="give the bookmark a name", id="bookmarks.name"),
        Binding("escape", "back", "back", id="bookmarks.back"),
    ]

    def columns(self) -> Sequence[Column[Bookmark]]:
        return (
            Column("Sentence", lambda bookmark: bookmark.text, share=4),
            Column("Name", lambda bookmark: bookmark.name, share=2, style="strong"),
            Column("Transcript", _transcript, share=3, cut="inside", style="muted"),
            Column("Place", _place, align="right"),
            age_column(lambda bookmark: bookmark.created_at),
        )

    @property
    def records(self) -> Records[Bookmark]:
        return self.service.bookmarks

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        self.post_message(OpenTranscript(event.record.transcript_id, event.record.cue_index))

    @work(exclusive=True, group="name", exit_on_error=False)
    async def action_name(self) -> None:
        """Let the bookmark under the cursor get a name."""
        if (bookmark := self.table.current) is None:
            return

        async def keep(typed: Mapping[str, str]) -> Bookmark:
            put = self.service.bookmarks.put
            named = await put(bookmark.transcript_id, bookmark.cue_index, name=typed["name"])
            self.post_message(LibraryChanged("bookmark"))
            return named

        prompt = partial(FieldsPrompt, "The name of this bookmark", _FIELDS, hint=_HINT)
        await ask_until_taken(self.app, prompt, {"name": bookmark.name}, keep)
