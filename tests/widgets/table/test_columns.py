"""Columns take the cells that their contents need, and share what is short or left over."""

from __future__ import annotations

from dataclasses import dataclass

from tui.widgets.table.columns import LEAD, Column, ColumnWidths


@dataclass(frozen=True, slots=True)
class Row:
    name: str = ""
    meaning: str = ""
    size: str = ""


COLUMNS: tuple[Column[Row], ...] = (
    Column("Name", lambda row: row.name, share=2),
    Column("Meaning", lambda row: row.meaning, share=1),
    Column("Size", lambda row: row.size, align="right"),
)


def widths(table_width: int, *rows: Row) -> dict[str, int]:
    measured = ColumnWidths(COLUMNS)
    measured.measure(rows)
    fitted = measured.fitted(table_width)
    if fitted:
        assert LEAD + sum(width + gap for _, width, gap in fitted) == table_width
    return {column.title: width for column, width, _ in fitted}


def test_a_column_takes_what_its_contents_need_and_an_empty_one_nothing() -> None:
    long = Row("x" * 60, "", "12 B")
    assert widths(80, long, Row("y")) == {"Name": 61, "Size": 4}
    assert widths(80, Row("x" * 60, "ja", "12 B")) == {"Name": 60, "Meaning": 7, "Size": 4}
    assert widths(80, Row("x" * 60, "y" * 60, "12 B")) == {"Name": 44, "Meaning": 23, "Size": 4}
    assert list(widths(80)) == ["Name", "Meaning", "Size"], "the titles stand there before the first rows"


def test_wide_characters_are_measured_in_cells() -> None:
    assert widths(30, Row("日本語" * 3, "日", "1")) == {"Name": 11, "Meaning": 6, "Size": 4}
    assert widths(40, Row("日本語" * 2, "日", "1"))["Name"] >= 12


def test_what_nobody_needs_goes_between_the_columns_so_that_a_row_is_read_in_one_glance() -> None:
    measured = ColumnWidths(COLUMNS)
    measured.measure([Row("x" * 30, "y" * 20, "12 B")])
    fitted = measured.fitted(100)
    gaps = [gap for _, _, gap in fitted]
    assert gaps == [10, 10, 2]
    assert [width for _, width, _ in fitted] == [51, 20, 4]


def test_widths_only_grow_and_new_pages_widen_only_what_would_be_cut() -> None:
    measured = ColumnWidths(COLUMNS)
    assert measured.measure([Row("x" * 30, "y", "12 B")])
    before = measured.fitted(60)
    assert not measured.measure([Row("x", "y", "1")])
    assert not measured.measure([Row("z" * 50, "y", "1 B")], shared=False), "a sentence is cut anyway"
    assert measured.fitted(60) == before
    assert measured.measure([Row("", "", "123 456 B")], shared=False)
