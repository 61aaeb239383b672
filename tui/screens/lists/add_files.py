"""Dialog to add files: paths, and language and encoding where these have to be given."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from tui.errors import InvalidInput, LodeError, in_one_line
from tui.records.jobs import Job
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.screens.dialogs.reading_options import named_options, reading_refusal
from tui.screens.lists.pasted_text import PastedText, PathField, read_pasted
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import LibraryChanged
from tui.system.event_loop import in_daemon_thread
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.forms.path_completion import Completion, complete, split_paths
from tui.widgets.forms.path_matches import PathMatches
from tui.widgets.forms.text_fields import LineField

_SILENT_SECONDS = 1.0
_MAX_PATHS = 20_000
"""Characters of all paths: a few hundred files that are dropped onto the terminal."""
_HINT = "tab completes, behind a path it goes on · several paths, quotes, * and ~ as in a shell · enter takes them"
_OTHERS = "or paste a text, or an address (https://…)"


@dataclass(frozen=True, slots=True)
class FilesToAdd:
    """Input of the dialog: paths in one line, a language and an encoding, "" for those that are found out.

    ``pasted`` is a text in the place of paths, which ``title`` is the title of then.
    """

    paths: str = ""
    language: str = ""
    encoding: str = ""
    pasted: PastedText | None = None
    title: str = ""


class AddPrompt(PathPrompt):
    """Dialog for paths and, in further fields, the language and the encoding; ``typed`` has them all once taken.

    Paths stand in one line as in a shell: ``~``, quotes, wildcards, several apart by spaces. Tab completes a path,
    goes through the matches that are listed below and, where there is nothing to complete, on to the next field. A text
    that is pasted, and no path, is what is added: the line is for its title then.
    """

    def __init__(self, typed: FilesToAdd, *, error: str = "") -> None:
        value = typed.paths if typed.pasted is None else typed.title
        super().__init__("Add subtitles or texts", value=value, hint=f"{_HINT} · {_OTHERS}", error=error)
        self.typed = typed
        self._pasted = typed.pasted

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield Static(Content(self._title), classes="dialog-question")
            yield PathField(self._value, limit=_MAX_PATHS, classes="dialog-field")
            with Horizontal(classes="dialog-options"):
                yield Static(Content("language"))
                yield LineField(one_line(self.typed.language), placeholder="by name or text", id="add-language")
                yield Static(Content("encoding"))
                yield LineField(one_line(self.typed.encoding), placeholder="found out", id="add-encoding")
            yield Static(Content(self._error or self._hint), classes="dialog-hint")
            yield PathMatches(classes="dialog-matches")

    def on_mount(self) -> None:
        super().on_mount()
        if self._pasted is not None:
            self._show_pasted(self._pasted)

    def look_up(self, line: str, cursor: int) -> Completion:
        if self._pasted is not None:
            return Completion(cursor, cursor, "", "", ())
        return complete(line, cursor)

    @on(PathField.TextPasted)
    def _text_pasted(self, event: PathField.TextPasted) -> None:
        self._take_text(event.text)

    @work(exclusive=True, group="pasted", exit_on_error=False)
    async def _take_text(self, text: str) -> None:
        """Add the text unless it is the name of a file that is there; its format and title are told in a thread."""
        pasted = await in_daemon_thread(lambda: read_pasted(text), name="pasted text")
        if pasted is None:
            self.path_field.insert_text_at_cursor(shlex.quote(text.strip()))
            return
        self._pasted = pasted
        self.path_field.value = pasted.title
        self.path_field.cursor_position = len(pasted.title)
        self._show_pasted(pasted)

    def _show_pasted(self, pasted: PastedText) -> None:
        """Say what enter will do."""
        self.query_one(".dialog-question", Static).update(Content("Add the pasted text · its title:"))
        self._hint = (
            f"{display.count_of(pasted.lines, 'line')}, {display.size(pasted.size)}, {pasted.what}"
            " · enter imports it under this title · esc drops it"
        )
        if not self._error:
            self.refuse("")
        self.query_one(PathMatches).display = False

    def accept(self, line: str) -> None:
        language, encoding = (self.query_one(f"#add-{name}", Input) for name in ("language", "encoding"))
        paths = line if self._pasted is None else self.typed.paths
        title = "" if self._pasted is None else line
        self.typed = FilesToAdd(paths, language.value.strip(), encoding.value.strip(), self._pasted, title)
        if (refusal := reading_refusal(self.typed.language, self.typed.encoding)) is not None:
            name, message = refusal
            self.refuse(message)
            (language if name == "language" else encoding).focus()
        elif self._pasted is not None:
            self.dismiss(line)
        else:
            try:
                split_paths(line)
            except InvalidInput as error:
                self.refuse(in_one_line(error))
            else:
                self.dismiss(line)


async def add_files(screen: RecordListScreen[Any], typed: FilesToAdd) -> None:
    """Ask for paths until they can be taken or the question is closed; what was typed stays."""
    refusal = ""
    while True:
        prompt = AddPrompt(typed, error=refusal)
        if await screen.app.push_screen_wait(prompt) is None:
            return
        typed = prompt.typed
        try:
            jobs = await _queued(screen, typed)
        except LodeError as error:
            refusal = in_one_line(error)
            # Over a network some of them may have been sent, and be imported by now.
            screen.post_message(LibraryChanged("job", "file", "transcript"))
            continue
        notify_queued(screen, jobs)
        return


def notify_queued(screen: RecordListScreen[Any], jobs: Sequence[Job]) -> None:
    if len(jobs) > 1:
        screen.say(f"importing {display.count_of(len(jobs), 'file')}")
    screen.post_message(LibraryChanged("job", jobs=jobs))


async def _queued(screen: RecordListScreen[Any], typed: FilesToAdd) -> Sequence[Job]:
    """Queue the imports; a toast tells of one that takes longer, a pattern over a whole disk say."""
    if (pasted := typed.pasted) is not None:
        name, content = pasted.name(typed.title), pasted.text.encode()
        return await screen.service.files.add_content(name, content, language=typed.language or None, encoding="utf-8")
    paths = split_paths(typed.paths)
    adding = asyncio.ensure_future(
        screen.service.files.add(
            paths,
            **named_options({"language": typed.language, "encoding": typed.encoding}),
        )
    )
    try:
        if not (await asyncio.wait((adding,), timeout=_SILENT_SECONDS))[0]:
            screen.say(f"looking for {' '.join(paths)} …")
        return await adding
    finally:
        adding.cancel()
