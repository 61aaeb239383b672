"""Handling of unforeseen exceptions: a report is written, a toast tells of it, a screen that keeps failing is left."""

from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from textual.app import App
from textual.screen import Screen

from tui.compat.app import Fault
from tui.system import crash_reports
from tui.text.sanitize import one_line

_LASTING = 5
"""Faults of one screen within a moment that are a lasting one: whatever is drawn or typed there brings the next."""
_LASTING_DRAWING = 2
"""Faults in drawing after which it is a lasting one: the screen shows nothing new, not even that something broke."""
_LASTING_SECONDS = 2.0
_SHOWN_SECONDS = 20.0
"""Seconds in which the same fault is shown once; its toast stays as long."""


class Faults:
    """Handler of faults: reports below ``home``, toasts in ``app``; ``leave`` leaves a screen for a sound one."""

    def __init__(self, app: App[Any], home: Path, leave: Callable[[Screen[Any]], Awaitable[None]]) -> None:
        self._app = app
        self._home = home
        self._leave = leave
        self._shown: dict[tuple[str, ...], float] = {}
        self._moments: WeakKeyDictionary[Screen[Any], deque[float]] = WeakKeyDictionary()
        self._left: WeakSet[Screen[Any]] = WeakSet()

    def handle(self, fault: Fault) -> None:
        """Report a fault; leave its screen where that could not even be made, or where there is no end of faults."""
        now = monotonic()
        kind = tuple(crash_reports.describe(fault.error))
        before = self._shown.get(kind)
        if before is None:
            self._report(fault)
        if before is None or now - before > _SHOWN_SECONDS:
            self._shown[kind] = now
            self._show(fault)
        screen = fault.screen
        if screen is not None and screen not in self._left and (fault.is_building or self._lasts(fault, screen, now)):
            self._left.add(screen)
            self._app.call_later(self._leave, screen)
        elif screen is not None and fault.is_drawing:
            self._app.call_later(screen.refresh)  # to see whether it lasts

    def _report(self, fault: Fault) -> None:
        # At once, in this thread: what broke may take everything with it.
        stack = " > ".join(type(screen).__name__ for screen in self._app.screen_stack)
        width, height = self._app.size
        crash_reports.write(self._home, fault.error, (f"in {fault.where}", f"screens {stack} · {width}×{height}"))

    def _show(self, fault: Fault) -> None:
        text = f"{_text(fault.error)}\nNothing that was saved is lost; lode doctor names the report."
        self._app.notify(text, severity="error", timeout=_SHOWN_SECONDS, markup=False)

    def _lasts(self, fault: Fault, screen: Screen[Any], now: float) -> bool:
        moments = self._moments.setdefault(screen, deque(maxlen=_LASTING))
        moments.append(now)
        most = _LASTING_DRAWING if fault.is_drawing else _LASTING
        return len(moments) >= most and now - moments[-most] < _LASTING_SECONDS


def _text(error: Exception) -> str:
    name = type(error).__name__
    try:
        return one_line(f"unexpected {name}: {error}")
    except Exception:  # noqa: BLE001 - one that cannot even say what it is
        return one_line(f"unexpected {name}")
