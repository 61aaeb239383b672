"""A program in a real pseudo-terminal: when it shows what, how long a key takes, what it costs and writes.

The terminal answers nothing (no device reports), as a dumb but wide one would, 120×40.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

_CHUNK = 1 << 16
SIZE = 120, 40
"""Columns and rows."""
_QUIET = 0.03
"""Seconds without output after which a burst is over."""


class TooSlow(Exception):
    """The program did not show what it should in time; the message holds the end of what it wrote."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a program used in all: CPU seconds (user and system), and bytes written to its terminal."""

    cpu_seconds: float
    output_bytes: int


class Program:
    """Runs a command (its program first, with its path); a context manager that ends what still runs at its end."""

    def __init__(
        self, command: Sequence[str], *, environ: Mapping[str, str] | None = None, size: tuple[int, int] = SIZE
    ) -> None:
        self.output = bytearray()
        self.started = time.monotonic()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:  # the child: nothing but exec
            settings = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
            for name in ("NO_COLOR", "COLUMNS", "LINES"):  # the last two some programs believe rather than the terminal
                settings.pop(name, None)
            settings.update(environ or {})
            # The size stands before the program asks for it: it waits for the parent's word.
            os.read(0, 1)
            os.execve(command[0], list(command), settings)
        self.resize(*size)
        self._cost: Cost | None = None
        os.write(self._fd, b"\n")
        self.started = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._cost is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size, of which the kernel tells the program."""
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def read(self, timeout: float) -> bytes:
        """The next bytes of output; empty when none came in time or the program ended."""
        if not select.select([self._fd], [], [], timeout)[0]:
            return b""
        try:
            data = os.read(self._fd, _CHUNK)
        except OSError:  # Linux says EIO when the other side is closed
            return b""
        self.output += data
        return data

    def until(self, text: str, timeout: float = 30.0) -> float:
        """Seconds from the start until the output holds ``text`` (in the raw bytes: keep it in one style)."""
        wanted = text.encode()
        deadline = time.monotonic() + timeout
        looked = 0
        while self.output.find(wanted, looked) < 0:
            looked = max(0, len(self.output) - len(wanted))
            if not self.read(0.05) and time.monotonic() > deadline:
                raise TooSlow(f"no {text!r} after {timeout:.0f} s: …{bytes(self.output[-300:])!r}")
        return time.monotonic() - self.started

    def settle(self, quiet: float = 0.3, timeout: float = 10.0) -> None:
        """Read until nothing came for ``quiet`` seconds."""
        deadline = time.monotonic() + timeout
        while self.read(quiet) and time.monotonic() < deadline:
            pass

    def key(self, keys: str, timeout: float = 5.0) -> float:
        """Press and give the seconds until the burst of output that answers it ended."""
        pressed = time.monotonic()
        self.send(keys)
        if not self.read(timeout):
            raise TooSlow(f"no answer to {keys!r}")
        last = time.monotonic()
        while self.read(_QUIET):
            last = time.monotonic()
        return last - pressed

    def finish(self, timeout: float) -> Cost:
        """Read what the program still writes until it ends, and give what it cost."""
        deadline = time.monotonic() + timeout
        while True:
            self.read(0.05)
            pid, _, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                raise TooSlow("the program does not end")
        while self.read(0.0):
            pass
        self._cost = Cost(usage.ru_utime + usage.ru_stime, len(self.output))
        return self._cost


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that at least ``part`` (0 to 1) of the values do not pass."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * int(part * 1000) // 1000) - 1)]


_REPLIES = {
    b"\x1b[5n": b"\x1b[0n",  # device status: all that was sent before it has come
    b"\x1b[6n": b"\x1b[1;1R",  # the cursor's position
    b"\x1b[c": b"\x1b[?62;22c",  # what it is: a VT220 with colours
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",  # it knows synchronised output
}
_QUERY = re.compile(rb"\x1b\[(?:5n|6n|c|\?2026\$p)")
_BEGUN = re.compile(rb"\x1b(?:\[[?0-9$]{0,7})?\Z")


class Replies:
    """What a terminal of today answers to what it is asked, wherever the output was cut in two."""

    def __init__(self) -> None:
        self._begun = b""

    def to(self, output: bytes) -> bytes:
        data = self._begun + output
        begun = _BEGUN.search(data)
        self._begun = begun[0] if begun else b""
        return b"".join(_REPLIES[query] for query in _QUERY.findall(data))


class AnsweringProgram(Program):
    """A program in a terminal that answers: it marks its frames, and may ask whether they have come."""

    def __init__(
        self, command: Sequence[str], *, environ: Mapping[str, str] | None = None, size: tuple[int, int] = SIZE
    ) -> None:
        super().__init__(command, environ=environ, size=size)
        self._replies = Replies()

    def read(self, timeout: float) -> bytes:
        data = super().read(timeout)
        if replies := self._replies.to(data):
            os.write(self._fd, replies)
        return data
