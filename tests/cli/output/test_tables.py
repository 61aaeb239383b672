"""Rows for people: whole where there is room, cut fairly where there is none, measured in cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeVar

from rich.cells import cell_len

from tests.hostile import FORBIDDEN, HOSTILE
from tui.cli.output.tables import Alignment, Column, tab_separated

T = TypeVar("T")
Row = tuple[str, str, str]
COLUMNS: tuple[Column[Row], ...] = (
    Column("id", lambda row: row[0][:8], lambda row: row[0]),
    Column("sentence", lambda row: row[1], wide=True),
    Column("cues", lambda row: row[2], right=True),
)


def align_rows(columns: Sequence[Column[T]], items: Sequence[T], width: int) -> list[str]:
    alignment = Alignment(columns, items, width)
    return [alignment.titles(), *map(alignment.row, items)]


def test_rows_with_room_are_aligned_and_whole() -> None:
    rows = [("abcdefghijkl", "Der Zug fährt ab.", "42"), ("b", "駅", "7")]
    assert align_rows(COLUMNS, rows, 80) == [
        "id        sentence           cues",
        "abcdefgh  Der Zug fährt ab.    42",
        "b         駅                    7",
    ]


def test_no_row_is_wider_than_the_terminal_or_carries_controls() -> None:
    for text, width in product(HOSTILE.values(), (20, 33, 80)):
        lines = align_rows(COLUMNS, [("abcdefgh", text, "42"), ("b", "kurz", "1")], width)
        assert len(lines) == 3
        for line in lines:
            assert cell_len(line) <= width, (text[:40], width)
            assert not set(FORBIDDEN) & set(line)
            assert len(line.splitlines()) == 1


def test_programs_get_whole_cells_between_tabs() -> None:
    assert tab_separated(COLUMNS, ("abcdefghijkl", "a\tb\nc" + "d" * 300, "1")) == f"abcdefghijkl\ta b c{'d' * 300}\t1"


def test_a_name_is_cut_inside_and_what_is_unknown_is_a_dash_for_people_only() -> None:
    columns: tuple[Column[str], ...] = (
        Column("name", lambda name: name, wide=True, inside=True),
        Column("lang", lambda _: ""),
    )
    name = "pepper-and-carrot-episode-12.srt"
    title, row = align_rows(columns, [name], 24)
    assert title.split() == ["name", "lang"]
    assert row == "pepper-an…e-12.srt  –"
    assert tab_separated(columns, name) == f"{name}\t"
