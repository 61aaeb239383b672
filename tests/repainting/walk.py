"""A walk through the app in a terminal: after each step its screen shows what a repaint of all of it would show."""

from __future__ import annotations

import base64
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path

from pyte.screens import Char

from tests.bench.terminal import AnsweringProgram
from tests.emulator import UNTOUCHED, Cells, Emulator
from tests.repainting.steps import Step, steps
from tests.repainting.walked_app import BEGINS, DRAWN_ANEW, ENDS, PROCESS
from tests.waiting import HANGS

_QUIET = 0.03
"""Seconds without output after which a step is taken to be shown; what comes later is looked at with the next one."""
_REPEAT_SECONDS = 1 / 30
_NO_WRAP = b"\x1b[?7l"
"""As Textual has it: what does not fit into a line does not go on in the next one."""
APP = (sys.executable, "-m", "tests.repainting.walked_app")
_PATIENCE = 10.0
"""Seconds for what is under way."""
_REDRAWN_EVERY = 20
"""Steps after which all is drawn anew as well."""
_TOLD = 12
SIZE = 100, 30
_FIRST_SHOWN = "Der letzte Zug"


def take_steps(home: Path, count: int, seed: int, environ: Mapping[str, str]) -> None:
    """Take so many steps through the library of ``home``, and fail with the last ones where something differs."""
    taken: list[Step] = []
    with AnsweringProgram(APP, environ={"LODE_HOME": str(home), **environ}, size=SIZE) as program:
        walk = Walk(program, home, SIZE)
        for step in islice(steps(random.Random(seed)), count):
            taken.append(step)
            try:
                walk.take(step)
                if len(taken) % _REDRAWN_EVERY == 0:
                    walk.look_at_redraw()
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, step {len(taken)}, the last {taken[-_TOLD:]}\n{error}") from None


