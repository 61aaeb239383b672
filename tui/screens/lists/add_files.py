"""Dialog to add files, or a text that is pasted: paths, and language and encoding where these have to be given."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from tui.errors import InvalidInput, LodeError, in_one_line
from tui.screens.dialogs.fields_prompt import named_options
from tui.screens.dialogs.path_prompt import PathsPrompt
from tui.screens.messages import LibraryChanged
from tui.system.event_loop import in_daemon_thread
from tui.text import display
from tui.text.sanitize import one_line, without_controls
from tui.widgets.forms.path_completion import Completion, PathMatches, split_paths
from tui.widgets.forms.text_fields import LineField

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.screens.lists.record_list import RecordListScreen

_BEGINNINGS = ("/", "~", "./", "../", "'/", '"/', "'~", "file:", "http://", "https://")
"""What a path or an address begins with that is more than a name."""
_UNNAMED = "pasted text"

_SILENT_SECONDS = 1.0
_MAX_PATHS = 20_000
"""Characters of all paths: a few hundred files that are dropped onto the terminal."""
_HINT = "tab completes, behind a path it goes on · several paths, quotes, * and ~ as in a shell · enter takes them"
_OTHERS = "or paste a text, or an address (https://…)"


@dataclass(frozen=True, slots=True)
class PastedText:
    """A text to import; ``what`` says of what format it is, ``ending`` is that of its name."""

    text: str
    title: str
    what: str
    ending: str

    def name(self, title: str) -> str:
        """The name of its file under this title, which may have a language before its end: "Der Zug.de"."""
        return f"{title.replace('/', ' ').strip() or _UNNAMED}{self.ending}"


class PathField(LineField):
    """Field for paths; a text that is pasted and is no path is told as ``TextPasted`` and not written into it."""

    @dataclass
    class TextPasted(Message):
        text: str

    def on_paste(self, event: events.Paste) -> None:
        text = without_controls(event.text).strip("\n")
        paths = pasted_paths(text)
        may_be_one_path = paths == text and len(text.split()) > 1
        if may_be_one_path or (paths is None and not self.value.strip()):
            event.prevent_default()
            event.stop()
            self.post_message(self.TextPasted(text))
        elif paths is not None and "\n" in text:
            event.prevent_default()
            event.stop()
            self.insert_text_at_cursor(paths)


def pasted_paths(text: str) -> str | None:
    """The line of paths that a pasted text is, as file managers copy them one below the other; None for any other.

    A single word may be a name, and is one.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        is_word = len(text.split()) < 2 and text.isascii()
        return text if not lines or is_word or lines[0].startswith(_BEGINNINGS) else None
    if not all(line.startswith(_BEGINNINGS) for line in lines):
        return None
    return " ".join(shlex.quote(_path(line)) for line in lines)


def _path(line: str) -> str:
    return unquote(urlsplit(line).path) if line.startswith("file:") else line.strip("'\"")


def read_pasted(text: str) -> PastedText | None:
    """Read what a pasted text is, None where it is the name of a file that is there. Blocks."""
    from tui.importing.formats import find_format, name_content

    with suppress(OSError, ValueError, RuntimeError):  # it is too long, or otherwise no name
        if "\n" not in text and Path(text.strip()).expanduser().exists():
            return None
    form = find_format(text.lstrip("\n"), "")
    what = "a text" if form.kind == "text" else f"a subtitle ({form.name})"
    named = PurePath(name_content(text.encode(), _UNNAMED))
    return PastedText(text, named.stem if named.suffix == form.ending else str(named), what, form.ending)


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


