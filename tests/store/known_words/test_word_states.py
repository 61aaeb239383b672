"""States of words in the store: older libraries, undo beside other undos, two processes, many words at once."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE, AddFilm
from tests.store.older_library import MOMENT, insert_film, library_before, lode_before
from tui.errors import StoreError
from tui.language.cue_sentences import SentenceForms
from tui.language.word_form import find_text_forms
from tui.records.clips import FocusWord, NewClip
from tui.records.word_states import WordState
from tui.records.words import WordMark
from tui.store import Store
from tui.store.tables.word_list import WordFilter

Child = Callable[..., subprocess.CompletedProcess[str]]


def words(store: Store, *states: WordState, profile: str = PROFILE) -> dict[str, WordState]:
    """The words that have one of these states, or any but new."""
    wanted = WordFilter(states=states or ("seen", "learning", "known", "ignored"))
    page = store.word_list.page(profile, wanted, "lemma", 0, 100_000)
    return {word.lemma: word.state for word in page.items}


def mark(store: Store, *lemmas: str, state: WordState = "known", profile: str = PROFILE) -> int:
    return store.word_states.mark(profile, [WordMark("de", lemma, state=state) for lemma in lemmas], "user")


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("learning", ["Hund"]),
        ("KNOWN", ["Katze", "neko"]),
        ("german", ["Hund", "Katze"]),
        ("ja", ["neko"]),
        ("known german", ["Katze"]),
        ("anki", ["neko"]),
        ("atz", ["Katze"]),
        ("ignored", []),
    ],
)
def test_words_are_found_by_what_stands_in_their_row(store: Store, q: str, found: list[str]) -> None:
    mark(store, "Hund", state="learning")
    mark(store, "Katze")
    store.word_states.mark(PROFILE, [WordMark("ja", "neko")], "anki")
    page = store.word_list.page(PROFILE, WordFilter(q=q), "lemma", 0, 9)
    assert [word.lemma for word in page.items] == found


def test_words_of_an_older_library_were_seen_where_it_has_clips_or_answers_which_stay_untouched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m012_word_states", tmp_path, monkeypatch) as connection:
        _insert_clip(connection, "1", {"surface": "fährt … ab", "lemma": "abfahren", "language": "de"})
        _insert_clip(connection, "2", {"surface": "Züge", "lemma": None, "language": "de-AT"})
        _insert_clip(connection, "3", {"surface": "unknown", "lemma": "unknown"})
        connection.execute("INSERT INTO forms (language, form, lemma, looked_up) VALUES ('de', 'züge', 'Zug', 1)")
        connection.execute(
            "INSERT INTO answers (id, profile, kind, model, sentence, focus, context, prompt, sys_msg, question,"
            " focus_word, surface, lemma, text, state, duration_ms, created_at, folded)"
            " VALUES ('a', 1, 'breakdown', 'm', 's', 'Uhr', '', '', '', '', ?, 'uhr', 'uhr', '', 'complete', 1, ?, '')",
            (json.dumps({"surface": "Uhr", "lemma": "Uhr", "language": "de"}), MOMENT),
        )
    with closing(Store.open(tmp_path)) as store:
        assert words(store) == dict.fromkeys(("abfahren", "Zug", "Uhr"), "seen")
        page = store.word_list.page(PROFILE, WordFilter(q="Uhr"), "lemma", 0, 9)
        assert (page.items[0].source, page.items[0].changed_at) == ("answer", MOMENT)
        assert store.clips.get(PROFILE, "1").updated_at == MOMENT
        assert mark(store, "Uhr") == 1


def test_names_of_an_older_library_are_ignored_at_once_where_nobody_gave_them_a_state_and_clips_stay_untouched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m010_blocks_of_counts", tmp_path, monkeypatch) as connection:
        texts = ("Hola, Rosa.", "Viene Paco con Manuela.", "Con Manuela, y Ana.", "Una rosa.", "Madrid está lejos.")
        insert_film(connection, "loro", "es", texts)
        insert_film(connection, "zug", "de", ("Viele Züge fahren.",))
    with lode_before("m020_names", monkeypatch), closing(Store.open(tmp_path)) as store:
        store.word_states.mark(PROFILE, [WordMark("es", "Ana", state="learning")], "user")
        clip = store.clips.add(PROFILE, NewClip("Viene Paco con Manuela."))
    with closing(sqlite3.connect(tmp_path / "lode.db")) as connection, connection:
        connection.execute(
            "INSERT OR IGNORE INTO words (language, folded, reading, lemma, ignored)"
            " SELECT language, form, '', form, 0 FROM forms"
        )
        connection.execute("UPDATE forms SET word = (SELECT seq FROM words WHERE folded = form)")
    with closing(Store.open(tmp_path)) as store:
        store.word_list.prepare(PROFILE)
        assert words(store) == {"Ana": "learning", "Manuela": "ignored", "Paco": "ignored"}
        assert store.clips.get(PROFILE, clip.id) == clip


def test_lemmas_of_an_older_library_are_looked_up_again_but_of_words_with_a_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m010_blocks_of_counts", tmp_path, monkeypatch) as connection:
        insert_film(connection, "tren", "es", ("decirle dámelo",))
    with lode_before("m021_lemmas", monkeypatch), closing(Store.open(tmp_path)) as store:
        store.words.set_lemmas("es", {"decirle": None, "dámelo": None})
        store.word_list.prepare(PROFILE)
        store.word_states.mark(PROFILE, [WordMark("es", "dámelo", state="known")], "user")
    with closing(Store.open(tmp_path)) as store:
        assert store.words.unlemmatised("es", 9) == ("decirle",)
        store.words.set_lemmas("es", {"decirle": "decir"})
        store.word_list.prepare(PROFILE)
        assert words(store) == {"dámelo": "known"}


def _insert_clip(connection: sqlite3.Connection, clip_id: str, focus: dict[str, str | None]) -> None:
    surface, lemma = (focus["surface"] or "").casefold(), (focus["lemma"] or "").casefold()
    connection.execute(
        "INSERT INTO clips (id, profile, sentence, context, translation, focus, surface, lemma, explanation, model,"
        " tags, note, source, spaceless, created_at, updated_at)"
        " VALUES (?1, 1, 's', '', '', ?2, ?3, ?4, '', '', '[]', '', '', 0, ?5, ?5)",
        (clip_id, json.dumps(focus), surface, lemma, MOMENT),
    )


def test_marks_and_deletions_are_undone_in_their_order(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Der Zug.")
    mark(store, "Zug", state="learning")
    store.transcripts.delete(PROFILE, [film.id])
    mark(store, "Zug", "der")
    kinds = [(restored.kind, restored.count) for _ in range(3) if (restored := store.trash.undo(PROFILE)) is not None]
    assert kinds == [("word", 2), ("transcript", 1), ("word", 1)]
    assert store.trash.undo(PROFILE) is None
    assert words(store) == {}


def test_undo_of_one_change_names_the_word_that_was_changed(store: Store) -> None:
    mark(store, "der")
    assert mark(store, "der", "Zug") == 1
    undone = store.trash.undo(PROFILE)
    assert undone is not None
    assert undone.summary == "the state of Zug"


def test_a_word_keeps_one_row_however_it_is_written(store: Store) -> None:
    assert mark(store, "Straße") == 1
    assert mark(store, "STRASSE") == 1  # another word: ß is kept
    assert mark(store, "straße", "  ") == 1
    assert words(store)["Straße"] == "known"


def test_a_profile_knows_nothing_of_what_another_one_knows(store: Store) -> None:
    mark(store, "Zug")
    mark(store, "Zug", state="learning", profile="ben")
    assert (words(store), words(store, profile="ben")) == ({"Zug": "known"}, {"Zug": "learning"})


@pytest.mark.exhaustive
def test_fifty_thousand_words_are_one_call_and_one_undo(store: Store) -> None:
    lemmas = [f"wort{number}" for number in range(50_000)]
    mark(store, *lemmas[:10], state="learning")
    assert mark(store, *lemmas) == 50_000
    assert len(words(store, "known")) == 50_000
    undone = store.trash.undo(PROFILE)
    assert undone is not None
    assert undone.count == 50_000
    assert len(words(store)) == 10


def test_what_another_process_marks_is_seen_here(store: Store, directory: Path, run_child: Child) -> None:
    text = [find_text_forms("Der Zug.", "de")]
    mark(store, "der")
    assert [word.state for word in store.word_states.resolve(PROFILE, "de", text)[0]] == ["known", "new"]
    done = run_child(
        "import sys; from pathlib import Path; from tui.store import Store; from tui.records.words import WordMark\n"
        "store = Store.open(Path(sys.argv[1]))\n"
        "store.word_states.mark('anna', [WordMark('de', 'Zug', state='learning')], 'user'); store.close()",
        directory,
    )
    assert done.returncode == 0, done.stderr
    assert [word.state for word in store.word_states.resolve(PROFILE, "de", text)[0]] == ["known", "learning"]


def test_a_backup_holds_the_states(store: Store, tmp_path: Path) -> None:
    mark(store, "Zug")
    copy = tmp_path / "copy"
    copy.mkdir()
    store.backup(copy / "lode.db")
    with closing(Store.open(copy)) as other:
        assert words(other) == {"Zug": "known"}


def test_a_clip_that_is_edited_to_have_another_word_has_that_seen_too(store: Store) -> None:
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", focus=FocusWord("Zug", language="de")))
    store.clips.edit(PROFILE, clip.id, NewClip("Der Zug.", focus=FocusWord("Der", lemma="der", language="de")))
    assert words(store) == {"Zug": "seen", "der": "seen"}
    store.clips.delete(PROFILE, [clip.id])
    assert words(store) == {"Zug": "seen", "der": "seen"}


def test_undo_of_clips_leaves_other_readings_of_their_words_and_words_that_were_marked_as_new_as_they_were(
    store: Store,
) -> None:
    store.word_states.mark(PROFILE, [WordMark("ja", "床", "ゆか"), WordMark("ja", "猫", "", "new")], "user")
    before = [word for some in store.word_list.each(PROFILE, "ja") for word in some]
    focuses = [FocusWord(lemma, lemma=lemma, language="ja") for lemma in ("床", "猫", "犬")]
    store.clips.add_at_once(PROFILE, [NewClip("床に猫と犬。", focus=focus) for focus in focuses])
    assert {word.lemma for some in store.word_list.each(PROFILE, "ja") for word in some} == {"床", "猫", "犬"}
    assert words(store)["猫"] == "seen"
    undone = store.trash.undo(PROFILE)
    assert undone is not None
    assert undone.count == 3
    assert [word for some in store.word_list.each(PROFILE, "ja") for word in some] == before


def test_states_that_are_none_are_refused_as_damage(store: Store) -> None:
    mark(store, "Zug")
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE word_states SET state = 'nonsense'")
    with pytest.raises(Exception, match="its state"):
        store.word_list.page(PROFILE, WordFilter(), "lemma", 0, 10)


def test_words_of_a_transcript_that_are_damaged_are_told_as_damage(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Der Zug kommt.")
    wanted = store.transcript_words.wanted(PROFILE, [film.id])
    store.transcript_words.save(wanted[0], SentenceForms((), ()), has_lemmas=True)
    for damage in ("ids = X'ffffff7f'", "sentences = X'01'", "sentences = X''", "ids = X'01'"):
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute(f"UPDATE transcript_words SET seq = seq + 1, {damage}")
        with pytest.raises(StoreError) as told:
            store.transcript_words.counts(PROFILE, wanted, ("known",))
        assert told.value.code == "library_damaged"


def test_a_transcript_that_is_deleted_for_good_takes_its_words_along(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Der Zug kommt.")
    (wanted,) = store.transcript_words.wanted(PROFILE, [film.id])
    store.transcript_words.save(wanted, SentenceForms((), ()), has_lemmas=True)
    store.transcripts.delete(PROFILE, [film.id])
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("DELETE FROM trash")  # as once nobody can undo it any more
    while store.trash.remove_discarded():
        pass
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("SELECT count(*) FROM transcript_words").fetchone() == (0,)
