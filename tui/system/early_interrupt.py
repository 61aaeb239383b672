"""Ctrl+C before the event loop runs: Python loses its exception where that comes in the middle of an import.

What calls back there, a weak reference say, can raise nothing: "Exception ignored in", and the command goes on.
"""

import signal
import threading
from types import FrameType

_has_come = False


def note(number: int, frame: FrameType | None) -> None:
    """Interrupt as Python's own handler does, and remember it."""
    global _has_come
    _has_come = True
    raise KeyboardInterrupt


def watch() -> None:
    """Remember ctrl+c from now on, unless somebody has it already."""
    global _has_come
    _has_come = False
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)


def hand_over() -> None:
    """Leave ctrl+c to the loop that begins; raises ``KeyboardInterrupt`` where it has come and was lost."""
    global _has_come
    if signal.getsignal(signal.SIGINT) is not note or threading.current_thread() is not threading.main_thread():
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if _has_come:
        _has_come = False
        raise KeyboardInterrupt
