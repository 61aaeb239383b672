"""Dictionaries in a file of their own: written whole or not at all, found by their terms, in the order of the user."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tui.errors import InvalidInput, NotFound, StoreError
from tui.records.dictionaries import (
    DictionaryEntry,
    DictionaryInfo,
    DictionaryRow,
    Example,
    PitchAccent,
    Sense,
    TermFrequency,
    TermPronunciation,
)
from tui.store.dictionaries import dictionary_store
from tui.store.dictionaries.dictionary_store import DictionaryStore

INFO = DictionaryInfo("Small German", "yomitan", "1", "de", "en", "Anna", "https://x.test", "d", "a", "MIT")
DRIVE = DictionaryEntry(
    "fahren", "", ("verb",), (Sense(("to drive", "to go"), ("move",), (Example("Er fährt.", "H"),)),)
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DictionaryStore]:
    store = DictionaryStore.open(tmp_path)
    yield store
    store.close()


def terms(store: DictionaryStore, *keys: str, language: str | None = "de") -> list[str]:
    return [each.row.term for each in store.find(keys, language)]


def test_a_row_comes_back_as_it_went_in(store: DictionaryStore) -> None:
    pitch = (PitchAccent("ゆか", 0),)
    rows: list[DictionaryRow] = [
        DictionaryEntry(
            *(
                "床",
                "ゆか",
                ("noun",),
                DRIVE.senses,
                ("牀",),
                ("/juka/",),
                pitch,
                ("床",),
                ("地",),
                3.5,
                ("n",),
                "<b>floor</b>",
            )
        ),
        DictionaryEntry("leer"),
        TermFrequency("床", "ゆか", 1200, "1200位"),
        TermFrequency("床", "", None, "common"),
        TermPronunciation("床", "ゆか", ("[jɯka]",), pitch),
    ]
    made = store.add(replace(INFO, source_language="ja", frequency_mode="rank-based"), rows)
    assert (made.title, made.entry_count, made.frequency_mode) == ("Small German", 5, "rank-based")
    assert store.all() == (made,)
    found = {each.row for each in store.find(["床", "leer"], "ja")}
    assert found == set(rows)


def test_terms_are_found_without_case_by_reading_and_form_and_with_other_accents(store: DictionaryStore) -> None:
    store.add(INFO, [replace(DRIVE, reading="Faren", forms=("Fährt", "fuhr")), DictionaryEntry("Schön")])
    found = {(each.key, each.match, each.row.term) for each in store.find(["fahren", "faren", "fährt", "schon"], "de")}
    assert found == {
        ("fahren", "term", "fahren"),
        ("faren", "reading", "fahren"),
        ("fährt", "form", "fahren"),
        ("schon", "bare", "Schön"),
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
    large = store.add(INFO, (replace(DRIVE, term=f"fahren{number}") for number in range(5_000)))
    store.delete(large.id)
    store.remove_leftovers()
    store.close()
    assert (tmp_path / "dictionaries.db").stat().st_size < 100_000
    again = DictionaryStore.open(tmp_path)
    assert again.all() == (kept,)
    assert terms(again, "fahren") == ["fahren"]
    again.close()


def test_a_date_in_a_title_makes_no_other_dictionary_but_another_language_does(store: DictionaryStore) -> None:
    for title, language in (
        ("Jitendex.org [2025-06-01]", "ja"),
        ("Words (2024.11.30)", "de"),
        ("Words (2024.11.30)", "nl"),
        ("Words 2024", "de"),
    ):
        store.add(replace(INFO, title=title, source_language=language), [DRIVE])
    store.add(replace(INFO, title="Jitendex.org [2026-01-01]", source_language="ja"), [DRIVE])
    store.add(replace(INFO, title="Words", source_language="de"), [DRIVE])
    shown = [(each.title, each.source_language) for each in store.all()]
    assert shown == [
        ("Jitendex.org [2026-01-01]", "ja"),
        ("Words", "de"),
        ("Words (2024.11.30)", "nl"),
        ("Words 2024", "de"),
    ]


def test_a_dictionary_is_known_by_the_digest_of_its_file(store: DictionaryStore) -> None:
    added = store.add(INFO, [DRIVE], file_name="german.zip", digest="ab12")
    assert added.file_name == "german.zip"
    assert store.with_digest("ab12") == added
    assert store.with_digest("ff") is None
    store.delete(added.id)
    assert store.with_digest("ab12") is None


@pytest.mark.parametrize("at_once", [1, 2, 1000])
def test_what_is_broken_off_leaves_nothing(
    store: DictionaryStore, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(dictionary_store, "_AT_ONCE", at_once)
    monkeypatch.setattr(dictionary_store, "_SORTED_TOGETHER", 3)
    kept = store.add(replace(INFO, title="kept"), [DRIVE])

    def broken() -> Iterator[DictionaryRow]:
        for number in range(7):
            yield replace(DRIVE, forms=(f"form{number}",))
        raise ValueError("the file ends here")

    with pytest.raises(ValueError, match="ends here"):
        store.add(INFO, broken())

    def interrupted() -> Iterator[DictionaryRow]:
        yield from [DRIVE] * 3
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.add(INFO, interrupted())
    assert store.all() == (kept,)
    assert terms(store, "fahren", "form1") == ["fahren"]
    assert _rows(store) == (1, 1, 1)


def test_what_ended_an_import_is_told_where_what_it_wrote_cannot_be_removed_either(
    store: DictionaryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(seq: int) -> bool:
        raise StoreError("the disk is full")

    def broken() -> Iterator[DictionaryRow]:
        yield DRIVE
        raise ValueError("the file ends here")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(store, "_remove_some", full)
        with pytest.raises(ValueError, match="ends here"):
            store.add(INFO, broken())
    store.remove_leftovers()
    assert _rows(store) == (0, 0, 0)


def test_what_a_killed_process_left_goes_with_the_leftovers_and_what_is_being_written_stays(
    store: DictionaryStore, tmp_path: Path
) -> None:
    with store._connections.write() as connection:
        connection.execute(
            "INSERT INTO dictionaries (id, title, format, revision, author, url, description, attribution, license,"
            " entry_count, size_bytes, created_at, position, state, owner)"
            " VALUES ('dead', 'x', '', '', '', '', '', '', '', 0, 0, '', 0, 'new', 'nobody')"
        )
        connection.execute("INSERT INTO rows VALUES (?, 'entry', '[]')", ((1 << 32) + 5,))
        connection.execute("INSERT INTO terms VALUES (1, 'x', 'term', ?)", ((1 << 32) + 5,))
    assert store.all() == ()
    other = DictionaryStore.open(tmp_path)
    with other._connections.write() as connection:  # which another process is still writing
        connection.execute(
            "INSERT INTO dictionaries (id, title, format, revision, author, url, description, attribution, license,"
            " entry_count, size_bytes, created_at, position, state, owner)"
            " VALUES ('alive', 'y', '', '', '', '', '', '', '', 0, 0, '', 0, 'new', ?)",
            (other._owner.hold(),),
        )
    store.add(INFO, [DRIVE])
    store.remove_leftovers()
    with store._connections.read() as connection:
        assert {row["id"] for row in connection.execute("SELECT id FROM dictionaries WHERE state = 'new'")} == {"alive"}
    other.close()


def test_deleted_dictionaries_are_gone_and_others_stay(store: DictionaryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary_store, "_DELETED_AT_ONCE", 2)
    first, second = (store.add(replace(INFO, title=each), [DRIVE, DictionaryEntry("Zug")] * 4) for each in ("A", "B"))
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
    with store._connections.read() as connection:
        counts = (connection.execute(f"SELECT count(*) FROM {name}") for name in ("dictionaries", "rows", "terms"))
        return tuple(each.fetchone()[0] for each in counts)
