"""States of words in the store: undo beside other undos, two processes, many words at once."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE, AddFilm, remove_discarded, run_sql, undo
from tui.errors import StoreError
from tui.language.cue_sentences import SentenceForms
from tui.language.word_form import find_text_forms
from tui.records.clips import FocusWord, NewClip
from tui.records.word_states import WordState
from tui.records.words import WordMark
from tui.store import Store
from tui.store.tables.word_list import WordFilter


def words(store: Store, *states: WordState, profile: str = PROFILE) -> dict[str, WordState]:
    """The words that have one of these states, or any but new."""
    wanted = WordFilter(states=states or ("seen", "learning", "known", "ignored"))
    page = store.word_list.page(profile, wanted, "lemma", 0, 100_000)
    return {word.lemma: word.state for word in page.items}


def mark(store: Store, *lemmas: str, state: WordState = "known", profile: str = PROFILE) -> int:
    return store.word_states.mark(profile, [WordMark("de", lemma, state=state) for lemma in lemmas], "user")


def test_words_are_found_by_what_stands_in_their_row(store: Store) -> None:
    mark(store, "Hund", state="learning")
    mark(store, "Katze")
    store.word_states.mark(PROFILE, [WordMark("ja", "neko")], "anki")
    for found, queries in (
        (("Hund",), ("learning",)),
        (("Katze", "neko"), ("KNOWN",)),
        (("Hund", "Katze"), ("german",)),
        (("neko",), ("ja", "anki")),
        (("Katze",), ("known german", "atz")),
        ((), ("ignored",)),
    ):
        for q in queries:
            page = store.word_list.page(PROFILE, WordFilter(q=q), "lemma", 0, 9)
            assert tuple(word.lemma for word in page.items) == found, q


def test_marks_and_deletions_are_undone_in_their_order(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Der Zug.")
    mark(store, "Zug", state="learning")
    store.transcripts.delete(PROFILE, [film.id])
    mark(store, "Zug", "der")
    kinds = [((restored := undo(store)).kind, restored.count) for _ in range(3)]
    assert kinds == [("word", 2), ("transcript", 1), ("word", 1)]
    assert store.trash.undo(PROFILE) is None
    assert words(store) == {}


def test_undo_of_one_change_names_the_word_that_was_changed(store: Store) -> None:
    mark(store, "der")
    assert mark(store, "der", "Zug") == 1
    assert undo(store).summary == "the state of Zug"


def test_a_word_keeps_one_row_however_it_is_written(store: Store) -> None:
    assert mark(store, "Straße") == 1
    assert mark(store, "STRASSE") == 1  # another word: ß is kept
    assert mark(store, "straße", "  ") == 1
    assert words(store)["Straße"] == "known"


def test_profiles_know_nothing_of_each_other_and_a_backup_holds_both(store: Store, tmp_path: Path) -> None:
    mark(store, "Zug")
    mark(store, "Zug", state="learning", profile="ben")
    (tmp_path / "copy").mkdir()
    store.backup(tmp_path / "copy" / "lode.db")
    with closing(Store.open(tmp_path / "copy")) as copy:
        for each in (store, copy):
            assert (words(each), words(each, profile="ben")) == ({"Zug": "known"}, {"Zug": "learning"})


@pytest.mark.exhaustive
def test_more_words_than_a_statement_has_variables_are_one_call_and_one_undo(store: Store) -> None:
    lemmas = [f"wort{number}" for number in range(33_000)]
    mark(store, *lemmas[:10], state="learning")
    assert mark(store, *lemmas) == 33_000
    assert len(words(store, "known")) == 33_000
    assert undo(store).count == 33_000
    assert len(words(store)) == 10


def test_what_another_store_marks_is_seen_here(store: Store, directory: Path) -> None:
    text = [find_text_forms("Der Zug.", "de")]
    mark(store, "der")
    assert [word.state for word in store.word_states.resolve(PROFILE, "de", text)[0]] == ["known", "new"]
    with closing(Store.open(directory)) as other:  # as another process has one
        mark(other, "Zug", state="learning")
    assert [word.state for word in store.word_states.resolve(PROFILE, "de", text)[0]] == ["known", "learning"]


def test_a_clip_that_is_edited_to_have_another_word_has_that_seen_too(store: Store) -> None:
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", focus=FocusWord("Zug", language="de")))
    store.clips.edit(PROFILE, clip.id, NewClip("Der Zug.", focus=FocusWord("Der", lemma="der", language="de")))
    assert words(store) == {"Zug": "seen", "der": "seen"}
    store.clips.delete(PROFILE, [clip.id])
    assert words(store) == {"Zug": "seen", "der": "seen"}


def test_undo_of_clips_leaves_other_readings_and_words_that_were_marked_as_new_as_they_were(store: Store) -> None:
    store.word_states.mark(PROFILE, [WordMark("ja", "床", "ゆか"), WordMark("ja", "猫", "", "new")], "user")
    before = [word for some in store.word_list.each(PROFILE, "ja") for word in some]
    focuses = [FocusWord(lemma, lemma=lemma, language="ja") for lemma in ("床", "猫", "犬")]
    store.clips.add_at_once(PROFILE, [NewClip("床に猫と犬。", focus=focus) for focus in focuses])
    assert {word.lemma for some in store.word_list.each(PROFILE, "ja") for word in some} == {"床", "猫", "犬"}
    assert words(store)["猫"] == "seen"
    assert undo(store).count == 3
    assert [word for some in store.word_list.each(PROFILE, "ja") for word in some] == before


def test_states_that_are_none_are_refused_as_damage(store: Store) -> None:
    mark(store, "Zug")
    run_sql(store, "UPDATE word_states SET state = 'nonsense'")
    with pytest.raises(Exception, match="its state"):
        store.word_list.page(PROFILE, WordFilter(), "lemma", 0, 10)


def test_words_of_a_transcript_that_are_damaged_are_told_as_damage(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Der Zug kommt.")
    wanted = store.transcript_words.wanted(PROFILE, [film.id])
    store.transcript_words.save(
        wanted[0], SentenceForms((), ()), store.transcript_words.cues(wanted[0].seq), 0, has_lemmas=True
    )
    for damage in ("ids = X'ffffff7f'", "sentences = X'01'", "sentences = X''", "ids = X'01'"):
        run_sql(store, f"UPDATE transcript_words SET seq = seq + 1, {damage}")
        with pytest.raises(StoreError) as told:
            store.transcript_words.counts(PROFILE, wanted, ("known",))
        assert told.value.code == "library_damaged"


def test_a_transcript_that_is_deleted_for_good_takes_its_words_along(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Der Zug kommt.")
    (wanted,) = store.transcript_words.wanted(PROFILE, [film.id])
    store.transcript_words.save(
        wanted, SentenceForms((), ()), store.transcript_words.cues(wanted.seq), 0, has_lemmas=True
    )
    store.transcripts.delete(PROFILE, [film.id])
    run_sql(store, "DELETE FROM trash")  # as once nobody can undo it any more
    remove_discarded(store)
    assert run_sql(store, "SELECT 1 FROM transcript_words") == []
