"""Files section: the list of imported files, adding subtitles and texts, the sample library."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.binding import Binding, BindingType

from tui.errors import LodeError
from tui.screens.lists.counted_list import CountedListScreen
from tui.screens.lists.record_list import Keys, Total, age_column, language_column
from tui.screens.messages import OpenTranscript
from tui.text import display
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.records.files import ProfileFile
    from tui.records.jobs import Job
    from tui.records.pages import Page
    from tui.records.transcripts import LastRead
    from tui.service.protocol import Service
    from tui.service.protocol.records import Records
    from tui.widgets.chrome.continue_line import ContinueLine


class FilesScreen(CountedListScreen["ProfileFile"]):
    SECTION = "files"
    NOUN = "file"
    MOVES = True
    SEARCHED = ("files",)
    LOOK = "files"
    SHOWS = frozenset({"file", "transcript", "word", "place"})
    TOTALS = (
        Total(lambda file: file.cue_count, partial(display.count_of, noun="cue")),
        Total(lambda file: file.duration_ms or 0, display.clock),
        Total(lambda file: file.size_bytes, display.size),
    )
    LONG_WORK: ClassVar[Mapping[str, str]] = {"add": "Files are being added; what is not queued yet will not be."}
    RECORD_ACTIONS = (*CountedListScreen.RECORD_ACTIONS, "reread", "encoding", "put_right")
    EMPTY_KEYS: ClassVar[Keys] = (
        ("files.add", "add subtitles or texts"),
        ("files.samples", "load the sample library (stories in four languages)"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "add", "add", tooltip="add files, directories or globs", id="files.add"),
        Binding("R", "reread", "read again", tooltip="read again, from the kept bytes", show=False, id="files.reread"),
        Binding("E", "encoding", "encoding", tooltip="read in another encoding", show=False, id="files.encoding"),
        Binding("t", "transcribe", "transcribe", tooltip="transcribe a recording", id="files.transcribe"),
        Binding(
            "F", "put_right", "put right", tooltip="its words, its times, or both", show=False, id="files.put_right"
        ),
        Binding("S", "samples", "samples", tooltip="load the sample library", show=False, id="files.samples"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._has_offered = False
        self._has_begun = False
        """Whether a key came before the list had the focus: it was the list's, and so is what follows."""

    # What the start offers first: to read on.

    async def fetch(self, offset: int, limit: int, q: str) -> Page[ProfileFile]:
        if self._has_offered:
            return await super().fetch(offset, limit, q)
        # Together, so that an enter that waits for the first row finds what it means.
        page, last = await asyncio.gather(super().fetch(offset, limit, q), self._last_read())
        self._has_offered = True
        if last:
            self._offer_to_continue(last[0])
        return page

    async def _last_read(self) -> Sequence[LastRead]:
        with suppress(LodeError):  # a server may be older; and why the list cannot be read is told by the list
            return await self.service.transcripts.last_read()
        return ()

    def _offer_to_continue(self, last: LastRead) -> None:
        """Offer it above the list, unless one has begun with something else; at once where enter was pressed before."""
        from tui.widgets.chrome.continue_line import ContinueLine

        table = self.table
        if not self.is_current or self._has_begun or table.moves or table.q or self.focused not in (table, None):
            return
        if table.open_first:
            table.open_first = False
            self.post_message(OpenTranscript(last.transcript.id))
        else:
            self.add_class("-continues")  # it stands where the free line was
            self.mount(ContinueLine(last), before=table)
            self.set_focus(self.query_one(ContinueLine))

    def on_key(self, event: events.Key) -> None:
        self._has_begun = self._has_begun or (self.focused is None and event.key not in ("enter", "ctrl+j"))

    def on_continue_line_chosen(self, message: ContinueLine.Chosen) -> None:
        if self.table.moves or not message.is_first:  # a key was on its way to the list, with which enter goes
            self.table.action_open()
            return
        self.post_message(OpenTranscript(message.transcript_id))

    def on_screen_resume(self) -> None:
        # Not on leaving, which is when what it leads to is waited for.
        if lines := self.query("ContinueLine"):
            self.set_focus(self.table if self.table.display else None)
            lines.remove()
            self.remove_class("-continues")

    # The list.

    def columns(self) -> Sequence[Column[ProfileFile]]:
        return (
            Column("Name", lambda file: file.name, share=1, cut="inside", sort="name"),
            self.said_column(),
            Column("Kind", lambda file: file.format or file.kind, style="muted", minimum_table_width=90, sort="kind"),
            Column("Encoding", lambda file: file.encoding or "", style="muted", sort="encoding", usual=False),
            language_column(lambda file: file.language),
            Column(
                "Cues",
                lambda file: display.number(file.cue_count) if file.cue_count else display.clock(file.duration_ms),
                align="right",
                sort="cues",
            ),
            Column(
                "Size",
                lambda file: display.size(file.size_bytes),
                align="right",
                style="muted",
                minimum_table_width=70,
                sort="size",
            ),
            self.read_column(),
            *self.count_columns(),
            age_column(lambda file: file.created_at),
        )

    def transcript_of(self, record: ProfileFile) -> str | None:
        return record.transcript_id

    def title_of(self, record: ProfileFile) -> str:
        return record.name

    @property
    def records(self) -> Records[ProfileFile]:
        return self.service.files

    def is_added_by(self, record: ProfileFile, job: Job) -> bool:
        return record.id == job.file_id

    async def deletion_details(self, ids: Sequence[str]) -> Sequence[str]:
        jobs = await self.service.files.jobs_of(*ids)
        running = sum(not job.is_over for job in jobs)
        stays = "Its transcript and clips stay." if len(ids) == 1 else "Their transcripts and clips stay."
        if not jobs:
            return (stays,)
        stopped = f"; {display.number(running)} still at work will be stopped" if running else ""
        return (f"{display.count_of(len(jobs), 'job')} will go too{stopped}.", stays)

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        file: ProfileFile = event.record
        if file.hit is not None:
            self.post_message(OpenTranscript(file.hit.transcript_id, file.hit.cue_index))
        elif file.transcript_id is None and file.path is not None:
            self.action_transcribe()
        elif file.transcript_id is None:
            self.notify("The transcript of this file was deleted; add the file again to make a new one.", markup=False)
        else:
            self.post_message(OpenTranscript(file.transcript_id))

    @work(exclusive=True, group="add", exit_on_error=False)
    async def action_add(self) -> None:
        from tui.screens.lists.add_files import FilesToAdd, add_files

        await add_files(self, FilesToAdd())

    @work(exclusive=True, group="transcribe", exit_on_error=False)
    async def action_transcribe(self) -> None:
        """Transcribe the recording under the cursor, or one that is named."""
        from tui.screens.transcribe import transcribe

        await transcribe(self, self.table.current)

    @work(exclusive=True, group="put_right", exit_on_error=False)
    async def action_put_right(self) -> None:
        from tui.screens.put_right import put_right

        if (file := self.table.current) is not None and file.transcript_id is not None:
            await put_right(self, file.transcript_id)

    @work(exclusive=True, group="reread", exit_on_error=False)
    async def action_reread(self) -> None:
        from tui.screens.lists.reread_files import reread_files

        if ids := self.table.marked_or_current:
            await reread_files(self, ids)

    @work(exclusive=True, group="reread", exit_on_error=False)
    async def action_encoding(self) -> None:
        """Show how the file reads in other encodings, and read it again in the one that is picked."""
        from tui.screens.lists.reread_files import ask_encoding_of_file

        if (file := self.table.current) is not None:
            await ask_encoding_of_file(self, file)

    @work(exclusive=True, group="add", exit_on_error=False)
    async def action_samples(self) -> None:
        from tui.screens.lists.add_files import notify_queued

        notify_queued(self, await self.service.files.add_samples())
