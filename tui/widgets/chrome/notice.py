"""Notice in place of an empty or unreadable list: what is the matter, and the keys that help."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from tui.errors import LodeError
from tui.text.sanitize import one_line


class Notice(Static):
    """Notice in the middle of its place; all words are taken literally."""

    DEFAULT_CSS = """
    Notice {
        width: 1fr; height: 1fr; padding: 1 2; color: $text-muted;
        content-align: center middle; text-align: left;
    }
    """

    def say(self, headline: str, keys: Sequence[tuple[str, str]] = ()) -> None:
        """Show a headline and, below it, the keys that help with what each does."""
        self.update(_lines(Content(one_line(headline)), keys))

    def say_error(self, error: LodeError, keys: Sequence[tuple[str, str]] = ()) -> None:
        """Show an error: its cause, its hint, and the keys that help."""
        headline = Content.styled(one_line(error.message), "$text-error")
        if error.hint:
            headline = headline + Content("\n") + Content(one_line(error.hint))
        self.update(_lines(headline, keys))


def _lines(headline: Content, keys: Sequence[tuple[str, str]]) -> Content:
    widest = max((cell_len(key) for key, _ in keys), default=0)
    lines = [headline]
    if keys:
        lines.append(Content(""))
    for key, does in keys:
        lines.append(
            Content.styled(key + " " * (widest - cell_len(key)), "bold $foreground") + Content(f"   {one_line(does)}")
        )
    return Content("\n").join(lines)
