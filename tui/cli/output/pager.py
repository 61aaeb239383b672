"""Pager of a terminal: what is longer than the screen goes through it, as it comes.

It is that of ``PAGER``, else ``less`` or ``more``. ``LESS`` is the user's own; unset it is what git gives it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress

from tui.cli.signals import held_for_start, left_to_child

_LESS = "FRX"
"""Options of ``less``: what fits ends it, styles pass, and what was read stays on the screen."""
_USUAL = ("less", "more")


def find_pager(environ: Mapping[str, str]) -> str:
    """The command line of the pager as a shell takes it; "" where there is none, or none is wanted."""
    given = environ.get("PAGER")
    if environ.get("TERM") == "dumb" or (given is not None and given.strip() in ("", "cat")):
        return ""
    return next((line for line in (given, *_USUAL) if line and _is_there(line)), "")


def _is_there(line: str) -> bool:
    """Whether its program is; what more a shell would understand is taken as it is."""
    try:
        words = shlex.split(line)
    except ValueError:
        return False
    return bool(words) and ("=" in words[0] or shutil.which(os.path.expanduser(words[0])) is not None)  # noqa: PTH111


class Pager:
    """Text of a command on a terminal: held back until it is longer than the screen, then handed to the pager.

    What fits is written when it is closed. ``write`` raises ``BrokenPipeError`` once the reader has left the pager.
    """

    def __init__(self, command: str, lines: int) -> None:
        self._command = command
        self._room = lines - 1  # the shell's prompt comes below
        self._held: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._stack = ExitStack()

    @property
    def has_begun(self) -> bool:
        return self._process is not None

    def write(self, text: str) -> None:
        if self._process is not None:
            self._send(self._process, text)
            return
        self._held.append(text)
        self._room -= text.count("\n")
        if self._room < 0:
            self._begin()

    def _begin(self) -> None:
        sys.stdout.flush()
        self._stack.enter_context(left_to_child())
        environ = {"LESS": _LESS, "LV": "-c", **os.environ}
        if "r" not in environ["LESS"].casefold():
            environ["LESS"] += " -R"  # a guide has styles
        # By a shell, as git and man do it: PAGER may have arguments and quotation marks.
        with held_for_start():
            self._process = subprocess.Popen(self._command, shell=True, stdin=subprocess.PIPE, env=environ)
        held, self._held = "".join(self._held), []
        self._send(self._process, held)

    def _send(self, process: subprocess.Popen[bytes], text: str) -> None:
        assert process.stdin is not None
        process.stdin.write(text.encode(getattr(sys.stdout, "encoding", None) or "utf-8", "backslashreplace"))
        process.stdin.flush()

    def end(self) -> None:
        """End the pager, whatever its reader does."""
        if self._process is not None:
            self._process.terminate()

    def close(self) -> None:
        """Write what was held back, or wait until the reader leaves the pager."""
        if self._process is None:
            sys.stdout.write("".join(self._held))
            return
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._process.wait()
        self._stack.close()
