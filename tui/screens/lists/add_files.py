"""Dialog to add files: paths, and language and encoding where these have to be given."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from tui.errors import InvalidInput, LodeError, in_one_line
from tui.records import Job
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.screens.dialogs.reading_options import named_options, reading_refusal
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import LibraryChanged
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.forms.path_completion import Completion, complete, split_paths
from tui.widgets.forms.path_matches import PathMatches
from tui.widgets.forms.text_fields import LineField

_SILENT_SECONDS = 1.0
_HINT = "tab completes, behind a path it goes on · several paths, quotes, * and ~ as in a shell · enter takes them"


@dataclass(frozen=True, slots=True)
class FilesToAdd:
    """Input of the dialog: paths in one line, a language and an encoding, "" for those that are found out."""

    paths: str = ""
    language: str = ""
    encoding: str = ""


class AddPrompt(PathPrompt):
    """Dialog for paths and, in further fields, the language and the encoding; ``typed`` has them all once taken.

    Paths stand in one line as in a shell: ``~``, quotes, wildcards, several apart by spaces. Tab completes a path,
    goes through the matches that are listed below and, where there is nothing to complete, on to the next field.
    """

    def __init__(self, typed: FilesToAdd, *, error: str = "") -> None:
        super().__init__("Add subtitles or texts", value=typed.paths, hint=_HINT, error=error)
        self.typed = typed

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield Static(Content(self._title), classes="dialog-question")
            yield LineField(self._value, classes="dialog-field")
            with Horizontal(classes="dialog-options"):
                yield Static(Content("language"))
                yield LineField(one_line(self.typed.language), placeholder="by name or text", id="add-language")
                yield Static(Content("encoding"))
                yield LineField(one_line(self.typed.encoding), placeholder="found out", id="add-encoding")
            yield Static(Content(self._error or self._hint), classes="dialog-hint")
            yield PathMatches(classes="dialog-matches")

    def look_up(self, line: str, cursor: int) -> Completion:
        return complete(line, cursor)

    def accept(self, line: str) -> None:
        language, encoding = (self.query_one(f"#add-{name}", Input) for name in ("language", "encoding"))
        self.typed = FilesToAdd(line, language.value.strip(), encoding.value.strip())
        if (refusal := reading_refusal(self.typed.language, self.typed.encoding)) is not None:
            name, message = refusal
            self.refuse(message)
            (language if name == "language" else encoding).focus()
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
    paths = split_paths(typed.paths)
    adding = asyncio.ensure_future(
        screen.service.files.add(
            paths,
            **named_options({"language": typed.language, "encoding": typed.encoding}),
        )
    )
    try:
        if not (await asyncio.wait((adding,), timeout=_SILENT_SECONDS))[0]:
            screen.say(f"looking for the files of {' '.join(paths)} …")
        return await adding
    finally:
        adding.cancel()
