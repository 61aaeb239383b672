"""Tabs of the Words section: the list of words, the next words to learn, the overview; tab goes from one to another.

The list is the section's own screen, the others are opened over it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import resolve_name

from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from tui.screens.section import SectionScreen
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

TABS: Mapping[str, tuple[str, str]] = {
    "words": ("Words", ""),
    "next": ("To learn next", "tui.screens.words.next_words:NextWordsScreen"),
    "overview": ("Overview", "tui.screens.words.word_overview:WordOverviewScreen"),
}
"""Tabs by name: what they are called, and the screen that is opened over the list."""


class WordTabs(Static):
    """Line with the names of the tabs, one of them in the accent's colour."""

    DEFAULT_CSS = """
    WordTabs { height: 1; width: 1fr; max-width: 140; padding: 0 3; margin-bottom: 1; }
    """

    def __init__(self, here: str, *, of: str = "") -> None:
        """``of`` is what the tab that is shown is about, "" for the library."""
        names = [Content.styled(title, "bold $accent" if name == here else MUTED) for name, (title, _) in TABS.items()]
        if of:
            at = list(TABS).index(here)
            names[at] = Content.assemble(names[at], (f" · {one_line(of)}", "$foreground"))
        super().__init__(Content("   ").join(names))


def go_to_tab(screen: SectionScreen, here: str, step: int) -> None:
    """Show the tab that is so many further, from the last one on to the first."""
    names = list(TABS)
    target = names[(names.index(here) + step) % len(names)]
    app, path = screen.app, TABS[target][1]
    if here != "words":
        screen.dismiss(None)
    if path:
        opened: Screen[None] = resolve_name(path)(screen.service)
        app.push_screen(opened)
