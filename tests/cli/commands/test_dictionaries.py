"""Dictionaries from the command line: added, listed, ordered, deleted, and asked."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Lode, Process, columns
from tests.dictionaries.making import INDEX, dictd, held_dictionary, structured, term_row, wiktionary_content, yomitan
from tests.hostile import FORBIDDEN, HOSTILE, WORST
from tui.dictionaries.formats import open_dictionary
from tui.service.local import LocalService
from tui.store.dictionaries.dictionary_store import DictionaryStore


@pytest.fixture
def german(tmp_path: Path) -> Path:
    content = wiktionary_content(
        "to drive", tags=["intransitive"], example="Er fährt nach Berlin.", translation="He drives to Berlin."
    )
    rows = [term_row("fahren", structured(content), "to ride", tags="v"), term_row("Zug", "train")]
    metas = [
        ["fahren", "freq", {"value": 120, "displayValue": "120th"}],
        ["fahren", "ipa", {"reading": "fahren", "transcriptions": [{"ipa": "/ˈfaːʁən/"}]}],
    ]
    index = {**INDEX, "title": "wty-de-en", "revision": "2026.1"}
    tags = [["v", "partOfSpeech", 0, "verb", 0]]
    return yomitan(tmp_path / "wty-de-en.zip", rows, metas=metas, tags=tags, index=index)


def freedict(folder: Path) -> Path:
    headers = {
        "00databaseshort": "00databaseshort\nGerman-English FreeDict Dictionary ver. 1.9",
        "00databaseinfo": "00databaseinfo\nCopyright (C) 2021 Anna Available under the terms of the GPL; see there.",
    }
    return dictd(folder, headers | {"abfahren": "abfahren /ˈapˌfaːʁən/ <v>\nto leave\n"})


def keep(home: Path, *paths: Path) -> None:
    """Add dictionaries as ``lode dictionaries add`` does it in a process of its own."""
    store = DictionaryStore.open(home)
    for path in paths:
        with open_dictionary(path) as dictionary:
            store.add(dictionary.info, dictionary.rows(lambda share: None), file_name=path.name)
    store.close()


@pytest.mark.exhaustive
def test_each_that_is_added_has_a_line(lode: Lode, german: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("just notes")
    done = lode("dictionaries", "add", str(german), str(notes), str(freedict(tmp_path)))
    assert done.code == 1
    assert columns(done) == [
        ["added", "wty-de-en.zip", "wty-de-en · 4 entries"],
        ["added", "freedict-deu-eng.index", "German-English FreeDict Dictionary · 1 entry"],
    ]
    assert "refused  notes.txt: notes.txt is no dictionary that Lode knows" in done.err
    assert "hint: these are read: Yomitan (.zip)" in done.err
    again = lode("dictionaries", "add", str(german), "--json").json()
    assert (again["state"], again["title"], again["kind"]) == ("same", "wty-de-en · already there", "dictionary")
    lode("dictionaries", "add", str(tmp_path / "none.zip")).check_refused("there is no file")


def test_they_are_listed_ordered_and_deleted(lode: Lode, german: Path, tmp_path: Path) -> None:
    assert lode("dictionaries", "list", "--json").json() == []
    assert "lode dictionaries add FILE" in lode("dictionaries", "list", terminal=True).err
    lode("dictionaries", "add", str(german), str(freedict(tmp_path)))
    first, second = lode("dictionaries", "list", "--json").json()
    assert (first["title"], first["entry_count"], first["format"]) == ("wty-de-en", 4, "yomitan")
    rows = columns(lode("dictionaries", "list"))
    assert [row[1:5] for row in rows] == [
        ["wty-de-en", "de → en", "4", "yomitan"],
        ["German-English FreeDict Dictionary", "de → en", "1", "dictd"],
    ]
    titles = lode("dictionaries", "list", terminal=True).out.splitlines()[0].split()
    assert titles == ["id", "title", "languages", "entries", "format", "size", "licence"]
    ordered = lode("dictionaries", "order", second["id"][:6], "--json").json()
    assert [each["id"] for each in ordered] == [second["id"], first["id"]]
    deleted = lode("dictionaries", "delete", first["id"], second["id"][:6])
    assert deleted.out == "deleted 2 dictionaries\n"
    assert "wty-de-en comes back when it is added again: wty-de-en.zip" in deleted.err
    assert lode("dictionaries", "list", "--json").json() == []
    lode("dictionaries", "delete", first["id"]).check_refused("lode dictionaries list")


def test_what_the_system_has_is_offered(
    lode: Lode, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dictd").mkdir()
    index = freedict(tmp_path / "dictd")
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    shown = lode("dictionaries", "list", terminal=True)
    assert f"this system has some: lode dictionaries add {index}" in shown.err.replace("\n", "")
    keep(home, index)
    assert "this system" not in lode("dictionaries", "list", terminal=True).err


def test_whole_entries_are_shown_with_whose_they_are(lode: Lode, home: Path, german: Path, tmp_path: Path) -> None:
    keep(home, german, freedict(tmp_path))
    shown = lode("dictionaries", "show", "fahren", "--language", "de").out
    assert shown.startswith("fahren · verb\n  1. (intransitive) to drive\n       “Er fährt nach Berlin.” He drives to")
    assert "\n  2. to ride\n  — wty-de-en\n" in shown
    assert "fahren · 120th in wty-de-en\nfahren · /ˈfaːʁən/ — wty-de-en\n" in shown
    phrase = lode("dictionaries", "show", "fährt", "--language", "de", "--sentence", "Der Zug fährt ab.").out
    assert phrase.startswith(
        "abfahren · verb · /ˈapˌfaːʁən/\n     to leave\n  — German-English FreeDict Dictionary · GPL"
    )
    found = lode("dictionaries", "show", "Zug", "--language", "de", "--json").json()
    assert found["entries"][0]["dictionary"]["title"] == "wty-de-en"
    lode("dictionaries", "show", "xyz", "--language", "de").check_refused("no dictionary has 'xyz'")
    lode("dictionaries", "show", "Zug", "--language", "german").check_refused("'german' is no language tag", code=2)
    lode("dictionaries", "show", "fährt").check_refused("--language de")
    lode("profiles", "set", "--learn", "es", "--learn", "de")  # which are asked where none is said
    assert "to drive" in lode("dictionaries", "show", "fährt").out


def test_each_dictionary_is_named_once_below_all_of_its_entries(lode: Lode, home: Path, tmp_path: Path) -> None:
    for title in ("One", "Two"):
        rows = [term_row("abfahren", f"leave {title}"), term_row("fahren", f"drive {title}")]
        keep(home, yomitan(tmp_path / f"{title}.zip", rows, index={**INDEX, "title": title}))
    shown = lode("dictionaries", "show", "fährt", "--language", "de", "--sentence", "Der Zug fährt ab.").out
    places = [shown.index(part) for part in ("leave One", "drive One", "— One", "leave Two", "drive Two", "— Two")]
    assert places == sorted(places)
    assert shown.count("— One") == shown.count("— Two") == 1


@pytest.mark.exhaustive
async def test_a_dictionary_that_is_still_being_added_is_named_where_nothing_is_found(
    service: LocalService, process: Process, german: Path
) -> None:
    with held_dictionary():
        await service.dictionaries.add([german])
        asked = await asyncio.to_thread(process, "dictionaries", "show", "xyz", "--language", "de")
    assert "wty-de-en.zip is still being added" in asked.stderr


@pytest.mark.exhaustive
def test_hostile_entries_reach_no_terminal(lode: Lode, home: Path, tmp_path: Path) -> None:
    index = {**INDEX, "title": f"title {WORST['osc 52']}", "author": WORST["action"], "attribution": WORST["action"]}
    rows = [term_row("wort", text, reading=text[:100], tags="n") for text in HOSTILE.values()]
    rows += [term_row(text[:200], "meaning") for text in HOSTILE.values()]
    keep(home, yomitan(tmp_path / "x.zip", rows, index=index))
    for args in (("list",), ("show", "wort", "--language", "de"), ("list", "--json")):
        for terminal in (True, False):
            done = lode("dictionaries", *args, terminal=terminal)
            assert done.code == 0
            assert not set(done.out + done.err) & set(FORBIDDEN)


def test_the_other_word_that_may_be_meant_is_named(lode: Lode, home: Path, tmp_path: Path) -> None:
    rows = [term_row("work", "Arbeit", tags="n"), term_row("work", "arbeiten", tags="v")]
    tags = [["n", "partOfSpeech", 0, "noun", 0], ["v", "partOfSpeech", 0, "verb", 0]]
    index = {**INDEX, "title": "en-de", "sourceLanguage": "en", "targetLanguage": "de"}
    keep(home, yomitan(tmp_path / "en-de.zip", rows, tags=tags, index=index))
    show = ("dictionaries", "show", "work", "--language", "en", "--sentence", "Work hard!")
    said = lode(*show).out
    assert "work · verb · may be meant as well" in said
    assert said.count("may be meant") == 1
    assert lode(*show, "--json").json()["other"] == 1
    ask = ("breakdown", "Work hard!", "--focus", "work", "--language", "en", "--model", "lexicon:concordance")
    assert "or work · verb: arbeiten\n" in lode(*ask).out
    first, *_ = map(json.loads, lode(*ask, "--json").out.splitlines())
    assert (first["focus"]["meanings"], first["other"]["meanings"]) == (["Arbeit"], ["arbeiten"])
