"""Editor of one's own: a text field's text in the program that ``$VISUAL`` or ``$EDITOR`` names, and back."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported
from textual.widget import Widget
from textual.widgets import Input, TextArea

from tui.errors import InvalidInput
from tui.system import regular_file

_USUAL = ("nano", "vim", "vi")
_MAX_BYTES = 4_000_000
_NO_EDITOR = InvalidInput("there is no editor", hint="say which in $EDITOR, as in: export EDITOR=nano")


def is_text_field(widget: Widget | None) -> bool:
    """Whether a widget's text can be edited so."""
    return isinstance(widget, (Input, TextArea))


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """The command of the editor, as a shell would read it. Raises ``InvalidInput`` where there is none."""
    named = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        command = shlex.split(named)
    except ValueError as error:
        raise InvalidInput(f"$EDITOR cannot be read: {error}", hint="as in: export EDITOR='code --wait'") from error
    if command:
        return command
    found = next(filter(None, map(shutil.which, _USUAL)), None)
    if found is None:
        raise _NO_EDITOR
    return [found]


def edit_in_editor(app: App[Any], field: Widget) -> None:
    """Let the text of a field be edited; while that goes on the app waits. Raises ``InvalidInput``, all as it was.

    The file lies in a directory that only this user can read, and goes with it.
    """
    assert isinstance(field, (Input, TextArea))
    before = field.value if isinstance(field, Input) else field.text
    command = editor_command(os.environ)
    with tempfile.TemporaryDirectory(prefix="lode-") as folder:
        path = Path(folder) / "text.md"
        path.write_text(before + "\n", "utf-8")
        try:
            with app.suspend():
                status = subprocess.run([*command, str(path)], check=False).returncode
        except SuspendNotSupported as error:
            raise InvalidInput("no editor can be opened in this terminal") from error
        except OSError as error:
            raise InvalidInput(f"{command[0]} could not be started: {error.strerror or error}") from error
        if status:
            raise InvalidInput(f"{command[0]} ended with {status}: the text is as it was")
        try:
            after = regular_file.read(path, _MAX_BYTES).decode().removesuffix("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"what {command[0]} saved cannot be read: the text is as it was") from error
    if after != before:
        put_text(field, after)


def put_text(field: Widget, text: str) -> None:
    """Put a text in the place of a field's own, as if it had been typed: within its limits, and undone as that is."""
    if isinstance(field, Input):
        field.replace(text, 0, len(field.value))
    elif isinstance(field, TextArea):
        field.replace(text, (0, 0), field.document.end, maintain_selection_offset=False)
