"""View of one change of a review: both texts with the lines around them, or the card as it will be."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.errors import LodeError
from tui.records.settings import CardOptions
from tui.text.display import clock
from tui.text.sanitize import laid_out
from tui.widgets.cards.clip_cards import REST_SECONDS, side_content
from tui.widgets.chrome.themes import MUTED
from tui.widgets.markdown.lines import parser

if TYPE_CHECKING:
    from tui.records.reviews import Review
    from tui.records.transcripts import Cue
    from tui.screens.review.rows import ReviewRow
    from tui.service.protocol import Service

_GONE = f"{MUTED} strike"
_NEW = "bold $success"
_DOUBTFUL = {
    "correction": "doubtful: little of the line is left, or it is another language or markup",
    "translation": "doubtful: it may be in another language, or its markup is broken",
    "cards": "doubtful: the word stands in no dictionary",
}


class ChangeView(Static):
    """View of a change; its size never changes, so that another one is drawn without a layout."""

    def __init__(self, service: Service, review: Review) -> None:
        super().__init__()
        self._service = service
        self._review = review
        self._row: ReviewRow | None = None
        self._rest: Timer | None = None
        self._options: CardOptions | None = None

    def show(self, row: ReviewRow | None) -> None:
        """Show it once the cursor rests."""
        self._row = row
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(REST_SECONDS, self.draw_change)

    def on_resize(self) -> None:
        self.draw_change()

    @work(exclusive=True, exit_on_error=False)
    async def draw_change(self) -> None:
        row, width = self._row, self.content_size.width
        if row is None or not self.display:
            self.update(Content(""), layout=False)
            return
        if (clip := row.item.card) is not None:
            from tui.deck.card import make_card

            if clip.explanation:
                await asyncio.to_thread(parser)  # imported there, so that no key waits for it
            card = make_card(clip, await self._read_options())
            side = side_content(card.back, card.tags, width)
            doubt = Content.styled(f"{_DOUBTFUL['cards']}\n\n", "$error") if row.item.is_doubtful else Content("")
            self.update(doubt + side, layout=False)
            return
        around = await self._read_around(row)
        self.update(_write_change(self._review, row, around), layout=False)

    async def _read_options(self) -> CardOptions:
        """Read how the profile's cards are; as usual where that cannot be read."""
        if self._options is None:
            try:
                self._options = (await self._service.settings.get()).card
            except LodeError:
                return CardOptions()
        return self._options

    async def _read_around(self, row: ReviewRow) -> Sequence[Cue]:
        """Read the cue and its neighbours; none where the library does not answer: the change can be read without."""
        if (index := row.item.cue_index) is None:
            return ()
        first = max(0, index - 1)
        try:
            page = await self._service.transcripts.cues(
                self._review.transcript_id, offset=first, limit=index + 2 - first
            )
        except LodeError:
            return ()
        return page.items


def _write_change(review: Review, row: ReviewRow, around: Sequence[Cue]) -> Content:
    item = row.item
    before = [cue for cue in around if item.cue_index is not None and cue.index < item.cue_index]
    behind = [cue for cue in around if item.cue_index is not None and cue.index > item.cue_index]
    parts = [Content.styled(_describe(row), MUTED)]
    parts += [_indent(Content.styled(laid_out(cue.text), MUTED)) for cue in before]
    if review.kind == "correction":
        old = [(run.old, "" if run.old == run.new else _GONE) for run in row.runs if run.old]
        new = [(run.new, "" if run.old == run.new else _NEW) for run in row.runs if run.new]
        parts += [_lead("−", old), _lead("+", new or [("(the line goes)", MUTED)])]
    else:
        parts += [_lead(" ", [(item.before, "bold")]), _lead(" ", [(item.after or "–", "")])]
    parts += [_indent(Content.styled(laid_out(cue.text), MUTED)) for cue in behind]
    if item.is_doubtful:
        parts.append(Content.styled(_DOUBTFUL[review.kind], "$error"))
    return Content("\n").join(parts)


def _describe(row: ReviewRow) -> str:
    item = row.item
    if item.cue_index is None:
        return "this line was changed meanwhile, and stays as it is"
    return " · ".join(filter(None, (clock(item.start_ms), f"line {item.cue_index + 1}")))


def _lead(sign: str, pieces: Sequence[tuple[str, str]]) -> Content:
    """Lines of a text behind a sign, further ones below the first."""
    text = Content.assemble(*((laid_out(piece), style) for piece, style in pieces))
    return Content.styled(f"{sign} ", MUTED) + Content("\n  ").join(text.split("\n"))


def _indent(text: Content) -> Content:
    return Content("  ") + Content("\n  ").join(text.split("\n"))
