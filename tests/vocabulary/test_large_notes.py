"""Anki collections whose notes nobody wrote: their texts are never held whole, nor once more for each card."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.watching import MAX_MB, watch
from tui.anki.collection_file import MAX_FIELDS
from tui.anki.notes import read_notes
from tui.errors import ImportRefused
from tui.records.vocabulary import VocabularyChoice
from tui.vocabulary.formats import open_vocabulary

_TABLES = """
CREATE TABLE col (id INTEGER PRIMARY KEY, ver INT, models TEXT, decks TEXT);
CREATE TABLE notes (id INTEGER PRIMARY KEY, guid TEXT, mid INT, mod INT, flds TEXT, tags TEXT);
CREATE TABLE cards (id INTEGER PRIMARY KEY, nid INT, did INT, ord INT, type INT, queue INT, ivl INT, odid INT);
CREATE INDEX ix_cards_nid ON cards (nid);
"""
_MODELS = {
    "1": {
        "name": "Basic",
        "flds": [{"name": "Front", "ord": 0}, {"name": "Back", "ord": 1}],
        "tmpls": [{"name": "Card 1", "ord": 0, "qfmt": "{{Front}}", "afmt": "{{Back}}"}],
    }
}
_WORDS = """
import sys
from pathlib import Path
from tui.records.vocabulary import VocabularyChoice
from tui.vocabulary.formats import open_vocabulary
path = Path(sys.argv[1])
with open_vocabulary(path, path.parent) as file:
    file.offer()
    print(*(word.text for word in file.words(VocabularyChoice(), lambda share: None)))
"""
_NOTES = """
import sys
from pathlib import Path
from tui.anki.notes import read_notes
from tui.errors import ImportRefused
path = Path(sys.argv[1])
try:
    print(len(read_notes(path, path.parent, "lode", 1).notes))
except ImportRefused as error:
    print(error.code)
"""


def made(path: Path, *notes: str, cards: int = 1, models: object = _MODELS) -> Path:
    """A collection of schema 11 with notes of these fields, each with so many cards."""
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        database.execute("INSERT INTO col VALUES (1, 11, ?, '{}')", (json.dumps(models),))
        for number, fields in enumerate(notes):
            database.execute("INSERT INTO notes VALUES (?, ?, 1, 1, ?, '')", (number, f"lode{number}", fields))
            database.executemany(
                "INSERT INTO cards (nid, did, ord, type, queue, ivl, odid) VALUES (?, 1, ?, 2, 2, 30, 0)",
                ((number, card) for card in range(cards)),
            )
    return path


def test_a_note_of_ten_megabytes_is_held_once_for_all_of_its_cards(tmp_path: Path) -> None:
    path = made(tmp_path / "c.anki2", "Wort\x1f" + 10_000_000 * "x", cards=300)
    found = watch(_WORDS, path)
    assert (found.code, found.out.split()) == (0, ["Wort"])
    assert found.megabytes < 100


@pytest.mark.exhaustive
def test_notes_of_forty_megabytes_take_little(tmp_path: Path) -> None:
    path = made(tmp_path / "c.anki2", *[f"Wort\x1f😀{39_000_000 * 'x'}"] * 5)
    found = watch(_WORDS, path)
    assert (found.code, found.out.split()) == (0, 5 * ["Wort"])
    assert found.megabytes < MAX_MB
    found = watch(_NOTES, path)
    assert (found.code, found.out.strip()) == (0, "too_large")
    assert found.megabytes < MAX_MB


@pytest.mark.exhaustive
def test_notes_with_half_a_million_cards_take_little(tmp_path: Path) -> None:
    path = made(tmp_path / "c.anki2", "Wort\x1f", cards=500_000)
    for code, said in ((_WORDS, "Wort"), (_NOTES, "1")):
        found = watch(code, path)
        assert (found.code, found.out.strip()) == (0, said)
        assert found.megabytes < 100


@pytest.mark.exhaustive
def test_more_notes_of_lode_than_can_be_held_are_refused(tmp_path: Path) -> None:
    found = watch(_NOTES, made(tmp_path / "c.anki2", *[f"Wort\x1f😀{400_000 * 'x'}"] * 200))
    assert (found.code, found.out.strip()) == (0, "too_large")
    assert found.megabytes < MAX_MB


def test_note_types_of_many_megabytes_are_refused_before_they_are_read(tmp_path: Path) -> None:
    path = made(tmp_path / "c.anki2", "Wort\x1f", models=_MODELS | {"2": 2_500_000 * [{}]})
    for code in (_WORDS, _NOTES):
        found = watch(code, path)
        assert "describes its note types" in found.out or found.out.strip() == "too_large"
        assert found.megabytes < 100


def test_fields_of_a_large_note_are_told_apart_as_those_of_a_small_one(tmp_path: Path) -> None:
    picture = f"<img src='data:{3_000_000 * 'A'}'>"
    models = {"1": {"name": "Kanji", "flds": [{"name": name} for name in ("Picture", "Word", "Reading")]}}
    path = made(tmp_path / "c.anki2", f"{picture}\x1f猫\x1fねこ", "\x1f犬\x1fいぬ", models=models)
    with open_vocabulary(path, tmp_path) as file:
        words = list(file.words(VocabularyChoice(field="Word"), lambda share: None))
    assert [(word.text, word.reading) for word in words] == [("猫", "ねこ"), ("犬", "いぬ")]


def test_fields_beyond_the_last_that_is_read_are_left_out(tmp_path: Path) -> None:
    models = {"1": {"name": "Many", "flds": [{"name": f"f{number}"} for number in range(2 * MAX_FIELDS)]}}
    for long in (0, 3_000_000):
        path = made(
            tmp_path / f"{long}.anki2", "\x1f".join(["Wort", long * "x", *2 * MAX_FIELDS * ["y"]]), models=models
        )
        with open_vocabulary(path, tmp_path) as file:
            words = list(file.words(VocabularyChoice(field=f"f{MAX_FIELDS - 1}"), lambda share: None))
            assert [word.text for word in words] == ["y"]
            assert not list(file.words(VocabularyChoice(field=f"f{MAX_FIELDS}"), lambda share: None))


def test_a_note_of_lode_with_a_picture_in_it_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = made(tmp_path / "c.anki2", f"Wort\x1f{3_000_000 * 'A'}")
    with pytest.raises(ImportRefused) as told:
        read_notes(path, tmp_path, "lode", 1)
    assert "media" in told.value.hint
    assert not list(tmp_path.glob(".lode-tmp-*"))
