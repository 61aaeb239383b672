"""Signals that end a command or the app: as ctrl+c does, with their own exit codes.

Python ends at once by SIGTERM and SIGHUP, so that nothing is closed and a terminal stays as the app left it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from types import FrameType
from typing import Any

from tui.system import early_interrupt

_ENDING = ("SIGTERM", "SIGHUP")
"""By name, since not every system has both."""
_PATIENCE_SECONDS = 5.0
"""Time for the app to end in order; most take a tenth of that."""
_received: list[int] = []
_starting: list[bool] = []
"""Not empty while a program is being started."""


def exit_code(otherwise: int) -> int:
    """128 and the number of the signal that ended this process, as a shell says it, or ``otherwise``."""
    return 128 + _received[0] if _received else otherwise


def end_like_ctrl_c() -> None:
    """Let SIGTERM and SIGHUP interrupt whatever runs; one that is ignored, as by nohup, stays so."""
    _received.clear()
    early_interrupt.watch()
    for number in _numbers(_ENDING):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    if _starting:
        return
    ctrl_c = signal.getsignal(signal.SIGINT)
    if callable(ctrl_c) and ctrl_c not in (signal.default_int_handler, early_interrupt.note, _leave_to_child):
        ctrl_c(number, frame)
    elif ctrl_c is _leave_to_child or _loop_runs():  # else SIGINT is ignored, as a shell does it for background jobs
        raise SystemExit(exit_code(0))
    else:  # nothing is open; an exception in the middle of an import may be turned into another, or be lost
        os._exit(exit_code(0))


def _loop_runs() -> bool:
    running = getattr(sys.modules.get("asyncio"), "get_running_loop", None)  # it may be half imported now
    try:
        return running is not None and running() is not None
    except RuntimeError:
        return False


def _leave_to_child(number: int, frame: FrameType | None) -> None:
    """Do nothing; a function, since a signal that is ignored stays so in a program that is started."""


@contextmanager
def held_for_start() -> Iterator[None]:
    """Let a signal that ends this process wait until the block, in which a program is started, is over.

    In the middle of it the program would run already and nobody know it, so that it would never be ended.
    """
    _starting.append(True)
    try:
        yield
    finally:
        _starting.pop()
    if _received:
        raise SystemExit(exit_code(0))


@contextmanager
def left_to_child() -> Iterator[None]:
    """Leave ctrl+c to a program that has the terminal: a pager stops a search, an editor what it does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, _leave_to_child)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def hand_to(end: Callable[[int], object], end_at_once: Callable[[int], object]) -> Iterator[None]:
    """Call ``end`` with the exit code when a signal comes, SIGINT too; it is called in the middle of anything.

    ``end_at_once`` is called when another follows, or when the block has not ended in time: a terminal that takes
    nothing any more holds up whoever writes to it.
    """
    late: list[Timer] = []

    def handle(number: int, _: FrameType | None) -> None:
        _received.append(number)
        code = exit_code(0)
        if len(_received) > 1:
            end_at_once(code)
        late.append(Timer(_PATIENCE_SECONDS, end_at_once, (code,)))
        late[0].daemon = True
        late[0].start()
        end(code)

    before: dict[int, Any] = {}
    for number in _numbers((*_ENDING, "SIGINT")):
        if signal.getsignal(number) != signal.SIG_IGN:
            before[number] = signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for timer in late:
            timer.cancel()


def _numbers(names: tuple[str, ...]) -> list[int]:
    return [getattr(signal, name) for name in names if hasattr(signal, name)]
