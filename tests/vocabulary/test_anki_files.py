"""Words of Anki collections and packages: every state of a card, every format, and files that are none."""

from __future__ import annotations

import sqlite3
import sys
import zipfile
from pathlib import Path

import pytest

from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.reading import offer_of, states_of, words_of
from tui.errors import ImportRefused, InvalidInput
from tui.records.vocabulary import VocabularyChoice, VocabularyWord
from tui.vocabulary.formats import open_vocabulary

EVERY_STATE = {
    "neu": None,
    "lernen": "learning",
    "wieder": "learning",
    "jung": "learning",
    "reif": "known",
    "ruhend": "known",
    "still": None,
    "begraben": "known",
    "vergraben": "learning",
    "geborgt": "known",
}


def test_due_state_and_interval_of_a_card_say_how_well_its_word_is_known(collection: Collection) -> None:
    collection.in_every_state()
    assert states_of(collection.close()) == EVERY_STATE


@pytest.mark.parametrize("legacy", [False, True], ids=["anki21b", "anki21"])
def test_a_package_says_the_same_as_its_collection(collection: Collection, tmp_path: Path, legacy: bool) -> None:
    collection.in_every_state()
    package = collection.package(tmp_path / "deck.apkg", legacy=legacy)
    assert states_of(package) == EVERY_STATE


@pytest.mark.parametrize("legacy", [False, True], ids=["anki21b", "anki21"])
def test_a_backup_of_the_whole_collection_is_read(collection: Collection, tmp_path: Path, legacy: bool) -> None:
    collection.known("Hund")
    package = tmp_path / "all.colpkg"
    collection.col.export_collection_package(str(package), include_media=False, legacy=legacy)
    assert states_of(package) == {"Hund": "known"}


def test_what_an_open_anki_has_not_yet_put_into_its_file_is_read(collection: Collection) -> None:
    collection.known("Hund")
    collection.col.save()
    assert states_of(collection.path) == {"Hund": "known"}
    collection.known("Katze")
    assert states_of(collection.path) == {"Hund": "known", "Katze": "known"}


def test_reading_changes_nothing_beside_the_file(collection: Collection) -> None:
    collection.known("Hund")
    path = collection.close()
    before = {each.name: each.stat().st_mtime_ns for each in path.parent.iterdir()}
    words_of(path)
    assert {each.name: each.stat().st_mtime_ns for each in path.parent.iterdir()} == before


@pytest.mark.parametrize(("days", "state"), [(20, "learning"), (21, "known")])
def test_a_word_is_known_from_21_days_on(collection: Collection, days: int, state: str) -> None:
    collection.known("Hund", days=days)
    assert states_of(collection.close()) == {"Hund": state}


def test_from_how_many_days_on_it_is_known_can_be_chosen(collection: Collection) -> None:
    collection.known("Hund", days=7)
    assert states_of(collection.close(), VocabularyChoice(known_days=7)) == {"Hund": "known"}


@pytest.mark.parametrize(
    ("suspended", "states"),
    [
        ("as-others", {"ruhend": "known", "still": None}),
        ("skip", {"ruhend": None, "still": None}),
        ("known", {"ruhend": "known", "still": "known"}),
        ("ignored", {"ruhend": "ignored", "still": "ignored"}),
    ],
)
def test_what_suspended_cards_say_can_be_chosen(collection: Collection, suspended: str, states: object) -> None:
    collection.in_every_state()
    found = states_of(collection.close(), VocabularyChoice(suspended=suspended))  # type: ignore[arg-type]  # each value
    assert {word: found[word] for word in ("ruhend", "still")} == states


def test_of_several_cards_the_best_counts(collection: Collection) -> None:
    note = collection.note("Hund", "dog", note_type="Basic (and reversed card)")
    forth, _ = note.cards()
    collection.set_card(forth, type=2, queue=2, ivl=100)
    assert states_of(collection.close()) == {"Hund": "known"}


