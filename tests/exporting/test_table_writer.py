"""Records as tables and JSON Lines: a header, nested values as JSON, cells that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tui.errors import InvalidInput
from tui.exporting.table_writer import TableWriter
from tui.records.pages import to_json
from tui.records.words import KnownWord, WordMark
from tui.screens.words.marking_list import WordRow

MARKS = (WordMark("de", "=1+1"), WordMark("ja", "猫, 犬\n", state="learning"))


def test_a_table_has_the_names_of_the_fields_and_a_line_for_each_record() -> None:
    for ending, delimiter, begin in ((".csv", ",", "\ufeff"), (".tsv", "\t", "")):
        writer = TableWriter(ending)
        text = b"".join(map(writer.write, MARKS)).decode()
        assert text.startswith(begin)
        rows = list(csv.DictReader(io.StringIO(text.removeprefix(begin), newline=""), delimiter=delimiter))
        assert [row["language"] for row in rows] == ["de", "ja"]
        assert rows[0]["lemma"] == "'=1+1"
        assert rows[1]["lemma"].startswith("猫, 犬")


def test_json_lines_are_the_records_whole() -> None:
    writer = TableWriter(".jsonl")
    assert [json.loads(writer.write(mark)) for mark in MARKS] == list(map(to_json, MARKS))


def test_of_the_row_of_a_list_the_record_in_it_is_written() -> None:
    word = KnownWord("de", "Zug", "", "new", "", "", 2, 1)
    assert json.loads(TableWriter(".jsonl").write(WordRow(word))) == to_json(word)


def test_another_ending_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InvalidInput, match=r"\.csv, \.tsv, \.jsonl"):
        TableWriter(".xls")
