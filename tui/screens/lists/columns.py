"""Columns that several lists have: the language, and how old a record is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rich.text import Span, Text

from tui.records.transcripts import Transcript
from tui.text import display
from tui.text.cells import cut
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import language_style
from tui.widgets.table.columns import Column

T = TypeVar("T")
_SERIES_CELLS = 28
"""Cells of a series before an episode's number: on a narrow terminal that is to be seen."""


def styled_cell(style: str, text: str) -> Text:
    """Cell in one of the table's styles ("" for the usual one)."""
    return Text(text, spans=[Span(0, len(text), style)])


def language_column(language: Callable[[T], str | None]) -> Column[T]:
    """Column of a language code in its language's colour; it is found by the language's name too."""

    def code(record: T) -> Text:
        tag = one_line(language(record) or "")
        return styled_cell(language_style(tag), tag)

    return Column("Lang", code, most=8, keywords=lambda record: display.language(language(record)))


def title_column(record: Callable[[T], Transcript]) -> Column[T]:
    """Column of a transcript's title, in which the series stands back behind the episode's number, however narrow."""

    def title(of: T) -> Text | str:
        transcript = record(of)
        if not transcript.series:
            return transcript.title
        series = cut(one_line(transcript.series), _SERIES_CELLS, inside=True)
        rest = display.within_series(transcript.title, transcript.series, transcript.season, transcript.episode)
        text = one_line(f"{series} · {rest}")
        return Text(text, spans=[Span(0, min(len(series) + 3, len(text)), "muted")], overflow="ellipsis")

    return Column("Title", title, share=1, cut="inside")


def age_column(created_at: Callable[[T], str], *, title: str = "Age", minimum_table_width: int = 0) -> Column[T]:
    """Column of how long ago a record was made; ``RecordTable.draw_ages`` keeps it up to date."""
    return Column(
        title,
        lambda record: display.age(created_at(record)),
        least=display.LONGEST_AGE,
        align="right",
        style="muted",
        ages=True,
        minimum_table_width=minimum_table_width,
    )
