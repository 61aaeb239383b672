"""Card of a clip as Anki will show it, one side at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.text.wrapping import wrap
from tui.widgets.chrome.themes import MUTED
from tui.widgets.markdown.content import MAX_CHARS, markdown_content
from tui.widgets.markdown.lines import parser

if TYPE_CHECKING:
    from tui.deck.card import Card, CardPart

_STYLES = {
    "question": "bold $accent",
    "hint": "underline $accent",
    "translation": MUTED,
    "word": "bold $accent",
    "grammar": MUTED,
    "context": MUTED,
    "source": MUTED,
    "frequency": MUTED,
}
"""Styles of the parts, by role, that do not look like plain text."""
_ONE_PARAGRAPH = frozenset({"word", "reading", "grammar", "meaning", "source", "frequency"})
"""Roles between which no line stays free."""


class CardView(VerticalScroll, can_focus=True):
    """View of a card; space turns it. It begins with its back, on which everything stands that can be changed."""

    BINDING_GROUP_TITLE = "Card"
    DEFAULT_CSS = """
    CardView {
        padding: 0 2; scrollbar-size-vertical: 1;
        & .card-head { height: 1; margin: 0 0 1 0; color: $text-muted; }
        &:focus .card-head { color: $accent; }
        & .card-side { height: auto; max-width: 72; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "turn", "turn", tooltip="turn the card", id="card.turn"),
        Binding("j,down", "scroll_down", "scroll", show=False),
        Binding("k,up", "scroll_up", show=False),
        Binding("g,home", "scroll_home", show=False),
        Binding("G,end", "scroll_end", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._card: Card | None = None
        self.shows_back = True

    def compose(self) -> ComposeResult:
        yield Static(classes="card-head")
        yield Static(classes="card-side")

    def show(self, card: Card) -> None:
        self._card = card
        self.draw_card()

    def turn_to(self, *, back: bool) -> None:
        self.shows_back = back
        self.scroll_home(animate=False)
        self.draw_card()

    def action_turn(self) -> None:
        self.turn_to(back=not self.shows_back)

    def on_resize(self) -> None:
        self.draw_card()

    @work(exclusive=True, exit_on_error=False)
    async def draw_card(self) -> None:
        if self._card is None:
            return
        parts = self._card.back if self.shows_back else self._card.front
        if any(part.role == "explanation" for part in parts):
            await asyncio.to_thread(parser)  # imported here, so that no key waits for it
        side = self.query_one(".card-side", Static)
        self.query_one(".card-head", Static).update(Content("Card · back" if self.shows_back else "Card · front"))
        side.update(side_content(parts, self._card.tags if self.shows_back else (), side.content_size.width))


def side_content(parts: Iterable[CardPart], tags: Iterable[str], width: int) -> Content:
    """Text of one side in ``width`` cells, every word of it literal; below it the note's tags, which no side shows."""
    content, before = Content(""), ""
    for part in parts:
        if before:
            content += Content("\n" if {before, part.role} <= _ONE_PARAGRAPH else "\n\n")
        content += _content(part, max(1, width))
        before = part.role
    named = " ".join(f"#{tag}" for tag in tags)
    return content + Content.styled(f"\n\n{named}", MUTED) if named else content


def _content(part: CardPart, width: int) -> Content:
    text = part.text[:MAX_CHARS].replace("\t", " ")
    match part.role:
        case "answer":
            return Content.styled("─" * width, MUTED)
        case "explanation":
            return markdown_content(part.text, width)
        case "context":
            lines = [line[start:end] for line in text.split("\n") for start, end in wrap(line, max(1, width - 2))]
            return Content.styled("\n".join(f"│ {line}" for line in lines), MUTED)
    content = Content.styled(text, _STYLES.get(part.role, ""))
    for start, end in part.bold:
        content = content.stylize("bold $accent", start, end)
    return content
