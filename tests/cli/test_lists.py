"""Lists in every format: exact for programs, with the columns that are named, in their order."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import STORY, Lode, add_file, columns
from tests.store.many_clips import add_many
from tui.cli.root import SECTIONS
from tui.records.clips import NewClip
from tui.store import Store

LISTS = (
    *((group, "list") for group in ("files", "transcripts", "clips", "dictionaries", "words", "jobs", "history")),
    *(("profiles", "list"), ("words", "own", "list"), ("words", "next"), ("providers",), ("usage",), ("help",)),
)


def test_every_format_has_the_same_rows(lode: Lode, story: Path) -> None:
    lode("add", str(story))
    (row,) = columns(lode("transcripts", "list"))
    (record,) = lode("transcripts", "list", "--json").json()
    assert row == [record["id"], "Der Zug", "de", "2", "5000", record["created_at"]]
    assert lode("transcripts", "list", "--format", "tsv").out == lode("transcripts", "list").out
    assert lode("transcripts", "list", "--format", "json").out == lode("transcripts", "list", "--json").out
    assert [json.loads(line) for line in lode("transcripts", "list", "--format", "jsonl").out.splitlines()] == [record]
    titles, cells = csv.reader(lode("transcripts", "list", "--format", "csv").out.splitlines())
    assert (titles, cells) == (["id", "title", "lang", "cues", "length", "age"], row)
    titles_line, line = lode("transcripts", "list", "--format", "table").out.splitlines()
    assert titles_line.split() == titles
    assert line.split()[:4] == [record["id"][:8], "Der", "Zug", "de"]
    assert lode("transcripts", "list", "--format", "tsv", terminal=True).out == lode("transcripts", "list").out


def test_columns_are_those_that_are_named_in_their_order_and_unusual_ones_too(lode: Lode, tmp_path: Path) -> None:
    add_file(lode, tmp_path / "Dark.S01E02.srt", STORY, "--language", "de")
    assert columns(lode("transcripts", "list", "--columns", "cues,series,title")) == [["2", "Dark", "Dark · S01E02"]]
    picked = ("transcripts", "list", "--columns", "Cues, one-new,lang")  # which are counted where they are named
    assert lode(*picked, "--format", "json").json() == [{"cues": 2, "one_new": 0, "lang": "de"}]
    assert lode(*picked, "--format", "jsonl").out == '{"cues":2,"one_new":0,"lang":"de"}\n'
    assert lode(*picked, "--format", "csv").out == "cues,one_new,lang\n2,0,de\n"
    assert lode(*picked, terminal=True).out.splitlines()[0].split() == ["cues", "one", "new", "lang"]


def test_csv_keeps_what_would_break_a_line_and_a_table_in_a_pipe_is_whole(lode: Lode, store: Store) -> None:
    store.clips.add("default", NewClip(sentence='Er sagt: "Ja,\nja." ' + "x" * 300, source="a,b"))
    ((sentence, source),) = csv.reader(
        lode("clips", "list", "--columns", "sentence,source", "--format", "csv").out.splitlines(True)[1:]
    )
    assert (sentence, source) == ('Er sagt: "Ja,\nja." ' + "x" * 300, "a,b")
    assert "x" * 300 in lode("clips", "list", "--format", "table").out


def test_a_table_of_many_pages_has_its_titles_once(lode: Lode, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add_many(store, "default", [NewClip(f"Satz {number}.") for number in range(25)])
    monkeypatch.setattr("tui.cli.commands.records.PAGE", 10)
    lines = lode("clips", "list", terminal=True).out.splitlines()
    assert [line for line in lines if line.startswith("id ")] == lines[:1]
    assert len(lines) == 26


@pytest.mark.exhaustive
def test_every_list_takes_the_options_of_lists(lode: Lode) -> None:
    assert {name for name, *_ in LISTS} <= {name for section in SECTIONS.values() for name in section}
    for command in LISTS:
        help = lode(*command, "--help").out
        assert all(option in help for option in ("--json", "--format", "--columns", "--no-pager")), command
        first = help.split("Only these, of ")[1].split(",")[0]
        for name in ("json", "jsonl", "csv", "tsv", "table"):
            done = lode(*command, "--format", name, "--columns", first)
            assert (done.code, done.err) == (0, ""), (command, name)
        assert lode(*command, "--columns", first, "--format", "csv", terminal=True).out.startswith(first + "\n")
