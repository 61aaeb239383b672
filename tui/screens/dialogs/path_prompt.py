"""Dialog for a path, which tab completes."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tui.errors import InvalidInput, LodeError, in_one_line
from tui.screens.dialogs.questions import TextPrompt
from tui.system.event_loop import in_daemon_thread
from tui.widgets.forms.path_completion import Completion, PathMatches, complete, complete_path, split_paths
from tui.widgets.forms.text_fields import MAX_PATH


class PathPrompt(TextPrompt):
    """Dialog for one path, which is the whole line as it stands: no quotes, no wildcards.

    Tab completes it, goes through the matches that are listed below and, where there is nothing to complete, on to the
    next field of a dialog that has more.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,down", "complete(1)", show=False, priority=True),
        Binding("shift+tab,up", "complete(-1)", show=False, priority=True),
    ]

    LIMIT = MAX_PATH

    def __init__(self, title: str, *, value: str = "", hint: str = "", error: LodeError | None = None) -> None:
        super().__init__(title, value=value, hint=hint, error=error)
        self._completion: Completion | None = None
        self._chosen = -1
        self._written = ""
        self._looking: asyncio.Future[Completion] | None = None

    def compose_below(self) -> ComposeResult:
        yield PathMatches(classes="dialog-matches")

    def on_mount(self) -> None:
        super().on_mount()
        self.list_matches()

    def look_up(self, line: str, cursor: int) -> Completion:
        """Complete what stands before the cursor; this reads directories, in a thread."""
        return complete_path(line, cursor)

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
        self._completion = replace(found, end=found.start + written)
        self.query_one(PathMatches).show(found.matches, self._chosen)

    async def _completed(self, field: Input) -> Completion:
        """Completion of the word. One thread at a time looks: a folder on a dead network holds it for ever."""
        while self._looking is not None and not self._looking.done():
            await asyncio.wait((self._looking,))
        looked_up = partial(self.look_up, field.value, field.cursor_position)
        self._looking = in_daemon_thread(looked_up, name="path completion")
        return await asyncio.shield(self._looking)

    def _write(self, found: Completion, path: str, *, whole: bool) -> int:
        field = self.path_field
        text = found.quote_path(path, whole=whole)
        self._written = field.value[: found.start] + text + field.value[found.end :]
        field.value = self._written
        field.cursor_position = found.start + len(text)
        return len(text)


class PathsPrompt(PathPrompt):
    """Dialog for paths in one line, as in a shell: ``~``, quotes, wildcards, several apart by spaces."""

    def look_up(self, line: str, cursor: int) -> Completion:
        return complete(line, cursor)

    def accept(self, line: str) -> None:
        try:
            split_paths(line)
        except InvalidInput as error:
            self.refuse(in_one_line(error))
        else:
            self.dismiss(line)
