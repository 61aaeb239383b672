"""A row of a list says what is known, what was searched for, and where that was found."""

from dataclasses import dataclass

from rich.style import Style

from tui.text.display import language
from tui.text.search_query import Matches
from tui.widgets.table.columns import LEAD, Column, ColumnWidths
from tui.widgets.table.drawing import STYLE_NAMES, TableLines


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
        measured.fitted(width),
        width,
        STYLES,
        Matches.of_query(q),
        lambda row: (("title", row.title), ("note", row.note)),
    )
    strip = lines.row(0, row, has_cursor=False, marked=False)
    return strip.text, [segment.text for segment in strip if segment.style and segment.style.underline]


def test_what_matches_is_set_off_as_the_search_finds_it() -> None:
    row = Row("Hoffentlich fährt er ab.")
    for q, found in (
        *(("fahr", ["fähr"]), ("ER ab", ["er", "ab"]), ("ahrt", [])),
        *(("german zug", ["zug", "de"]), ("de", ["de"]), ("", [])),
    ):
        assert drawn(row, q)[1] == found, q
    assert drawn(Row("東京タワーに行きます。"), "タワー")[1] == ["タワー"], "anywhere in a script without spaces"


def test_a_row_whose_match_no_column_shows_says_where_it_is() -> None:
    row = Row("Hoffentlich fährt er überhaupt noch ab, sagte sie.", title="Der letzte Regen", note="heard twice")
    line, found = drawn(row, "regen")
    assert "title: Der letzte Regen" in line
    assert found == ["Regen"]
    line, found = drawn(row, "regen twice", 110)
    assert "title: Der letzte Regen · note: heard twice" in line
    assert found == ["Regen", "twice"]
    assert "title" not in drawn(row, "hoffentlich")[0]


def test_a_sentence_that_was_found_begins_so_that_the_match_is_seen() -> None:
    platform = "Auf dem Bahnsteig wartet ein Mann mit einem Koffer."
    for sentence, found, said in (
        (platform, "Bahnsteig", "Auf dem Bahnsteig wartet…  "),
        (platform, "Mann", "…ein Mann mit einem Koff…"),
        (platform, "Koffer", "…n Mann mit einem Koffer.  "),
        ("今日のお昼は学校の近くの店で月曜日のカレーを食べました。", "カレー", "…月曜日のカレーを食べま…   "),
    ):
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


# Columns take the cells that their contents need, and share what is short or left over.


@dataclass(frozen=True, slots=True)
class Sized:
    name: str = ""
    meaning: str = ""
    size: str = ""


SIZED: tuple[Column[Sized], ...] = (
    Column("Name", lambda row: row.name, share=2),
    Column("Meaning", lambda row: row.meaning, share=1),
    Column("Size", lambda row: row.size, align="right"),
)


def widths(table_width: int, *rows: Sized) -> dict[str, int]:
    measured = ColumnWidths(SIZED)
    measured.measure(rows)
    fitted = measured.fitted(table_width)
    if fitted:
        assert LEAD + sum(width + gap for _, width, gap in fitted) == table_width
    return {column.title: width for column, width, _ in fitted}


def test_a_column_takes_what_its_contents_need_and_an_empty_one_nothing() -> None:
    long = Sized("x" * 60, "", "12 B")
    assert widths(80, long, Sized("y")) == {"Name": 61, "Size": 4}
    assert widths(80, Sized("x" * 60, "ja", "12 B")) == {"Name": 60, "Meaning": 7, "Size": 4}
    assert widths(80, Sized("x" * 60, "y" * 60, "12 B")) == {"Name": 44, "Meaning": 23, "Size": 4}
    assert list(widths(80)) == ["Name", "Meaning", "Size"], "the titles stand there before the first rows"


def test_wide_characters_are_measured_in_cells() -> None:
    assert widths(30, Sized("日本語" * 3, "日", "1")) == {"Name": 11, "Meaning": 6, "Size": 4}
    assert widths(40, Sized("日本語" * 2, "日", "1"))["Name"] >= 12


def test_what_nobody_needs_goes_between_the_columns_so_that_a_row_is_read_in_one_glance() -> None:
    measured = ColumnWidths(SIZED)
    measured.measure([Sized("x" * 30, "y" * 20, "12 B")])
    fitted = measured.fitted(100)
    gaps = [gap for _, _, gap in fitted]
    assert gaps == [10, 10, 2]
    assert [width for _, width, _ in fitted] == [51, 20, 4]


def test_widths_only_grow_and_new_pages_widen_only_what_would_be_cut() -> None:
    measured = ColumnWidths(SIZED)
    assert measured.measure([Sized("x" * 30, "y", "12 B")])
    before = measured.fitted(60)
    assert not measured.measure([Sized("x", "y", "1")])
    assert not measured.measure([Sized("z" * 50, "y", "1 B")], shared=False), "a sentence is cut anyway"
    assert measured.fitted(60) == before
    assert measured.measure([Sized("", "", "123 456 B")], shared=False)
