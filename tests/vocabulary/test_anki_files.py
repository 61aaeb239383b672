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
from tui.records.vocabulary import SuspendedCards, VocabularyChoice, VocabularyWord
from tui.vocabulary import anki_collection
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


@pytest.fixture(scope="session")
def every_state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed collection in every state, to be read only."""
    made = Collection(tmp_path_factory.mktemp("anki") / "collection.anki2")
    made.in_every_state()
    return made.close()


def test_due_state_and_interval_of_a_card_say_how_well_its_word_is_known(every_state: Path) -> None:
    assert states_of(every_state) == EVERY_STATE
    suspended: dict[SuspendedCards, dict[str, str | None]] = {
        "as-others": {"ruhend": "known", "still": None},
        "skip": {"ruhend": None, "still": None},
        "known": {"ruhend": "known", "still": "known"},
        "ignored": {"ruhend": "ignored", "still": "ignored"},
    }
    for choice, states in suspended.items():
        found = states_of(every_state, VocabularyChoice(suspended=choice))
        assert {word: found[word] for word in states} == states, choice
    borrowed = states_of(every_state, VocabularyChoice(deck="Deutsch::Ferien"))
    assert borrowed == {"geborgt": "known"}, "a card that a filtered deck has borrowed belongs to its own deck"


def test_packages_and_backups_say_the_same_as_their_collection(collection: Collection, tmp_path: Path) -> None:
    collection.in_every_state()
    for legacy in (False, True):
        assert states_of(collection.package(tmp_path / f"{legacy}.apkg", legacy=legacy)) == EVERY_STATE
    for legacy in (False, True):
        backup = tmp_path / f"{legacy}.colpkg"
        collection.col.export_collection_package(str(backup), include_media=False, legacy=legacy)
        collection.col.reopen()
        assert states_of(backup) == EVERY_STATE


def test_what_an_open_anki_has_not_yet_put_into_its_file_is_read(collection: Collection) -> None:
    collection.known("Hund")
    collection.col.save()
    assert states_of(collection.path) == {"Hund": "known"}
    collection.known("Katze")
    assert states_of(collection.path) == {"Hund": "known", "Katze": "known"}


def test_a_word_is_known_from_21_days_on_by_its_best_card_and_a_cloze_by_its_own(collection: Collection) -> None:
    for word, days in (("sieben", 7), ("zwanzig", 20), ("einundzwanzig", 21)):
        collection.known(word, days=days)
    forth, _ = collection.note("Hund", "dog", note_type="Basic (and reversed card)").cards()
    collection.set_card(forth, type=2, queue=2, ivl=100)
    cloze = collection.note("Der {{c1::Vogel::dog}} {{c2::singt}} {{c1::laut}}.", note_type="Cloze")
    collection.set_card(cloze.cards()[1], type=2, queue=2, ivl=30)
    path = collection.close()
    before = {each.name: each.stat().st_mtime_ns for each in path.parent.iterdir()}
    known = {"einundzwanzig": "known", "Hund": "known", "Vogel": None, "singt": "known", "laut": None}
    assert states_of(path) == {"sieben": "learning", "zwanzig": "learning", **known}
    assert states_of(path, VocabularyChoice(known_days=7)) == {"sieben": "known", "zwanzig": "known", **known}
    assert "Der Vogel singt laut." in states_of(path, VocabularyChoice(sentences=True))
    assert {each.name: each.stat().st_mtime_ns for each in path.parent.iterdir()} == before, "reading changes nothing"


def test_furigana_is_read_as_the_reading(collection: Collection) -> None:
    collection.note_type("Mining", "Expression", "Reading", "Sentence")
    collection.known(" 決[き]まり", "", note_type="Mining")
    collection.known("床", "ゆか", note_type="Mining")
    collection.known("<ruby>昨日<rp>(</rp><rt>きのう</rt><rp>)</rp></ruby>", note_type="Mining")
    found = {word.text: word.reading for word in words_of(collection.close())}
    assert found == {"決まり": "きまり", "床": "ゆか", "昨日": "きのう"}


def test_note_types_are_offered_with_samples_and_decks_hold_those_below_them(collection: Collection) -> None:
    collection.note_type("Mining", "Sentence", "Word", "Meaning")
    collection.note("Der <b>Hund</b> bellt.", "Hund", "dog", note_type="Mining", deck="A::B")
    collection.known("Vorne", "hinten", deck="Deutsch und Spanisch")
    collection.known("Katze", "cat", deck="deutsch")
    path = collection.close()
    offer = offer_of(path)
    assert [(each.name, each.word_field, each.notes) for each in offer.note_types] == [
        ("Basic", "Front", 2),
        ("Mining", "Word", 1),
    ]
    assert offer.note_types[1].fields[0].samples == ("Der Hund bellt.",)
    assert set(offer.decks) == {"Default", "deutsch", "Deutsch und Spanisch", "A", "A::B"}
    assert set(states_of(path, VocabularyChoice(deck="Deutsch"))) == {"Katze"}, "not one that begins alike"
    assert set(states_of(path, VocabularyChoice(deck="A"))) == {"Hund"}, "a deck holds those below it"


def test_a_note_of_lodes_own_gives_its_lemma(tmp_path: Path) -> None:
    from tests.deck.clips import clip, write_clips

    write_clips(tmp_path / "lode.apkg", "Lode", [clip()])
    assert words_of(tmp_path / "lode.apkg") == [VocabularyWord("abfahren", is_lemma=True)]


def test_a_choice_that_is_not_there_is_told_with_what_there_is(collection: Collection) -> None:
    collection.known("Hund")
    collection.note_type("Own", "Aussage", "Antwort")
    collection.known("Der Hund bellt die ganze Nacht lang.", note_type="Own")
    path = collection.close()
    for choice, code, named in (
        (VocabularyChoice(note_type="Basic", field="Wort"), "field_not_found", "Front"),
        (VocabularyChoice(note_type="Lapis"), "note_type_not_found", "Basic"),
        (VocabularyChoice(deck="Deu"), "deck_not_found", "Deutsch"),
        (VocabularyChoice(note_type="Own"), "field_needed", "Aussage, Antwort"),
    ):
        with pytest.raises(InvalidInput) as told:
            words_of(path, choice)
        assert (told.value.code, named in told.value.hint) == (code, True)


def test_notes_without_a_word_are_counted(collection: Collection) -> None:
    collection.known("Hund")
    collection.known("[sound:x.mp3]", "Katze")
    with open_vocabulary(collection.close(), collection.path.parent) as file:
        assert [word.text for word in file.words(VocabularyChoice(), lambda share: None)] == ["Hund"]
        assert file.skipped == 1


def test_what_progress_raises_ends_the_reading(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anki_collection, "ROWS_A_STEP", 10)
    for number in range(24):
        collection.note(f"Wort {number}")
    path = collection.close()
    shares: list[float] = []
    with open_vocabulary(path, path.parent) as file:
        assert len(list(file.words(VocabularyChoice(), shares.append))) == 24
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


def package_of(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, data in members.items():
            made.writestr(name, data)
    return path


def test_packages_of_a_newer_anki_of_something_else_or_of_nothing_are_refused(tmp_path: Path) -> None:
    newer = package_of(tmp_path / "new.apkg", **{"meta": b"\x08\x04", "collection.anki21b": b"?"})
    assert refusal(newer).code == "too_new"
    season = package_of(tmp_path / "season.zip", **{"film.srt": b"1\n"})
    assert "without an Anki collection" in refusal(season).message
    for name in ("collection.anki21b", "collection.anki2"):
        for data in (b"", b"(\xb5/\xfd\x00", b"nothing of the kind" * 1000):
            refusal(package_of(tmp_path / "bad.apkg", **{name: data}))


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


def test_another_sqlite_file_is_refused_and_a_view_in_the_place_of_a_table_is_not_run(tmp_path: Path) -> None:
    endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    for name, script in (
        ("lode.db", "CREATE TABLE notes (id)"),
        ("c.anki2", f"CREATE TABLE col (ver); CREATE TABLE cards (nid); CREATE VIEW notes AS {endless}"),
    ):
        with sqlite3.connect(tmp_path / name) as database:
            database.executescript(script)
        assert "no Anki collection" in refusal(tmp_path / name).message


@pytest.mark.exhaustive
def test_damaged_collections_are_read_or_refused(collection: Collection, tmp_path: Path) -> None:
    for number in range(60):
        collection.known(f"Wort{number}")
    whole = collection.close().read_bytes()
    damaged = tmp_path / "damaged.anki2"
    refused = 0
    for at in range(100, len(whole), 4_801):
        damaged.write_bytes(whole[:at] + bytes(255 - byte for byte in whole[at : at + 900]) + whole[at + 900 :])
        try:
            words_of(damaged)
        except ImportRefused:
            refused += 1
    damaged.write_bytes(whole[: len(whole) // 2])
    refusal(damaged)
    assert refused
    assert not list(tmp_path.glob(".lode-tmp-*"))
