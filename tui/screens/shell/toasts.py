"""Toasts (notifications): a few at a time, and the same news again soon after counted in one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Protocol

from textual.notifications import SeverityLevel

from tui.screens.messages import News
from tui.text.display import count_of, number
from tui.text.sanitize import one_line

_MOST = 3
"""Toasts at a time."""
_SECONDS: dict[SeverityLevel, float] = {"information": 5.0, "warning": 8.0, "error": 12.0}
_RANKS: dict[SeverityLevel, int] = {"information": 0, "warning": 1, "error": 2}


class Show(Protocol):
    """Shows one toast below those that are there."""

    def __call__(self, message: str, *, title: str, severity: SeverityLevel, timeout: float) -> None: ...


@dataclass(frozen=True, slots=True)
class _Told:
    message: str
    title: str
    severity: SeverityLevel
    until: float
    news: News | None = None


class Toasts:
    """Decides which toasts are seen; ``clear`` takes away all that ``show`` has shown, ``clock`` gives seconds.

    ``later`` calls a function once what is being told has been: only then are they shown, all at once.
    """

    def __init__(
        self,
        show: Show,
        clear: Callable[[], None],
        later: Callable[[Callable[[], None]], object],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._show = show
        self._clear = clear
        self._later = later
        self._clock = clock
        self._told: list[_Told] = []
        self._shown: list[_Told] = []
        self._waits = False
        self._left_out = 0
        """Errors that went before their time, to make room for others."""

    def tell(
        self, message: str, *, title: str = "", severity: SeverityLevel = "information", timeout: float | None = None
    ) -> None:
        """Tell something; the same words are not told twice at a time."""
        until = self._clock() + (_SECONDS[severity] if timeout is None else timeout)
        self._add(_Told(message, title, severity, until), lambda told: told.message == message)

    def count(self, news: News) -> None:
        """Tell what was done, together with the same news that is still to be seen."""
        self._forget_old()
        before = next((told.news for told in self._told if told.news is not None and told.news.kind == news.kind), None)
        if before is not None:
            news = news.added_to(before)
        until = self._clock() + _SECONDS[news.severity]
        told = _Told(said(news), "", news.severity, until, news)
        self._add(told, lambda other: other.news is not None and other.news.kind == news.kind)

    def _add(self, told: _Told, is_same: Callable[[_Told], bool]) -> None:
        self._forget_old()
        self._told = [other for other in self._told if not is_same(other)] + [told]
        while len(self._told) > _MOST:
            least = min(self._told[:-1], key=lambda other: _RANKS[other.severity])
            self._told.remove(least)
            self._left_out += least.severity == "error"
        if not self._waits:
            self._waits = True
            self._later(self._draw)

    def _draw(self) -> None:
        self._waits = False
        self._forget_old()
        if self._left_out and self._told:
            more = f"{count_of(self._left_out, 'more error')} before"
            self._told[0] = replace(self._told[0], title=more)
        now_old = [told for told in self._shown if told not in self._told]
        if now_old:
            self._clear()
            self._shown = []
        for told in self._told[len(self._shown) :]:
            timeout = max(0.1, told.until - self._clock())
            self._show(told.message, title=told.title, severity=told.severity, timeout=timeout)
        self._shown = list(self._told)

    def _forget_old(self) -> None:
        now = self._clock()
        self._told = [told for told in self._told if told.until > now]
        self._shown = [told for told in self._shown if told.until > now]
        if not self._told:
            self._left_out = 0


def said(news: News) -> str:
    """ "clip saved: fährt", "11 clips saved", "3 imported, 9 refused · 6 shows why"."""
    if news.noun and sum(news.counts.values()) == 1:
        (done,) = (done for done, count in news.counts.items() if count)
        text = f"{news.noun} {done}" + (f": {one_line(news.name)}" if news.name else "")
    else:
        text = ", ".join(
            f"{count_of(count, news.noun) if news.noun else number(count)} {done}"
            for done, count in news.counts.items()
            if count
        )
    return text + (f" · {news.hint}" if news.hint else "")
