"""A row of a list says what is known, what was searched for, and where that was found."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from rich.style import Style

from tui.text.display import language
from tui.widgets.table.columns import Column, ColumnWidths
from tui.widgets.table.drawing import STYLE_NAMES, Matches, TableLines


@dataclass(frozen=True, slots=True)
class Row:
    sentence: str
    code: str = "de"
    title: str = ""
    note: str = ""
    name: str = "zug"


STYLES = {name: Style() for name in ("", "cursor", *STYLE_NAMES)} | {"match": Style(underline=True)}
COLUMNS: tuple[Column[Row], ...] = (
    Column("Sentence", lambda row: row.sentence, share=1),
    Column("Name", lambda row: row.name, most=12, cut="inside"),
    Column("Lang", lambda row: row.code, keywords=lambda row: language(row.code)),
)


SAID: tuple[Column[Row], ...] = (
    Column("Name", lambda row: row.name, share=1, cut="inside"),
    Column("Said", lambda row: row.sentence, share=1, is_of_search=True),
)


def drawn(row: Row, q: str = "", width: int = 60, columns: tuple[Column[Row], ...] = COLUMNS) -> tuple[str, list[str]]:
    """The line, and what is set off in it."""
    measured = ColumnWidths(columns)
    measured.measure([row, Row("x" * 100)])
    lines = TableLines(
        measured.fitted(width), width, STYLES, Matches(q), lambda row: (("title", row.title), ("note", row.note))
    )
    strip = lines.row(row, has_cursor=False, marked=False)
    return strip.text, [segment.text for segment in strip if segment.style and segment.style.underline]


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("fahr", ["fähr"]),
        ("ER ab", ["er", "ab"]),
        ("ahrt", []),
        ("german zug", ["zug", "de"]),
        ("de", ["de"]),
        ("", []),
    ],
)
def test_what_matches_is_set_off_as_the_search_finds_it(q: str, found: list[str]) -> None:
    assert drawn(Row("Hoffentlich fährt er ab."), q)[1] == found


def test_scripts_without_spaces_are_set_off_anywhere() -> None:
    assert drawn(Row("東京タワーに行きます。"), "タワー")[1] == ["タワー"]


def test_a_row_whose_match_no_column_shows_says_where_it_is() -> None:
    row = Row("Hoffentlich fährt er überhaupt noch ab, sagte sie.", title="Der letzte Regen", note="heard twice")
    line, found = drawn(row, "regen")
    assert "title: Der letzte Regen" in line
    assert found == ["Regen"]
    line, found = drawn(row, "regen twice", 110)
    assert "title: Der letzte Regen · note: heard twice" in line
    assert found == ["Regen", "twice"]
    assert "title" not in drawn(row, "hoffentlich")[0]


@pytest.mark.parametrize(
    ("sentence", "found", "said"),
    [
        ("Auf dem Bahnsteig wartet ein Mann mit einem Koffer.", "Bahnsteig", "Auf dem Bahnsteig wartet…  "),
        ("Auf dem Bahnsteig wartet ein Mann mit einem Koffer.", "Mann", "…ein Mann mit einem Koff…"),
        ("Auf dem Bahnsteig wartet ein Mann mit einem Koffer.", "Koffer", "…n Mann mit einem Koffer.  "),
        ("今日のお昼は学校の近くの店で月曜日のカレーを食べました。", "カレー", "…月曜日のカレーを食べま…   "),
    ],
)
def test_a_sentence_that_was_found_begins_so_that_the_match_is_seen(sentence: str, found: str, said: str) -> None:
    line, set_off = drawn(Row(sentence), found, 36, SAID)
    assert said in line
    assert "said:" not in line
    assert set_off == [found]


def test_a_match_in_the_part_that_is_cut_off_is_shown_with_what_is_around_it() -> None:
    row = Row("x" * 70 + " Verspätung am Ende", name="pepper-and-carrot-episode-12.srt")
    line, found = drawn(row, "verspatung", 70)
    assert "sentence: …" in line
    assert found == ["Verspätung"]
    line, found = drawn(row, "carrot", 70)
    assert "name: pepper-and-carrot" in line
    assert found == ["carrot"]


def test_what_is_unknown_is_a_dash_and_numbers_of_every_row_stay_in_line() -> None:
    line, _ = drawn(Row("Satz", code=""))
    other, _ = drawn(Row("Satz"))
    assert line.rstrip().endswith("–")
    assert line.index("–") == other.rstrip().index("de")