def test_each_cloze_is_a_word_with_the_state_of_its_own_card(collection: Collection) -> None:
    note = collection.note("Der {{c1::Hund::dog}} {{c2::bellt}} {{c1::laut}}.", note_type="Cloze")
    collection.set_card(note.cards()[1], type=2, queue=2, ivl=30)
    assert states_of(collection.close()) == {"Hund": None, "bellt": "known", "laut": None}


def test_a_field_of_sentences_is_read_whole(collection: Collection) -> None:
    collection.known("Der {{c1::Hund::dog}} bellt.", note_type="Cloze")
    (word,) = words_of(collection.close(), VocabularyChoice(sentences=True))
    assert word.text == "Der Hund bellt."


def test_furigana_is_read_as_the_reading(collection: Collection) -> None:
    collection.note_type("Mining", "Expression", "Reading", "Sentence")
    collection.known(" 決[き]まり", "", note_type="Mining")
    collection.known("床", "ゆか", note_type="Mining")
    collection.known("<ruby>昨日<rp>(</rp><rt>きのう</rt><rp>)</rp></ruby>", note_type="Mining")
    found = {word.text: word.reading for word in words_of(collection.close())}
    assert found == {"決まり": "きまり", "床": "ゆか", "昨日": "きのう"}


def test_note_types_are_offered_with_samples_and_a_guess(collection: Collection) -> None:
    collection.note_type("Mining", "Sentence", "Word", "Meaning")
    collection.note("Der <b>Hund</b> bellt.", "Hund", "dog", note_type="Mining", deck="A::B")
    collection.note("Vorne", "hinten")
    collection.note("Katze", "cat")
    offer = offer_of(collection.close())
    assert [(each.name, each.word_field, each.notes) for each in offer.note_types] == [
        ("Basic", "Front", 2),
        ("Mining", "Word", 1),
    ]
    assert offer.note_types[1].fields[0].samples == ("Der Hund bellt.",)
    assert set(offer.decks) == {"Default", "Deutsch", "A", "A::B"}


def test_a_note_of_lodes_own_gives_its_lemma(tmp_path: Path) -> None:
    from tests.deck.clips import clip, write_clips

    write_clips(tmp_path / "lode.apkg", "Lode", [clip()])
    assert words_of(tmp_path / "lode.apkg") == [VocabularyWord("abfahren", is_lemma=True)]


def test_decks_hold_those_below_them_and_not_those_that_begin_alike(collection: Collection) -> None:
    collection.known("Hund", deck="Deutsch::A1")
    collection.known("perro", deck="Deutsch und Spanisch")
    collection.known("Katze", deck="deutsch")
    path = collection.close()
    assert set(states_of(path, VocabularyChoice(deck="Deutsch"))) == {"Hund", "Katze"}


def test_a_card_that_a_filtered_deck_borrowed_belongs_to_its_own_deck(collection: Collection) -> None:
    collection.in_every_state()
    assert states_of(collection.close(), VocabularyChoice(deck="Deutsch::Ferien")) == {"geborgt": "known"}


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        (VocabularyChoice(field="Wort"), "field_not_found"),
        (VocabularyChoice(note_type="Lapis"), "note_type_not_found"),
        (VocabularyChoice(deck="Deu"), "deck_not_found"),
    ],
)
def test_a_choice_that_is_not_there_is_told_with_what_there_is(
    collection: Collection, choice: VocabularyChoice, code: str
) -> None:
    collection.known("Hund")
    with pytest.raises(InvalidInput) as told:
        words_of(collection.close(), choice)
    assert told.value.code == code
    assert any(name in told.value.hint for name in ("Front", "Basic", "Deutsch"))


def test_a_field_that_no_name_tells_is_asked_for(collection: Collection) -> None:
    collection.note_type("Own", "Aussage", "Antwort")
    collection.known("Der Hund bellt die ganze Nacht lang.", note_type="Own")
    path = collection.close()
    with pytest.raises(InvalidInput) as told:
        words_of(path)
    assert told.value.code == "field_needed"
    assert "Aussage, Antwort" in told.value.hint


