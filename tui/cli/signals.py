"""How a signal ends a command or the app: as ctrl+c does, with its own exit code.

Python ends at once by SIGTERM and SIGHUP, so that nothing is closed and a terminal stays as the app left it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_ENDING = ("SIGTERM", "SIGHUP")
"""By name, since not every system has both."""
_received: list[int] = []


def exit_code(otherwise: int) -> int:
    """128 and the number of the signal that ended this process, as a shell says it, or ``otherwise``."""
    return 128 + _received[0] if _received else otherwise


def end_like_ctrl_c() -> None:
    """Let SIGTERM and SIGHUP interrupt whatever runs; one that is ignored, as by nohup, stays so."""
    _received.clear()
    for number in _numbers(_ENDING):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    ctrl_c = signal.getsignal(signal.SIGINT)
    if not callable(ctrl_c):  # a shell starts jobs in the background with SIGINT ignored
        raise KeyboardInterrupt
    ctrl_c(number, frame)


@contextmanager
def handed_to(end: Callable[[int], object], end_at_once: Callable[[int], object]) -> Iterator[None]:
    """Call ``end`` with the exit code when a signal comes, SIGINT too, and ``end_at_once`` when another follows.

    Both are called in the middle of anything that the main thread does.
    """

    def handle(number: int, _: FrameType | None) -> None:
        _received.append(number)
        (end if len(_received) == 1 else end_at_once)(exit_code(0))

    before: dict[int, Any] = {}
    for number in _numbers((*_ENDING, "SIGINT")):
        if signal.getsignal(number) != signal.SIG_IGN:
            before[number] = signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _numbers(names: tuple[str, ...]) -> list[int]:
    return [getattr(signal, name) for name in names if hasattr(signal, name)]