class AddPrompt(PathsPrompt):
    """Dialog for paths and, in further fields, the language and the encoding; ``typed`` has them all once taken.

    Tab goes on to the next field where there is nothing to complete. A text that is pasted, and no path, is what is
    added: the line is for its title then.
    """

    def __init__(self, typed: FilesToAdd, *, error: LodeError | None = None) -> None:
        value = typed.paths if typed.pasted is None else typed.title
        super().__init__("Add subtitles or texts", value=value, hint=f"{_HINT} · {_OTHERS}", error=error)
        self.typed = typed
        self._pasted = typed.pasted

    def compose_fields(self) -> ComposeResult:
        yield PathField(self._value, limit=_MAX_PATHS, classes="dialog-field")
        with Horizontal(classes="dialog-options"):
            yield Static(Content("language"))
            yield LineField(one_line(self.typed.language), placeholder="found out", id="add-language")
            yield Static(Content("encoding"))
            yield LineField(one_line(self.typed.encoding), placeholder="found out", id="add-encoding")

    def on_mount(self) -> None:
        super().on_mount()
        if self._pasted is not None:
            self._show_pasted(self._pasted)

    def look_up(self, line: str, cursor: int) -> Completion:
        return super().look_up(line, cursor) if self._pasted is None else Completion(cursor, cursor, "", "", ())

    @on(PathField.TextPasted)
    def _text_pasted(self, event: PathField.TextPasted) -> None:
        self._take_text(event.text)

    @work(exclusive=True, group="pasted", exit_on_error=False)
    async def _take_text(self, text: str) -> None:
        """Add the text unless it names files, or is the name of one that is there, which may have spaces.

        Its format and title are told in a thread.
        """
        pasted = await in_daemon_thread(lambda: read_pasted(text), name="pasted text")
        if pasted is None or pasted_paths(text) is not None:
            self.path_field.insert_text_at_cursor(text if pasted else shlex.quote(text.strip()))
            return
        self._pasted = pasted
        self.path_field.value = pasted.title
        self.path_field.cursor_position = len(pasted.title)
        self._show_pasted(pasted)

    def _show_pasted(self, pasted: PastedText) -> None:
        """Say what enter will do."""
        self.query_one(".dialog-question", Static).update(Content("Add the pasted text · its title:"))
        lines, size = pasted.text.count("\n") + 1, len(pasted.text.encode())
        what = f"{display.count_of(lines, 'line')}, {display.size(size)}, {pasted.what}"
        self._hint = f"{what} · enter imports it under this title · esc drops it"
        if not self._error:
            self.refuse("")
        self.query_one(PathMatches).display = False

    def accept(self, line: str) -> None:
        language, encoding = (self.query_one(f"#add-{name}", Input).value.strip() for name in ("language", "encoding"))
        paths, title = (line, "") if self._pasted is None else (self.typed.paths, line)
        self.typed = FilesToAdd(paths, language, encoding, self._pasted, title)
        try:
            named_options({"language": language, "encoding": encoding})
        except InvalidInput as error:
            self.refuse(in_one_line(error))
            self.query_one(f"#add-{error.field}").focus()
            return
        if self._pasted is not None:
            self.dismiss(line)
        else:
            super().accept(line)


async def add_files(screen: RecordListScreen[Any], typed: FilesToAdd) -> None:
    """Ask for paths until they can be taken or the question is closed; what was typed stays."""
    prompt = AddPrompt(typed)
    while await screen.app.push_screen_wait(prompt) is not None:
        try:
            notify_queued(screen, await _queue(screen, prompt.typed))
        except LodeError as error:
            paths = split_paths(prompt.typed.paths)
            if error.code == "no_subtitles" and len(paths) == 1:  # a recording: it can be heard
                from tui.screens.transcribe import transcribe_file

                await transcribe_file(screen, paths[0])
                return
            prompt = AddPrompt(prompt.typed, error=error)
            # Over a network some of them may have been sent, and be imported by now.
            screen.post_message(LibraryChanged("job", "file", "transcript"))
        else:
            return


def notify_queued(screen: RecordListScreen[Any], jobs: Sequence[Job]) -> None:
    if len(jobs) > 1:
        screen.say(f"importing {display.count_of(len(jobs), 'file')}")
    screen.post_message(LibraryChanged("job", jobs=jobs))


async def _queue(screen: RecordListScreen[Any], typed: FilesToAdd) -> Sequence[Job]:
    """Queue the imports; a toast tells of one that takes longer, a pattern over a whole disk say."""
    if (pasted := typed.pasted) is not None:
        name, content = pasted.name(typed.title), pasted.text.encode()
        return await screen.service.files.add_content(name, content, language=typed.language or None, encoding="utf-8")
    paths = split_paths(typed.paths)
    options = named_options({"language": typed.language, "encoding": typed.encoding})
    telling = asyncio.get_running_loop().call_later(_SILENT_SECONDS, screen.say, f"looking for {' '.join(paths)} …")
    try:
        return await screen.service.files.add(paths, **options)
    finally:
        telling.cancel()
