"""Dialog to add files: paths, and language and encoding where these have to be given."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from tui.errors import InvalidInput, LodeError, in_one_line
from tui.event_loop import in_daemon_thread
from tui.records import Job
from tui.screens.dialogs.questions import TextPrompt
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import LibraryChanged
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.forms.path_completion import Completion, complete, split_paths
from tui.widgets.forms.path_matches import PathMatches
from tui.widgets.forms.text_fields import LineField

_SILENT_SECONDS = 1.0
_FORCED = "!"
"""Suffix of an encoding that is to be used in any case, as with ``--force`` on the command line."""
_HINT = "tab completes, behind a path it goes on · several paths, quotes, * and ~ as in a shell · enter takes them"


@dataclass(frozen=True, slots=True)
class FilesToAdd:
    """Input of the dialog: paths in one line, a language and an encoding, "" for those that are found out."""

    paths: str = ""
    language: str = ""
    encoding: str = ""


class AddPrompt(TextPrompt):
    """Dialog for paths and, in further fields, the language and the encoding; ``typed`` has them all once taken.

    Paths stand in one line as in a shell: ``~``, quotes, wildcards, several apart by spaces. Tab completes a path,
    goes through the matches that are listed below and, where there is nothing to complete, on to the next field.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,down", "complete(1)", show=False, priority=True),
        Binding("shift+tab,up", "complete(-1)", show=False, priority=True),
    ]

    def __init__(self, typed: FilesToAdd, *, error: str = "") -> None:
        super().__init__("Add subtitles or texts", value=typed.paths, hint=_HINT, error=error)
        self.typed = typed
        self._completion: Completion | None = None
        self._chosen = -1
        self._written = ""
        self._looking: asyncio.Future[Completion] | None = None

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

    def on_mount(self) -> None:
        super().on_mount()
        self.list_matches()

    @property
    def path_field(self) -> Input:
        return self.query(Input).first()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        if event.input is self.path_field and event.value != self._written:
            self._chosen = -1
            self.list_matches()

    @work(exclusive=True, group="paths", exit_on_error=False)
    async def list_matches(self) -> None:
        """Read the completions of the word, in a thread; a newer key makes an older answer void."""
        field = self.path_field
        self._completion = None
        self._completion = await self._completed(field)
        self.query_one(PathMatches).show(self._completion.matches)

    def action_complete(self, step: int) -> None:
        if self.focused is self.path_field:
            self.complete_path(step)
        else:
            self._next_field(step)

    def _next_field(self, step: int) -> None:
        fields = list(self.query(Input))
        at = fields.index(self.focused) if isinstance(self.focused, Input) else 0
        fields[(at + step) % len(fields)].focus()

    @work(exclusive=True, group="tab", exit_on_error=False)
    async def complete_path(self, step: int) -> None:
        """Write the prefix that all matches share; when that adds nothing, go through them one by one."""
        field = self.path_field
        found = self._completion
        if self._chosen < 0 or found is None:
            found = self._completion = await self._completed(field)
            self.query_one(PathMatches).show(found.matches)
        is_behind_path = not found.typed and not found.quote and field.value[: found.start].strip()
        if found.is_glob or not found.matches or (self._chosen < 0 and is_behind_path):
            self._next_field(step)
            return
        if self._chosen < 0 and (len(found.matches) == 1 or len(found.common) > len(found.typed)):
            whole = len(found.matches) == 1
            self._write(found, found.matches[0].path if whole else found.common, whole=whole)
            self.list_matches()
            return
        first = 0 if step > 0 else len(found.matches) - 1
        self._chosen = first if self._chosen < 0 else (self._chosen + step) % len(found.matches)
        written = self._write(found, found.matches[self._chosen].path, whole=False)
        self._completion = Completion(found.start, found.start + written, found.typed, found.quote, found.matches)
        self.query_one(PathMatches).show(found.matches, self._chosen)

    async def _completed(self, field: Input) -> Completion:
        """Completion of the word. One thread at a time looks: a folder on a dead network holds it for ever."""
        while self._looking is not None and not self._looking.done():
            await asyncio.wait((self._looking,))
        looked_up = partial(complete, field.value, field.cursor_position)
        self._looking = in_daemon_thread(looked_up, name="path completion")
        return await asyncio.shield(self._looking)

    def _write(self, found: Completion, path: str, *, whole: bool) -> int:
        field = self.path_field
        text = found.written(path, whole=whole)
        self._written = field.value[: found.start] + text + field.value[found.end :]
        field.value = self._written
        field.cursor_position = found.start + len(text)
        return len(text)

    def accept(self, line: str) -> None:
        from tui.importing.encoding.decode import text_codec
        from tui.language.tags import normalise

        language, encoding = (self.query_one(f"#add-{name}", Input) for name in ("language", "encoding"))
        self.typed = FilesToAdd(line, language.value.strip(), encoding.value.strip())
        if self.typed.language and normalise(self.typed.language) is None:
            self.refuse(f"{self.typed.language[:40]!r} is no language tag: use one such as de, pt-BR or zh-Hans")
            language.focus()
        elif (named := self.typed.encoding.removesuffix(_FORCED)) and text_codec(named) is None:
            self.refuse(f"there is no encoding {named[:40]!r}: use one such as windows-1251 or cp932")
            encoding.focus()
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
            language=typed.language or None,
            encoding=typed.encoding.removesuffix(_FORCED) or None,
            force=typed.encoding.endswith(_FORCED),
        )
    )
    try:
        if not (await asyncio.wait((adding,), timeout=_SILENT_SECONDS))[0]:
            screen.say(f"looking for the files of {' '.join(paths)} …")
        return await adding
    finally:
        adding.cancel()
