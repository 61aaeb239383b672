"""Reading files again from the app, or in another encoding: asks how, and queues a job for each.

The encoding is picked by eye: a dialog has the same lines of a file as they read in several encodings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from tui.errors import no_kept_bytes
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField, named_options
from tui.screens.dialogs.questions import Dialog, ask_until_taken
from tui.screens.messages import LibraryChanged
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

if TYPE_CHECKING:
    from tui.records.files import EncodingReading, ProfileFile
    from tui.records.jobs import Job
    from tui.screens.lists.record_list import RecordListScreen

_HINT = "what is left empty stays as it was · clips keep their text · enter reads, u undoes"
SIDE_BY_SIDE = 100
"""Minimum columns of a terminal in which the readings stand side by side."""
_WIDEST = 132
"""Maximum cells of the panel."""
_OTHER_LINES = 11
"""Lines of a terminal that are none of a reading's when three of them stand one below the other."""
ANOTHER = ""
"""The answer for an encoding that is none of those shown."""


async def reread_files(screen: RecordListScreen[Any], file_ids: Sequence[str]) -> None:
    """Ask how these are to be read until they can be, or the question is closed."""
    with screen.typed_kept():
        first = await screen.service.files.get(file_ids[0])

    async def reread(typed: Mapping[str, str]) -> bool:
        as_is = bool(typed["as_is"])
        jobs = await screen.service.files.reread(*file_ids, **named_options(typed), as_is=as_is)
        screen.table.clear_marks()
        if len(jobs) > 1:
            screen.say(f"reading {display.count_of(len(jobs), 'file')} again")
        screen.post_message(LibraryChanged("job", jobs=jobs))
        return True

    language = encoding = "as it was"
    title = f"Read {display.count_of(len(file_ids), 'file')} again"
    if len(file_ids) == 1:
        title = f'Read "{one_line(first.name)}" again'
        language = f"as it was: {first.language or 'unknown'}"
        encoding = f"as it was: {display.encoding_name(first.encoding or 'utf-8')}"
    fields = (PromptField("language", "Language", language), PromptField("encoding", "Encoding", encoding))
    box = PromptField("as_is", "as it stands in the file, uncleaned")
    await ask_until_taken(screen.app, partial(FieldsPrompt, title, fields, box=box, hint=_HINT), {}, reread)


async def reread_files_of(screen: RecordListScreen[Any], transcript_ids: Sequence[str]) -> None:
    """Read the files again that these transcripts came from; of those that have none any more, say so."""
    with screen.typed_kept():
        transcripts = [await screen.service.transcripts.get(each) for each in transcript_ids]
    if orphan := next((each for each in transcripts if each.file_id is None), None):
        screen.say_error(no_kept_bytes(orphan.title))
    if file_ids := list(dict.fromkeys(each.file_id for each in transcripts if each.file_id is not None)):
        await reread_files(screen, file_ids)


async def ask_encoding_of_job(
    screen: RecordListScreen[Any], job: Job, readings: Sequence[EncodingReading], *, can_name: bool
) -> bool:
    """Ask in which encoding a refused file is, and import it and its neighbours in that; True to name another one."""
    if answer := await _pick(screen, display.source_name(job.source), readings, can_name=can_name):
        jobs = await screen.service.jobs.retry_in(job.id, answer)
        screen.say(f"importing {display.count_of(len(jobs), 'file')} as {answer}")
        screen.post_message(LibraryChanged("job", jobs=jobs))
    return answer == ANOTHER


async def ask_encoding_of_file(screen: RecordListScreen[Any], file: ProfileFile) -> None:
    """Ask in which encoding a file is that was imported, and read it again in that."""
    with screen.typed_kept():
        readings = await screen.service.files.readings(file.id)
    if answer := await _pick(screen, file.name, readings, can_name=False):
        jobs = await screen.service.files.reread(file.id, encoding=answer, force=True)
        screen.post_message(LibraryChanged("job", jobs=jobs))


async def _pick(
    screen: RecordListScreen[Any], name: str, readings: Sequence[EncodingReading], *, can_name: bool
) -> str | None:
    if not readings:
        screen.say(f"{name} reads the same in every encoding")
        return ANOTHER if can_name else None
    question = f'How does "{name}" read right?'
    return await screen.app.push_screen_wait(EncodingDoctor(question, readings, can_name=can_name))


class EncodingDoctor(Dialog[str | None]):
    """Dialog whose answer is the name of an encoding, ``ANOTHER`` for one that is not shown, None after esc.

    ``question`` names the file; ``can_name`` offers to name another.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "dismiss(None)", show=False),
        Binding("left,up,h,k,shift+tab", "move(-1)", show=False),
        Binding("right,down,l,j,tab", "move(1)", show=False),
        Binding("enter", "pick(0)", show=False),
        *(Binding(str(number), f"pick({number})", show=False) for number in (1, 2, 3)),
        Binding("a", "another", show=False),
    ]

    def __init__(self, question: str, readings: Sequence[EncodingReading], *, can_name: bool = False) -> None:
        super().__init__()
        self._question = question
        self._readings = tuple(readings)
        self._can_name = can_name
        self._chosen = 0

    def compose(self) -> ComposeResult:
        count = len(self._readings)
        keys = ["enter picks" if count == 1 else f"1–{count} or enter picks"]
        if self._can_name:
            keys.append("a names another")
        with Vertical(classes="dialog-panel"):
            yield Static(Content(one_line(self._question)), classes="dialog-question")
            with Container(id="readings"):
                for _ in self._readings:
                    yield Static(classes="reading")
            yield Static(Content(" · ".join((*keys, "esc closes"))), classes="dialog-hint")

    def on_mount(self) -> None:
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        self._show()

    def _show(self) -> None:
        size = self.app.size
        is_stacked = size.width < SIDE_BY_SIDE
        self.query_one(".dialog-panel").styles.width = min(_WIDEST, size.width - 2)
        self.query_one("#readings").set_class(is_stacked, "-stacked")
        count = max(1, (size.height - _OTHER_LINES) // len(self._readings)) if is_stacked else None
        panels = self.query(".reading").results(Static)
        for number, (panel, reading) in enumerate(zip(panels, self._readings, strict=True)):
            panel.set_class(number == self._chosen, "-chosen")
            panel.update(_write_row(number + 1, reading, count))

    def action_move(self, step: int) -> None:
        self._chosen = (self._chosen + step) % len(self._readings)
        self._show()

    def action_pick(self, number: int) -> None:
        """Take the reading of this number, counted from 1; 0 is the one that is highlighted."""
        index = number - 1 if number else self._chosen
        if index < len(self._readings):
            self.dismiss(self._readings[index].encoding)

    def action_another(self) -> None:
        if self._can_name:
            self.dismiss(ANOTHER)


def _write_row(number: int, reading: EncodingReading, count: int | None) -> Content:
    language = display.language(reading.language)
    head = Content.styled(f"{number}  {one_line(reading.encoding)}", "bold")
    if language:
        head += Content.styled(f" · {language}", MUTED)
    return Content("\n").join([head, *(Content(one_line(line)) for line in reading.lines[:count])])