def test_notes_without_a_word_are_counted(collection: Collection) -> None:
    collection.known("Hund")
    collection.known("[sound:x.mp3]", "Katze")
    with open_vocabulary(collection.close(), collection.path.parent) as file:
        assert [word.text for word in file.words(VocabularyChoice(), lambda share: None)] == ["Hund"]
        assert file.skipped == 1


def test_progress_rises_to_the_end_and_what_it_raises_ends_the_reading(collection: Collection) -> None:
    for number in range(1_200):
        collection.note(f"Wort {number}")
    path = collection.close()
    shares: list[float] = []
    with open_vocabulary(path, path.parent) as file:
        assert len(list(file.words(VocabularyChoice(), shares.append))) == 1_200
    assert shares == sorted(shares) and len(shares) > 2 and shares[-1] == 1.0

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with open_vocabulary(path, path.parent) as file, pytest.raises(KeyboardInterrupt):
        list(file.words(VocabularyChoice(), stop))
    assert not list(path.parent.glob(".lode-tmp-*"))


def refusal(path: Path) -> ImportRefused:
    with pytest.raises(ImportRefused) as told:
        words_of(path)
    assert told.value.message.startswith(path.name)
    assert told.value.hint
    assert not list(path.parent.glob(".lode-tmp-*"))
    return told.value


def test_a_collection_of_a_newer_anki_is_told(collection: Collection) -> None:
    path = collection.close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE col SET ver = 19")
    assert refusal(path).code == "too_new"


def test_a_package_of_a_newer_anki_is_told(collection: Collection, tmp_path: Path) -> None:
    package = tmp_path / "new.apkg"
    with zipfile.ZipFile(package, "w") as made:
        made.writestr("meta", b"\x08\x04")
        made.writestr("collection.anki21b", b"?")
    assert refusal(package).code == "too_new"


@pytest.mark.parametrize("name", ["collection.anki21b", "collection.anki2"])
@pytest.mark.parametrize("data", [b"", b"(\xb5/\xfd\x00", b"nothing of the kind" * 1000])
def test_a_package_whose_collection_is_none_is_refused(tmp_path: Path, name: str, data: bytes) -> None:
    package = tmp_path / "bad.apkg"
    with zipfile.ZipFile(package, "w") as made:
        made.writestr(name, data)
    refusal(package)


@pytest.mark.exhaustive
def test_packages_that_unpack_to_a_thousand_times_their_size_are_refused(tmp_path: Path) -> None:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    zeros = bytes(200_000_000)
    for name, data, kind in (
        ("collection.anki21b", zstd.compress(zeros), zipfile.ZIP_STORED),
        ("collection.anki2", zeros, zipfile.ZIP_DEFLATED),
    ):
        package = tmp_path / "bomb.apkg"
        with zipfile.ZipFile(package, "w", kind) as made:
            made.writestr(name, data)
        assert "times its size" in refusal(package).message


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "season.zip"
    with zipfile.ZipFile(package, "w") as made:
        made.writestr("film.srt", "1\n")
    assert "without an Anki collection" in refusal(package).message


def test_another_sqlite_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lode.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE notes (id)")
    assert "no Anki collection" in refusal(path).message


def test_a_view_in_the_place_of_a_table_is_not_run(tmp_path: Path) -> None:
    path = tmp_path / "collection.anki2"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE col (ver)")
        database.execute("CREATE TABLE cards (nid)")
        endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
        database.execute(f"CREATE VIEW notes AS {endless}")
    assert "no Anki collection" in refusal(path).message


@pytest.mark.exhaustive
def test_damaged_collections_are_read_or_refused(collection: Collection, tmp_path: Path) -> None:
    for number in range(300):
        collection.known(f"Wort{number}")
    whole = collection.close().read_bytes()
    damaged = tmp_path / "damaged.anki2"
    refused = 0
    for at in range(100, len(whole), 3_301):
        damaged.write_bytes(whole[:at] + bytes(255 - byte for byte in whole[at : at + 900]) + whole[at + 900 :])
        try:
            words_of(damaged)
        except ImportRefused:
            refused += 1
    damaged.write_bytes(whole[: len(whole) // 2])
    refusal(damaged)
    assert refused
    assert not list(tmp_path.glob(".lode-tmp-*"))
