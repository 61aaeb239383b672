"""Painting between Textual's compositor and its driver: the cells that differ are sent, no more than the line takes.

Textual itself sends every strip of a widget that has changed.
"""

import inspect
import sys
from collections.abc import Iterable, Iterator
from threading import Event
from time import monotonic
from typing import Any

from rich.console import COLOR_SYSTEMS
from rich.segment import Segment
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App
from textual.geometry import Offset, Size

from tui.screen_cells import ScreenCells

MAX_UNSEEN = 8192
"""Bytes that may be on their way to the terminal: what is sent behind more of them is old before it is seen."""
_ASKED_AFTER = 2048
"""Bytes after which the terminal is asked to answer once it has seen them."""
_LONGEST_WAIT_SECONDS = 5.0
"""Seconds after which an answer is taken for lost: another program had the terminal, or it is another one by now."""
_LAST_ANSWER_SECONDS = 1.0
"""Seconds for which the end of the app waits for an answer."""
_WHERE = "\x1b[6n"
"""Question for the cursor's place (DSR), which every terminal answers when it has come to it, and Textual reads."""
_MARKED_FROM = 1024
"""Bytes from which on a terminal is told to show all at once: what is shorter comes in one piece anyway."""


class Painter:
    """Sends what changes on the screen, and lets a slow line catch up before it sends more.

    A paint that comes while too much is on its way is left out; the whole screen is drawn once the terminal has
    answered, and sent as far as it has changed by then.
    """

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._cells = ScreenCells(erases_in_colour=_erases_in_colour())
        self._cursor: Offset | None = None
        self._unseen = 0
        """Bytes that the terminal has not answered to."""
        self._unasked = 0
        """Bytes that were sent behind the last question."""
        self._asked_at: float | None = None
        self._answers = False
        """Whether the terminal has answered the question before; one that does not answer is not waited for."""
        self._has_left_out = False
        self.has_answered = Event()
        """Set by what reads the keyboard, before the app is told of it."""

    def forget(self) -> None:
        """Take nothing on the screen for known."""
        self._cells.forget()
        self._cursor = None

    @property
    def _awaits_answer(self) -> bool:
        return self._answers and self._asked_at is not None

    def wait_for_answer(self) -> None:
        """Wait until the terminal has answered, if it is going to; blocks for a second at most."""
        if self._awaits_answer:
            self.has_answered.wait(_LAST_ANSWER_SECONDS)

    def paint(self, update: LayoutUpdate | ChopsUpdate, size: Size) -> None:
        """Send what an update changes on a screen of this size, unless too much is on its way."""
        app = self._app
        if self._awaits_answer and self._unseen > MAX_UNSEEN and not self._is_lost():
            if not self._has_left_out:
                self._has_left_out = True
                app.set_timer(_LONGEST_WAIT_SECONDS, self._go_on)
            return
        cursor = size.clamp_offset(app.cursor_position)
        colours = COLOR_SYSTEMS[app.console.color_system or "truecolor"]
        changes = self._cells.draw(_pieces(update), size, colours)
        if not changes and cursor == self._cursor:
            return
        self._cursor = cursor
        text = f"{changes}\x1b[{cursor.y + 1};{cursor.x + 1}H"
        if app._sync_available and len(text.encode()) >= _MARKED_FROM:
            text = SYNC_START + text + SYNC_END
        self._send(text)

    def _send(self, text: str) -> None:
        count = len(text.encode())
        self._unseen += count
        self._unasked += count
        if self._asked_at is None and self._unasked >= _ASKED_AFTER:
            text += _WHERE
            self.has_answered.clear()
            self._asked_at, self._unasked = monotonic(), 0
        driver = self._app._driver
        assert driver is not None
        driver.write(text)

    def _is_lost(self) -> bool:
        assert self._asked_at is not None
        if monotonic() - self._asked_at < _LONGEST_WAIT_SECONDS:
            return False
        self._answers, self._asked_at, self._unseen = False, None, 0
        return True

    def take_answer(self) -> bool:
        """Take note that the terminal has answered; gives whether something was left out meanwhile."""
        if self._asked_at is None:
            return False  # nobody asked: a key that looks like an answer
        self._answers, self._asked_at = True, None
        self._unseen = self._unasked
        return self._take_left_out()

    def _take_left_out(self) -> bool:
        has_left_out, self._has_left_out = self._has_left_out, False
        return has_left_out

    def _go_on(self) -> None:
        if self._take_left_out():
            self._app.screen.refresh()


def _erases_in_colour() -> bool:
    """Whether the terminal erases in the colour of the background, as its description in terminfo says (bce)."""
    try:
        import curses
    except ImportError:  # a Python that was built without it
        return False
    try:
        curses.setupterm(fd=sys.__stdin__.fileno() if sys.__stdin__ is not None else 0)
    except (OSError, ValueError, curses.error):
        return False
    return curses.tigetflag("bce") > 0


def _pieces(update: LayoutUpdate | ChopsUpdate) -> Iterator[tuple[int, int, Iterable[Segment]]]:
    """Iterate over the pieces that an update draws: rows, columns, and the segments that stand from there on."""
    if isinstance(update, LayoutUpdate):
        for y, strips in enumerate(update.strips, update.region.y):
            x = update.region.x
            for strip in strips:
                yield y, x, strip
                x += strip.cell_length
        return
    for y, left, right in update.spans:
        for end, (x, part) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if part is not None and x < right and end > left:
                yield y, x, part


def knows_painting() -> bool:
    """Whether Textual paints as ``Painter`` was written for; else the app has none."""
    return all(
        tuple(inspect.signature(function).parameters) == names
        for function, names in (
            (App._display, ("self", "screen", "renderable")),
            (LayoutUpdate, ("strips", "region")),
            (ChopsUpdate, ("chops", "spans", "chop_ends")),
        )
    )
