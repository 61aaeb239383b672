"""Toasts (notifications): a few short ones at a time, the same news again soon after counted in one line."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from textual.geometry import Size
from textual.notifications import SeverityLevel

from tui.screens.messages import SEVERITIES, News
from tui.text.cells import cut
from tui.text.display import count_of, number
from tui.text.sanitize import one_line

TOASTS_CSS = """
Toast { width: auto; max-width: 76; padding: 0 1; margin-top: 0; }
ToastRack { margin: 0 1 1 1; scrollbar-size: 0 0; }
ModalScreen > * { margin-bottom: 1; }
ModalScreen > ToastRack { margin: 0; }
ModalScreen ToastHolder { display: none; }
ModalScreen ToastHolder:last-child { display: block; }
/* The screen below the labels shows through, with its own. */
Labels ToastHolder:last-child { display: none; }
ModalScreen Toast { height: 1; max-width: 100%; text-wrap: nowrap; text-overflow: ellipsis; }
"""
"""Style of the toasts: lines above the key line; while a dialog is open, the last one is the lowest line of all."""
_TOAST_CELLS = 72
_TOAST_LINES = 4
_MOST = 3
"""Toasts at a time."""
_SECONDS: dict[SeverityLevel, float] = {"information": 5.0, "warning": 8.0, "error": 12.0}


@dataclass(frozen=True, slots=True)
class Toast:
    """Message that is shown until a moment; a later one with the same ``key`` takes its place."""

    key: object
    message: str
    title: str
    severity: SeverityLevel
    until: float
    news: News | None = None


class Toasts:
    """Queue of toasts, of which the most important are seen; ``clear`` takes away all that ``show`` has shown.

    ``show`` gets a toast and for how many seconds, ``clock`` gives seconds. ``later`` calls a function once the present
    message has been handled: only then are toasts shown, all at once.
    """

    def __init__(
        self,
        show: Callable[[Toast, float], None],
        clear: Callable[[], None],
        later: Callable[[Callable[[], None]], object],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._show = show
        self._clear = clear
        self._later = later
        self._clock = clock
        self._toasts: list[Toast] = []
        self._shown: list[Toast] = []
        self._waits = False
        self._left_out = 0
        """Errors that went before their time, to make room for others."""

    def add(
        self, message: str, *, title: str = "", severity: SeverityLevel = "information", timeout: float | None = None
    ) -> None:
        """Show a message; the same words are not shown twice at a time."""
        until = self._clock() + (_SECONDS[severity] if timeout is None else timeout)
        self._add(Toast(message, message, title, severity, until))

    def add_news(self, news: News) -> None:
        """Show what was done, together with the same news that is still to be seen."""
        self._forget_old()
        key = ("news", news.kind)
        for toast in self._toasts:
            if toast.key == key and toast.news is not None:
                news = news.merged_into(toast.news)
        self._add(Toast(key, news_text(news), "", news.severity, self._clock() + _SECONDS[news.severity], news))

    def _add(self, toast: Toast) -> None:
        self._forget_old()
        self._toasts = [other for other in self._toasts if other.key != toast.key] + [toast]
        while len(self._toasts) > _MOST:
            least = min(self._toasts[:-1], key=lambda other: SEVERITIES.index(other.severity))
            self._toasts.remove(least)
            self._left_out += least.severity == "error"
        if not self._waits:
            self._waits = True
            self._later(self._draw)

    def _draw(self) -> None:
        self._waits = False
        self._forget_old()
        if self._left_out and self._toasts:
            more = f"{count_of(self._left_out, 'more error')} before"
            self._toasts[0] = replace(self._toasts[0], title=more)
        now_old = [toast for toast in self._shown if toast not in self._toasts]
        if now_old:
            self._clear()
            self._shown = []
        for toast in self._toasts[len(self._shown) :]:
            self._show(toast, max(0.1, toast.until - self._clock()))
        self._shown = list(self._toasts)

    def _forget_old(self) -> None:
        now = self._clock()
        self._toasts = [toast for toast in self._toasts if toast.until > now]
        self._shown = [toast for toast in self._shown if toast.until > now]
        if not self._toasts:
            self._left_out = 0


def shortened(message: str, terminal: Size) -> str:
    """Message with its lines cut so that a toast takes few lines of the terminal: sentences may be of any length."""
    lines = message.splitlines()
    cells = _TOAST_LINES * min(_TOAST_CELLS, terminal.width - 6) // max(1, len(lines))
    return "\n".join(cut(line, max(40, cells)) for line in lines)


def news_text(news: News) -> str:
    """Text of news: "clip saved: fährt", "11 clips saved", "3 imported, 9 refused · 6 shows why"."""
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
