"""Dictionaries in a file of their own: written whole or not at all, found by their terms, in the order of the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tui.errors import InvalidInput, NotFound, StoreError
from tui.records import dictionaries as records
from tui.store.dictionaries import dictionary_store
from tui.store.dictionaries.dictionary_store import DictionaryStore

INFO = records.DictionaryInfo("Small German", "yomitan", "1", "de", "en", "Anna", "https://x.test", "d", "a", "MIT")
DRIVE = records.DictionaryEntry(
    "fahren", "", ("verb",), (records.Sense(("to drive", "to go"), ("move",), (records.Example("Er fährt.", "H"),)),)
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DictionaryStore]:
    store = DictionaryStore.open(tmp_path)
    yield store
    store.close()


def terms(store: DictionaryStore, *keys: str, language: str | None = "de") -> list[str]:
    return [each.row.term for each in store.find(keys, language)]


def test_a_row_comes_back_as_it_went_in(store: DictionaryStore) -> None:
    pitch = (records.PitchAccent("ゆか", 0),)
    texts: dict[str, Any] = {
        "forms": ("牀",),
        "pronunciations": ("/juka/",),
        "lemmas": ("床",),
        "related": ("地",),
        "tags": ("n",),
    }
    whole = replace(DRIVE, term="床", reading="ゆか", pitch=pitch, score=3.5, html="<b>x</b>", **texts)
    rows: list[records.DictionaryRow] = [
        *(whole, records.DictionaryEntry("leer"), records.TermFrequency("床", "ゆか", 1200, "1200位")),
        *(records.TermFrequency("床", "", None, "common"), records.TermPronunciation("床", "ゆか", ("[jɯka]",), pitch)),
    ]
    made = store.add(replace(INFO, source_language="ja", frequency_mode="rank-based"), rows)
    assert (made.title, made.entry_count, made.frequency_mode) == ("Small German", 5, "rank-based")
    assert store.all() == (made,)
    assert {each.row for each in store.find(["床", "leer"], "ja")} == set(rows)


def test_terms_are_found_without_case_by_reading_and_form_and_with_other_accents(store: DictionaryStore) -> None:
    store.add(INFO, [replace(DRIVE, reading="Faren", forms=("Fährt", "fuhr")), records.DictionaryEntry("Schön")])
    found = {(each.key, each.match, each.row.term) for each in store.find(["fahren", "faren", "fährt", "schon"], "de")}
    assert found == {
        *(("fahren", "term", "fahren"), ("faren", "reading", "fahren")),
        *(("fährt", "form", "fahren"), ("schon", "bare", "Schön")),
    }


def test_dictionaries_of_other_languages_are_not_asked(store: DictionaryStore) -> None:
    for language in ("de-AT", "nl", None):
        store.add(
            replace(INFO, title=str(language), source_language=language), [replace(DRIVE, forms=(str(language),))]
        )
    for asked, titles in (("de", ["de-AT", "None"]), ("nl-BE", ["nl", "None"]), (None, ["de-AT", "nl", "None"])):
        assert [each.dictionary.title for each in store.find(["fahren"], asked)] == titles


def test_the_order_is_the_users_and_a_new_revision_takes_the_place_of_the_old_one(store: DictionaryStore) -> None:
    ids = [store.add(replace(INFO, title=title), [DRIVE]).id for title in ("A", "B", "C")]
    assert [each.title for each in store.reorder(ids[2])] == ["C", "A", "B"]
    assert [each.dictionary.title for each in store.find(["fahren"], "de")] == ["C", "A", "B"]
    newer = store.add(replace(INFO, title="A", revision="2"), [replace(DRIVE, score=7.0)])
    assert [(each.title, each.revision) for each in store.all()] == [("C", "1"), ("A", "2"), ("B", "1")]
    assert [each.row.score for each in store.find(["fahren"], "de")] == [0.0, 7.0, 0.0]  # type: ignore[union-attr]  # an entry
    assert store.get("A").id == newer.id != ids[0]
    store.remove_leftovers()
    assert _rows(store) == (3, 3, 3)


def test_the_file_shrinks_when_a_dictionary_goes(
    store: DictionaryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dictionary_store, "_PAGES_AT_ONCE", 50)
    kept = store.add(replace(INFO, title="kept"), [DRIVE])
    large = store.add(INFO, (replace(DRIVE, term=f"fahren{number}") for number in range(2_000)))
    store.delete(large.id)
    store.remove_leftovers()
    store.close()
    assert (tmp_path / "dictionaries.db").stat().st_size < 100_000
    with closing(DictionaryStore.open(tmp_path)) as again:
        assert again.all() == (kept,)
        assert terms(again, "fahren") == ["fahren"]


def test_a_date_in_a_title_makes_no_other_dictionary_but_another_language_does(store: DictionaryStore) -> None:
    words = {"Words (2024.11.30)": "nl", "Words 2024": "de"}
    for title, language in (("Jitendex.org [2025-06-01]", "ja"), ("Words (2024.11.30)", "de"), *words.items()):
        store.add(replace(INFO, title=title, source_language=language), [DRIVE])
    newer = {"Jitendex.org [2026-01-01]": "ja", "Words": "de"}
    for title, language in newer.items():
        store.add(replace(INFO, title=title, source_language=language), [DRIVE])
    assert {each.title: each.source_language for each in store.all()} == newer | words


def test_a_dictionary_is_known_by_the_digest_of_its_file(store: DictionaryStore) -> None:
    added = store.add(INFO, [DRIVE], file_name="german.zip", digest="ab12")
    assert added.file_name == "german.zip"
    assert store.with_digest("ab12") == added
    assert store.with_digest("ff") is None
    store.delete(added.id)
    assert store.with_digest("ab12") is None


class Broken(BaseException):
    """How an import ends that is broken off, as by Ctrl+C."""


def broken_after(*rows: records.DictionaryRow) -> Iterator[records.DictionaryRow]:
    yield from rows
    raise Broken


@pytest.mark.parametrize("at_once", [1, 1000])
def test_what_is_broken_off_leaves_nothing(
    store: DictionaryStore, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(dictionary_store, "_AT_ONCE", at_once)
    monkeypatch.setattr(dictionary_store, "_SORTED_TOGETHER", 3)
    kept = store.add(replace(INFO, title="kept"), [DRIVE])
    for rows in ([replace(DRIVE, forms=(f"form{number}",)) for number in range(7)], [DRIVE] * 3):
        with pytest.raises(Broken):
            store.add(INFO, broken_after(*rows))
    assert store.all() == (kept,)
    assert terms(store, "fahren", "form1") == ["fahren"]
    assert _rows(store) == (1, 1, 1)


def test_what_ended_an_import_is_told_where_it_cannot_be_removed_either(
    store: DictionaryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(seq: int) -> bool:
        raise StoreError("the disk is full")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(store, "_remove_some", full)
        with pytest.raises(Broken):
            store.add(INFO, broken_after(DRIVE))
    store.remove_leftovers()
    assert _rows(store) == (0, 0, 0)


def test_leftovers_of_killed_processes_go_and_what_is_being_written_stays(
    store: DictionaryStore, tmp_path: Path
) -> None:
    insert = (
        "INSERT INTO dictionaries (id, title, format, revision, author, url, description, attribution, license,"
        " entry_count, size_bytes, created_at, position, state, owner)"
        " VALUES (?, 'x', '', '', '', '', '', '', '', 0, 0, '', 0, 'new', ?)"
    )
    with store._connections.write() as connection:
        connection.execute(insert, ("dead", "nobody"))
        connection.execute("INSERT INTO rows VALUES (?, 'entry', '[]')", ((1 << 32) + 5,))
        connection.execute("INSERT INTO terms VALUES (1, 'x', 'term', ?)", ((1 << 32) + 5,))
    assert store.all() == ()
    with closing(DictionaryStore.open(tmp_path)) as other:
        with other._connections.write() as connection:  # which another process is still writing
            connection.execute(insert, ("alive", other._owner.hold()))
        store.add(INFO, [DRIVE])
        store.remove_leftovers()
        assert store._connections.column("SELECT id FROM dictionaries WHERE state = 'new'") == ["alive"]


def test_deleted_dictionaries_are_gone_and_others_stay(store: DictionaryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary_store, "_DELETED_AT_ONCE", 2)
    first, second = (
        store.add(replace(INFO, title=each), [DRIVE, records.DictionaryEntry("Zug")] * 4) for each in ("A", "B")
    )
    assert store.delete(first.id[:6]) == (first,)
    store.remove_leftovers()
    assert store.all() == (second,)
    assert _rows(store) == (1, 8, 8)
    with pytest.raises(NotFound, match="no dictionary"):
        store.delete(first.id)


def test_ids_and_titles_name_a_dictionary(store: DictionaryStore) -> None:
    one, two = (store.add(replace(INFO, title=title), [DRIVE]) for title in ("One", "Two"))
    with store._connections.write() as connection:
        connection.execute("UPDATE dictionaries SET id = 'ab' || seq")
    assert [store.get(name).title for name in ("One", "ab1", "Two")] == ["One", "One", "Two"]
    for given, error in (("ab", InvalidInput), ("zz", NotFound), ("", NotFound)):
        with pytest.raises(error):
            store.get(given)
    assert one.id != two.id


def test_a_file_that_is_damaged_or_newer_says_so_and_leaves_the_library_alone(tmp_path: Path) -> None:
    (tmp_path / "dictionaries.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    with pytest.raises(StoreError) as caught:
        DictionaryStore.open(tmp_path)
    assert (caught.value.code, "lode.db" in caught.value.hint) == ("dictionaries_damaged", False)
    (tmp_path / "dictionaries.db").unlink()
    store = DictionaryStore.open(tmp_path)
    with store._connections.connect() as connection:
        connection.execute("PRAGMA user_version = 9")
    store.close()
    with pytest.raises(StoreError, match="newer"):
        DictionaryStore.open(tmp_path)


def _rows(store: DictionaryStore) -> tuple[int, ...]:
    return tuple(store._connections.value(f"SELECT count(*) FROM {name}") for name in ("dictionaries", "rows", "terms"))
