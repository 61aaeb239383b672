"""Clips as cards: the card as Anki will show it, and the preview beside the list."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.language.focus import find_verb_spans, split_at_focus
from tui.records.clips import Clip
from tui.text import display
from tui.text.clip_fields import shown, sound_of
from tui.text.sanitize import one_line, without_controls
from tui.text.wrapping import wrap
from tui.widgets.chrome.themes import MUTED
from tui.widgets.markdown.lines import MAX_CHARS, markdown_content, parser

if TYPE_CHECKING:
    from tui.deck.card import Card, CardPart

_STYLES = {
    "question": "bold $accent",
    "hint": "underline $accent",
    "word": "bold $accent",
    **dict.fromkeys(("translation", "grammar", "context", "source", "frequency"), MUTED),
}
"""Styles of the parts, by role, that do not look like plain text."""
_ONE_PARAGRAPH = frozenset({"word", "reading", "grammar", "meaning", "source", "frequency"})
"""Roles between which no line stays free."""


class CardView(VerticalScroll, can_focus=True):
    """View of a card; space turns it. It begins with its back, on which everything stands that can be changed."""

    BINDING_GROUP_TITLE = "Card"
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


REST_SECONDS = 0.08
"""Seconds until a clip is drawn: longer than a held key takes to repeat, shorter than an eye takes to go over."""


class ClipPreview(Static):
    """Preview of one clip, or of none; its size never changes, so a new clip is drawn without a layout."""

    DEFAULT_CSS = """
    ClipPreview { width: 1fr; height: 1fr; padding: 0 1 0 2; color: $foreground; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._clip: Clip | None = None
        self._rest: Timer | None = None

    def show(self, clip: Clip | None) -> None:
        """Show it once the cursor rests: while it runs down a list, a key costs its own line and nothing else."""
        if self._rest is not None:
            self._rest.stop()
        self._clip = clip
        self._rest = self.set_timer(REST_SECONDS, self.draw_clip)

    def on_resize(self) -> None:
        self.draw_clip()

    @work(exclusive=True, exit_on_error=False)
    async def draw_clip(self) -> None:
        if self._clip is not None and self._clip.explanation:
            await asyncio.to_thread(parser)  # imported there, so that no key and no first list waits for it
        clip, width = self._clip, self.content_size.width
        self.update(Content("") if clip is None else clip_content(clip, width), layout=False)


def clip_content(clip: Clip, width: int) -> Content:
    """Text of the clip in a few paragraphs, every word literal; the explanation is Markdown, laid out for ``width``."""
    parts = [_sentence(clip)]
    parts += [Content.styled(without_controls(text), MUTED) for _, text in shown(clip, "gloss")]
    if (focus := clip.focus) is not None:
        head = one_line(focus.lemma or focus.surface)
        about = [one_line(fact) for fact in (focus.reading, focus.part_of_speech, focus.grammar, focus.level) if fact]
        line = Content.styled(head, "bold $accent") + Content.styled("".join(f" · {fact}" for fact in about), MUTED)
        parts.append(Content("\n").join([line, *(Content(one_line(meaning)) for meaning in focus.meanings)]))
    for field, text in shown(clip, "body"):
        plain = Content(f"{field.label}  {without_controls(text)}")
        parts.append(markdown_content(text, width) if field.is_markdown else plain)
    parts.append(Content.styled(_origin(clip), MUTED))
    return Content("\n\n").join(parts)


def _origin(clip: Clip) -> str:
    times = display.clock(clip.start_ms)
    tags = " ".join(f"#{one_line(tag)}" for tag in clip.tags)
    sound = one_line(sound_of(clip))
    return " · ".join(filter(None, (one_line(clip.source), times, sound, one_line(clip.model), tags)))


def _sentence(clip: Clip) -> Content:
    """Sentence with its focus word highlighted."""
    sentence, focus = without_controls(clip.sentence), clip.focus
    spans = find_verb_spans(sentence, focus.surface, focus.lemma or "", clip.language) if focus is not None else ()
    pieces = split_at_focus(sentence, spans)
    return Content.assemble(*((text, "bold $accent" if is_focus else "") for text, is_focus in pieces))
