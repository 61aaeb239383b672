"""Rows of a review: a change with what of its words became what, and how it reads in one line."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from tui.correcting.word_diff import DiffRun, merge_runs
from tui.records.reviews import ReviewItem
from tui.text.display import clock, number
from tui.text.sanitize import one_line

_FAR_IN = 40
"""Characters before the first change from which on a line begins shortly before it: what changed is to be seen."""
_BEFORE = 16


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A change, and the runs of its diff; none of what is no correction."""

    item: ReviewItem
    runs: tuple[DiffRun, ...] = ()

    @property
    def id(self) -> str:
        return self.item.id


def write_state(row: ReviewRow) -> Text:
    """Write where a change stands, and behind it as a sign what becomes of it, since colours are not always there."""
    item, cell = row.item, Text()
    cell.append(f"{_write_place(item)} ", "muted")
    if item.is_taken:
        cell.append("✓", "mark")
    elif item.is_doubtful:
        cell.append("?", "failed")
    else:
        cell.append("–" if item.cue_index is None else "·", "muted")
    return cell


def _write_place(item: ReviewItem) -> str:
    """Write the time of the cue, else the number of its line; a dash where somebody has changed it meanwhile."""
    if item.cue_index is None:
        return "–"
    return clock(item.start_ms) or number(item.cue_index + 1)


def write_diff(row: ReviewRow) -> Text:
    """Write both texts of a correction into one line: what goes is struck out, what comes follows an arrow."""
    pieces: list[tuple[str, str]] = []
    for run in merge_runs(row.runs):
        if run.old == run.new:
            pieces.append((run.old, ""))
        else:
            pieces += [(run.old, "gone"), ("→" if run.old and run.new else "", "muted"), (run.new, "new")]
    pieces = [(text.replace("\n", " "), style) for text, style in pieces if text]
    if pieces and not pieces[0][1] and len(pieces) > 1 and len(pieces[0][0]) > _FAR_IN:
        pieces[0] = (f"…{pieces[0][0][-_BEFORE:]}", "")
    text = Text()
    for piece, style in pieces:
        text.append(piece, style)
    return text if text.plain else _style("(no line)", "muted")


def write_meaning(row: ReviewRow) -> str:
    return row.item.after


def write_word(row: ReviewRow) -> str:
    card = row.item.card
    return one_line(card.focus.surface) if card is not None and card.focus is not None else ""


def write_sentence(row: ReviewRow) -> str:
    card = row.item.card
    return row.item.before if card is None else card.sentence


def _style(text: str, style: str) -> Text:
    cell = Text()
    cell.append(text, style)
    return cell