class Walk:
    """What ``program``, the app of ``home``, shows in a terminal of this size.

    It is shown on two screens: one that joins signs as new terminals and Textual do, and an old one.
    """

    def __init__(self, program: AnsweringProgram, home: Path, size: tuple[int, int]) -> None:
        self._program = program
        self._home = home
        self._size = size
        self._screens = [Emulator(*size, joins=joins) for joins in (True, False)]
        self.sent = 0
        """Bytes that were sent, without what the app says to the walk."""
        self._waiting = b""
        """Output that has not been shown yet: a message of the app's to the walk may have begun in it."""
        self._repaint: Cells | None = None
        """What Textual's own repaint of the whole screen shows."""
        self._before: list[Cells] = []
        """What the screens showed at the last message."""
        self._fresh: list[Emulator] = []
        """Screens that show nothing but what has been sent since all was to be drawn anew."""
        self.wait_until(lambda: _FIRST_SHOWN in self._screens[0].text())

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Show what comes until something holds."""
        deadline = time.monotonic() + HANGS
        while not holds():
            assert time.monotonic() < deadline, f"waited in vain:\n{self._screens[0].text()}"
            self._read(0.1)

    def take(self, step: Step) -> None:
        """Press keys, or take new sizes, and look."""
        if isinstance(step, str):
            self.press(step)
        elif step[-1] != self._size:  # Textual does not notice that a size has changed, and changed back
            for size in step:
                self.resize(*size)
        self.look()

    def press(self, keys: str) -> None:
        self._program.send(keys)
        self.rest()

    def hold(self, key: str, times: int) -> None:
        """Press a key again and again as fast as keyboards repeat it, whatever comes meanwhile."""
        for _ in range(times):
            due = time.monotonic() + _REPEAT_SECONDS
            self._program.send(key)
            while (left := due - time.monotonic()) > 0:
                self._read(left)

    def rest(self, quiet: float = _QUIET) -> None:
        """Show what comes, until nothing does."""
        while self._read(quiet):
            pass

    def resize(self, columns: int, rows: int) -> None:
        self._size = columns, rows
        for screen in self._screens:
            screen.resize_spoilt(columns, rows)
        self._program.resize(columns, rows)

    def look(self) -> None:
        """Fail where the screen shows something else than a repaint of all; what is under way may come first.

        The repaint is Textual's. Where that differs for good, Lode's own counts: Textual lets a mark at the beginning
        of a widget stand on what another one has drawn before it.
        """
        deadline = time.monotonic() + _PATIENCE
        while difference := self._difference():
            if time.monotonic() > deadline:
                self._redraw()
                assert self._before[0] == self._fresh[0].cells(), difference
                break
            self.rest()
        self._fresh = []

    def look_at_redraw(self) -> None:
        """Draw all anew, and fail where that does not send all, or shows something else than was there."""
        self.look()
        self._redraw()
        new, old = (screen.cells() for screen in self._fresh)
        assert new == self._screens[0].cells(), "what is drawn anew differs from what is there then"
        if self._before[0] == new:  # else something has changed meanwhile, which is looked at below
            assert self._before[1] == old, _differences(self._before[1], old)
        self.look()

    def _redraw(self) -> None:
        self._fresh = []
        self._signal(signal.SIGUSR2)
        self.wait_until(lambda: bool(self._fresh) and UNTOUCHED not in self._fresh[0].text())
        self.rest()

    def _difference(self) -> str:
        self._repaint = None
        self._signal(signal.SIGUSR1)
        self.wait_until(lambda: self._repaint is not None)
        assert self._repaint is not None
        return _differences(self._before[0], self._repaint)

    def _signal(self, number: int) -> None:
        os.kill(int((self._home / PROCESS).read_text()), number)

    def _read(self, timeout: float) -> bool:
        """Show what comes next; a repaint that is told of ends it, so that the screen is the one of that moment."""
        data = self._program.read(timeout)
        self._waiting += data
        while self._waiting and self._show_next():
            pass
        return bool(data)

    def _show_next(self) -> bool:
        """Show what waits up to the next message, and take that; False where the rest of it is still to come."""
        shown, begins, rest = self._waiting.partition(b"\x1b]")
        if not begins and shown.endswith(b"\x1b"):
            shown, rest = shown[:-1], b"\x1b"
        for screen in (*self._screens, *self._fresh):
            screen.feed(shown)
        self.sent += len(shown)
        self._waiting = begins + rest
        message, ends, after = rest.partition(ENDS)
        if not begins or not ends:
            return False
        self._take(begins + message + ends)
        self._waiting = after
        return True

    def _take(self, message: bytes) -> None:
        if message.startswith(BEGINS):
            self._repaint = _repainted(base64.b64decode(message[len(BEGINS) : -len(ENDS)]), self._size[0])
            self._before = [screen.cells() for screen in self._screens]
        elif message == DRAWN_ANEW:
            self._before = [screen.cells() for screen in self._screens]
            self._fresh = [self._new_screen(), self._new_screen(joins=False)]

    def _new_screen(self, *, joins: bool = True) -> Emulator:
        screen = Emulator(*self._size, joins=joins)
        screen.feed(_NO_WRAP)
        return screen


def _repainted(repaint: bytes, columns: int) -> Cells:
    """Cells of a repaint of Textual's, line by line."""
    return tuple(_line_cells(line, columns) for line in repaint.split(b"\n"))


@lru_cache(maxsize=4096)
def _line_cells(line: bytes, columns: int) -> tuple[Char, ...]:
    """Cells of one line; most are the same at the next step."""
    screen = Emulator(columns, 1)
    screen.feed(_NO_WRAP + line)
    return screen.cells()[0]


def _differences(shown: Cells, repainted: Cells) -> str:
    """The lines that differ, and the first cell in each; "" where none does."""
    if shown == repainted:
        return ""
    if len(shown) != len(repainted):
        return f"{len(repainted)} lines are drawn of {len(shown)}"
    found: list[str] = []
    for number, (line, wanted) in enumerate(zip(shown, repainted, strict=True)):
        if line != wanted:
            at = next(at for at, (cell, other) in enumerate(zip(line, wanted, strict=True)) if cell != other)
            texts = ("".join(cell.data for cell in cells) for cells in (line, wanted))
            found.append(f"line {number}, column {at}: {line[at]}\n  is not {wanted[at]}\n  " + "\n  ".join(texts))
    return "\n".join(found)
