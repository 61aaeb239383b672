"""Words brought in from the command line: lists, Anki's packages, a running Anki, and a look before."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.cli.conftest import Lode, columns
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import running_anki
from tui.records.words import WordMark
from tui.store import Store


def known(lode: Lode) -> dict[str, str]:
    return {row[0]: row[3] for row in columns(lode("words", "list", "--search", ""))}


def test_a_list_is_imported_and_taken_back(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("der Hund\nKatzen\nzu Hause sein\n")
    done = lode("words", "import", str(path), "--language", "de")
    assert (done.code, done.out) == (0, "done\twords.txt\t2 words: 2 known; 2 changed; left out: 1 of several words\n")
    assert known(lode) == {"Hund": "known", "Katze": "known"}
    lode("undo")
    assert known(lode) == {}


def test_a_look_shows_fields_decks_and_counts_and_changes_nothing(lode: Lode, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    collection.known("der Hund", "dog", deck="Deutsch::A1")
    collection.note("neu", "new")
    path = str(collection.close())
    shown = lode("words", "import", path, "--language", "de", "--dry-run")
    assert shown.code == 0
    assert "* Front: der Hund · neu" in shown.out
    assert "decks: Default, Deutsch, Deutsch::A1" in shown.out
    assert "de  known  1\n1 would change, 0 are so already\nleft out: 1 cards that were never shown\n" in shown.out
    found = lode("words", "import", path, "--language", "de", "--dry-run", "--json").json()
    assert found["report"]["changed"] == 1
    assert found["offer"]["note_types"][0]["word_field"] == "Front"
    assert known(lode) == {}


def test_the_running_anki_is_asked_at_its_address_and_shows_a_word(lode: Lode, tmp_path: Path) -> None:
    with running_anki(tmp_path / "collection.anki2") as anki:
        anki.do(lambda collection: collection.known("der Hund", days=40))
        done = lode("words", "import", f"anki={anki.address}", "--language", "de")
        assert (done.code, "1 word: 1 known" in done.out) == (0, True)
        again = lode("words", "import", f"anki={anki.address}", "--language", "de")
        assert "; 0 changed" in again.out
        whole = lode("words", "import", f"anki={anki.address}", "--language", "de", "--all")
        assert "1 word: 1 known; 0 changed" in whole.out
        shown = lode("words", "browse", "Hund", "--anki", anki.address)
        assert (shown.code, shown.err) == (0, "Anki shows 1 note with Hund\n")
        lode("words", "browse", "Haus", "--anki", anki.address).check_refused("no note in Anki has 'Haus'")
    lode("words", "browse", "Zug", "--anki", "http://127.0.0.1:9").check_refused("AnkiConnect")


def test_what_is_missing_is_said_with_what_to_type(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("ich 300\nund 200\n")
    lode("words", "import", str(path), "--language", "de").check_refused("--first")
    path.write_text("Hund\nKatze\n")
    for source, said in (
        *((str(path), "--language"), (str(tmp_path / "none.txt"), "none.txt")),
        ("anki=http://127.0.0.1:9", "AnkiConnect"),
    ):
        done = lode("words", "import", source)
        assert (done.code, said in done.err) == (1, True), done


def test_words_come_back_from_a_table_also_what_a_spreadsheet_would_run(
    lode: Lode, store: Store, tmp_path: Path
) -> None:
    words = ['a "b", c', "=1+1", "+x", "-heit", "@home", "'tis", "'=x", "''-y", "#tag", "a;b", 'sa"id', "\uff1dw"]
    marks = [WordMark("de", word, "-r", "ignored" if word == "a;b" else "known") for word in words]
    store.word_states.mark("default", marks, "user")
    path = tmp_path / "words.csv"
    assert lode("words", "export", str(path)).code == 0
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    assert {row[4] for row in rows} == {"user"}
    assert len(rows) == len(words)
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\uff1d"))]
    assert lode("words", "import", str(path), "--profile", "other").code == 0
    assert lode("words", "export", "-", "--profile", "other").out.splitlines() == path.read_text("utf-8").splitlines()
    listed = lode("words", "list", "--json", "--profile", "other").json()
    assert {word["lemma"] for word in listed} == set(words)
    lode("words", "export", str(path)).check_refused("or replace it with --force")
    assert lode("words", "export", str(path), "--force", "--language", "fr").code == 0
    assert len(path.read_text("utf-8").splitlines()) == 1
