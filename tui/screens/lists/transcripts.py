"""Transcripts section: the list of transcripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.text import Span, Text
from textual import on, work
from textual.binding import Binding, BindingType

from tui.records.transcripts import Transcript
from tui.screens.lists.counted_list import CountedListScreen
from tui.screens.lists.record_list import Total, age_column, language_column
from tui.screens.messages import OpenTranscript
from tui.screens.retiming import RETIMING_COMMANDS, retime_against, retime_by_sound
from tui.screens.section import EXPORT_WORK
from tui.text import display
from tui.text.cells import cut
from tui.text.sanitize import one_line
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.service.protocol.records import Records

_SERIES_CELLS = 28
"""Cells of a series before an episode's number: on a narrow terminal that is to be seen."""


class TranscriptsScreen(CountedListScreen[Transcript]):
    SECTION = "transcripts"
    NOUN = "transcript"
    MOVES = True
    SEARCHED = ("transcripts",)
    LOOK = "transcripts"
    SHOWS = frozenset({"transcript", "word", "place"})
    TOTALS = (
        Total(lambda transcript: transcript.cue_count, partial(display.count_of, noun="cue")),
        Total(lambda transcript: transcript.duration_ms or 0, display.clock),
    )
    EMPTY = "No transcripts yet."
    EMPTY_KEYS = (("section.files", "go to the files and add one"),)
    RECORD_ACTIONS = (
        *CountedListScreen.RECORD_ACTIONS,
        "edit",
        "export",
        "reread",
        "translation",
        "put_right",
        *(action for _, _, action in RETIMING_COMMANDS),
    )
    KEYLESS = (*CountedListScreen.KEYLESS, *RETIMING_COMMANDS)
    LONG_WORK: ClassVar[Mapping[str, str]] = {"export": EXPORT_WORK}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("E", "edit", "edit", tooltip="edit title, language and encoding", id="transcripts.edit"),
        Binding("e", "export", "export", tooltip="write as .srt, .vtt, .txt or .json", id="transcripts.export"),
        Binding("R", "reread", "read again", tooltip="read its file again", show=False, id="transcripts.reread"),
        Binding(
            "F",
            "put_right",
            "put right",
            tooltip="its words, its times, or both",
            show=False,
            id="transcripts.put_right",
        ),
        Binding("T", "translation", "choose its translation track", show=False, id="transcripts.translation"),
    ]

    def columns(self) -> Sequence[Column[Transcript]]:
        return (
            Column("Title", write_title, share=1, cut="inside", sort="title"),
            self.said_column(),
            Column(
                "Series", lambda each: each.series, most=24, style="muted", cut="inside", sort="series", usual=False
            ),
            language_column(lambda transcript: transcript.language),
            Column(
                "Cues", lambda each: display.number(each.cue_count), align="right", minimum_table_width=70, sort="cues"
            ),
            Column("Length", lambda transcript: display.clock(transcript.duration_ms), align="right", sort="length"),
            self.read_column(),
            *self.count_columns(),
            Column(
                "Origin", lambda transcript: transcript.origin, style="muted", minimum_table_width=132, sort="origin"
            ),
            age_column(lambda transcript: transcript.created_at),
        )

    def transcript_of(self, record: Transcript) -> str | None:
        return record.id

    def title_of(self, record: Transcript) -> str:
        return record.title

    @property
    def records(self) -> Records[Transcript]:
        return self.service.transcripts

    def is_added_by(self, record: Transcript, job: Job) -> bool:
        return job.file_id is not None and record.file_id == job.file_id

    async def deletion_details(self, ids: Sequence[str]) -> Sequence[str]:
        if len(ids) == 1:
            return ("The file it came from and the clips from it stay.",)
        return ("The files they came from and the clips from them stay.",)

    @work(exclusive=True, group="edit", exit_on_error=False)
    async def action_edit(self) -> None:
        from tui.screens.transcript_edit import edit_transcript

        if (transcript := self.table.current) is not None:
            await edit_transcript(self, transcript.id)

    @work(exclusive=True, group="reread", exit_on_error=False)
    async def action_reread(self) -> None:
        from tui.screens.lists.reread_files import reread_files_of

        if ids := self.table.marked_or_current:
            await reread_files_of(self, ids)

    def action_export(self) -> None:
        if not self.is_writing("transcripts are still being written"):
            self.export(self.table.marked_or_current)

    @work(exclusive=True, group="export", exit_on_error=False)
    async def export(self, ids: Sequence[str]) -> None:
        from tui.screens.transcript_export import export_transcripts

        await export_transcripts(self, ids)

    @work(exclusive=True, group="put_right", exit_on_error=False)
    async def action_put_right(self) -> None:
        from tui.screens.put_right import put_right

        if (record := self.table.current) is not None:
            await put_right(self, record.id)

    @work(exclusive=True, group="translation", exit_on_error=False)
    async def action_translation(self) -> None:
        from tui.screens.transcript_edit import choose_track

        if (record := self.table.current) is not None:
            await choose_track(self, record.id)

    @work(exclusive=True, group="retime", exit_on_error=False)
    async def action_retime_by_sound(self) -> None:
        if (record := self.table.current) is not None:
            await retime_by_sound(self, record.id)

    @work(exclusive=True, group="retime", exit_on_error=False)
    async def action_retime_against(self) -> None:
        if (record := self.table.current) is not None:
            await retime_against(self, record.id)

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        hit = event.record.hit
        self.post_message(OpenTranscript(event.record.id, None if hit is None else hit.cue_index))


def write_title(transcript: Transcript) -> Text | str:
    """Cell of a title, in which the series stands back behind the episode's number, however narrow."""
    if not transcript.series:
        return transcript.title
    series = cut(one_line(transcript.series), _SERIES_CELLS, inside=True)
    rest = display.within_series(transcript.title, transcript.series, transcript.season, transcript.episode)
    text = one_line(f"{series} · {rest}")
    return Text(text, spans=[Span(0, min(len(series) + 3, len(text)), "muted")], overflow="ellipsis")
