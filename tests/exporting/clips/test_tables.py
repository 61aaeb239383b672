"""Clips as tables: Python's csv reads back what was in them, and no spreadsheet finds a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator

import pytest

from tests.deck.clips import clip
from tests.hostile import HOSTILE
from tui.exporting.clip_writers import COLUMNS, write_csv, write_tsv
from tui.records.clips import Clip
from tui.text.clip_fields import CLIP_FIELDS
from tui.text.sanitize import without_controls

Writer = Callable[[Iterable[Clip]], Iterator[str]]
BOTH = pytest.mark.parametrize(("write", "delimiter"), [(write_csv, ","), (write_tsv, "\t")])
AWKWARD = "Er sagte: \"Zug, ab!\"\nund\tging; 'so'"


def rows(write: Writer, delimiter: str, *clips: Clip) -> list[dict[str, str]]:
    text = "".join(write(clips)).removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


@BOTH
def test_every_field_stands_in_its_column_whatever_is_in_it(write: Writer, delimiter: str) -> None:
    kept = clip(1, sentence=AWKWARD)
    (row,) = rows(write, delimiter, kept)
    assert tuple(row) == COLUMNS
    assert {field.name: row[field.name] for field in CLIP_FIELDS} == {
        field.name: field.text(kept) for field in CLIP_FIELDS
    }
    assert (row["id"], row["lemma"], row["start_ms"], row["updated_at"]) == (
        *("clip1", "abfahren", "121750"),
        kept.updated_at,
    )
    assert rows(write, delimiter) == []


def test_only_the_table_for_spreadsheets_begins_with_a_mark() -> None:
    assert "".join(write_csv([clip()])).startswith("\ufeffid,sentence,")
    assert "".join(write_csv([clip()])).count("\r\n") == 2
    assert "".join(write_tsv([])) == "\t".join(COLUMNS) + "\n"


@BOTH
@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\n=", "\r=", "\uff1d", "\x1b[1m="])
def test_a_cell_that_would_be_a_formula_is_a_text_that_can_still_be_read(
    write: Writer, delimiter: str, start: str
) -> None:
    text = f"{start}HYPERLINK(0)"
    (row,) = rows(write, delimiter, clip(sentence=text, note="-heit", translation="a = b", tags=(text,)))
    for name in ("sentence", "tags"):
        assert row[name].startswith("'")
        assert row[name].endswith("HYPERLINK(0)")
    assert (row["note"], row["translation"]) == ("'-heit", "a = b")


@pytest.mark.exhaustive
@BOTH
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_stay_in_their_cells(write: Writer, delimiter: str, text: str) -> None:
    (row,) = rows(write, delimiter, clip(sentence=text, explanation=text, source=text))
    assert {row[name].removeprefix("'") for name in ("sentence", "explanation", "source")} == {without_controls(text)}
