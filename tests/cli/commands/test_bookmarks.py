"""``lode bookmarks``: what was set is listed as every list is, found, named and deleted."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Lode, columns


def test_bookmarks_are_added_by_line_listed_named_and_deleted(lode: Lode, story: Path) -> None:
    assert lode("bookmarks", "list", terminal=True).err.startswith("no bookmarks yet; set some with b in the app")
    lode("add", str(story))
    first = lode("bookmarks", "add", "Der Zug", "--line", "2").out.strip()
    named = lode("bookmarks", "add", "Der Zug", "--line", "1", "--name", "the begin", "--json").json()
    assert (named["cue_index"], named["text"], named["name"]) == (0, "Der Zug fährt ab.", "the begin")
    rows = [
        [named["id"], "Der Zug", "1", "1000", "Der Zug fährt ab.", "the begin"],
        [first, "Der Zug", "2", "3000", "Wir fahren mit.", ""],
    ]
    assert [row[:6] for row in columns(lode("bookmarks", "list"))] == rows
    assert [row[:6] for row in columns(lode("bookmarks", "list", "--search", "begin"))] == rows[:1]
    assert lode("bookmarks", "list", "--columns", "line,name", "--format", "json").json() == [
        {"line": 1, "name": "the begin"},
        {"line": 2, "name": ""},
    ]
    assert lode("bookmarks", "add", "Der Zug", "--line", "2", "--name", "mit").out.strip() == first
    assert lode("bookmarks", "delete", first[:8], named["id"]).code == 0
    assert lode("bookmarks", "list").out == ""
    assert "2 bookmarks" in lode("undo").out
    assert [row[5] for row in columns(lode("bookmarks", "list"))] == ["the begin", "mit"]


def test_what_cannot_be_is_refused_with_a_next_step(lode: Lode, story: Path) -> None:
    lode("add", str(story))
    lode("bookmarks", "add", "Der Zug", "--line", "3").check_refused("there is no cue 2 in it")
    lode("bookmarks", "add", "Der Bus", "--line", "1").check_refused("there is no transcript")
    lode("bookmarks", "add", "Der Zug", "--line", "1", "--name", "x" * 201).check_refused("at most 200 characters")
    lode("bookmarks", "delete", "nothing").check_refused("there is no bookmark 'nothing'")
    assert lode("bookmarks", "add", "Der Zug").code == 2
