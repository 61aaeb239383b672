"""Marks for mining stay at their words, and the cards of a review become clips in one step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.store.conftest import (
    PROFILE,
    AddFilm,
    check_search_tables,
    everything,
    redo,
    remove_discarded,
    run_sql,
    undo,
)
from tests.store.tables.test_reimport import read, timed
from tui.errors import InvalidInput, NotFound
from tui.records.clips import FocusWord, NewClip
from tui.records.mining import MiningMark
from tui.records.reviews import Change
from tui.records.transcripts import Cue, Transcript
from tui.store import Store
from tui.text.marked_words import find_marked

TEXTS = ("Der Zug fährt ab.", "Er hält hier.", "Wir fahren mit dem Zug.")


@pytest.fixture
def film(add_film: AddFilm) -> Transcript:
    _, film = add_film(*TEXTS, name="Zug.srt")
    return film


def put(
    store: Store, film: Transcript, cue: int, start: int, end: int, *, is_sentence: bool = False, focus: str = ""
) -> MiningMark:
    return store.mining_marks.put(PROFILE, film.id, MiningMark(cue, start, end, "", focus, is_sentence))


def at(store: Store, film: Transcript) -> list[tuple[int, int, str]]:
    return [(each.cue, each.start, each.text) for each in store.mining_marks.of(PROFILE, film.id)]


def test_a_mark_says_what_stands_where_it_is_and_each_step_is_undone_and_redone(store: Store, film: Transcript) -> None:
    word = put(store, film, 0, 8, 13)
    assert (word.text, word.focus, word.is_sentence) == ("fährt", "fährt", False)
    sentence = put(store, film, 0, 8, 13, is_sentence=True)
    assert sentence == replace(word, is_sentence=True) and put(store, film, 0, 8, 13, is_sentence=True) == sentence
    apart = put(store, film, 2, 4, 22, focus="fahren Zug")
    assert (apart.text, apart.focus) == ("fahren mit dem Zug", "fahren Zug")
    assert store.mining_marks.delete(PROFILE, film.id, 0, 8) == 1
    assert store.mining_marks.delete(PROFILE, film.id, 0, 8) == 0
    assert at(store, film) == [(2, 4, "fahren mit dem Zug")]
    kinds = ["mining_mark", "set_mining_mark", "set_mining_mark", "set_mining_mark"]
    assert [step.kind for step in store.trash.steps(PROFILE)] == kinds
    states = []
    for _ in kinds:
        states.append([(each.cue, each.is_sentence) for each in store.mining_marks.of(PROFILE, film.id)])
        undo(store)
    assert states == [[(2, False)], [(0, True), (2, False)], [(0, True)], [(0, False)]]
    assert at(store, film) == []
    for state in reversed(states):
        redo(store)
        assert [(each.cue, each.is_sentence) for each in store.mining_marks.of(PROFILE, film.id)] == state


def test_there_is_no_mark_where_there_is_no_word(store: Store, film: Transcript) -> None:
    for cue, start, end in ((0, 3, 4), (0, 99, 100), (0, -1, 3), (9, 0, 3), (0, 3, 3)):
        with pytest.raises(InvalidInput, match="no word"):
            put(store, film, cue, start, end)
    with pytest.raises(NotFound):
        store.mining_marks.of("berta", film.id)
    assert store.trash.steps(PROFILE) == ()


def test_marks_stay_at_their_words_as_cues_are_edited_and_one_whose_word_is_gone_is_not_there(
    store: Store, film: Transcript
) -> None:
    put(store, film, 0, 4, 7)
    put(store, film, 1, 3, 7)
    put(store, film, 2, 4, 10)
    store.cue_edits.insert(PROFILE, film.id, 0, "Am Anfang.", 0, 100)
    assert at(store, film) == [(1, 4, "Zug"), (2, 3, "hält"), (3, 4, "fahren")]
    store.cue_edits.edit(PROFILE, film.id, 1, TEXTS[0], text="Da: der Zug fährt ab.")
    store.cue_edits.edit(PROFILE, film.id, 2, TEXTS[1], text="Er steht hier.")
    assert at(store, film) == [(1, 8, "Zug"), (3, 4, "fahren")]
    undo(store)
    assert at(store, film) == [(1, 8, "Zug"), (2, 3, "hält"), (3, 4, "fahren")]
    store.cue_edits.merge(PROFILE, film.id, 1, "Da: der Zug fährt ab.")
    assert at(store, film) == [(1, 8, "Zug"), (1, 25, "hält"), (2, 4, "fahren")]
    undo(store)
    undo(store)
    undo(store)
    assert at(store, film) == [(0, 4, "Zug"), (1, 3, "hält"), (2, 4, "fahren")]


def test_another_reading_of_the_file_takes_marks_along_by_their_times(store: Store) -> None:
    _, transcript = read(store, timed(*TEXTS))
    put(store, transcript, 1, 3, 7)
    later = [replace(cue, index=cue.index + 1) for cue in timed(*TEXTS)]
    read(store, timed("Vorspann", begin=-5000) + later)
    assert at(store, transcript) == [(2, 3, "hält")]
    undo(store)
    assert at(store, transcript) == [(1, 3, "hält")]


def test_marks_go_with_their_transcript_for_good_and_into_another_profile(store: Store, film: Transcript) -> None:
    put(store, film, 0, 4, 7)
    store.moving.move(PROFILE, "transcripts", [film.id], "berta", dry_run=False)
    assert [each.text for each in store.mining_marks.of("berta", film.id)] == ["Zug"]
    store.moving.move("berta", "transcripts", [film.id], PROFILE, dry_run=False)
    store.transcripts.delete(PROFILE, [film.id])
    undo(store)
    assert at(store, film) == [(0, 4, "Zug")]
    store.transcripts.delete(PROFILE, [film.id])
    run_sql(store, "DELETE FROM trash")
    remove_discarded(store)
    assert run_sql(store, "SELECT count(*) FROM mining_marks") == [(0,)]


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (("x", "Ein Zug.", "Der Zug."), (1, 4)),
        (("Der Zug.", "x", "y"), (0, 4)),
        (("x", "Zugvogel", "y"), None),
        (("x", "Ein Zug und noch ein Zug.", "y"), (1, 4)),
    ],
)
def test_a_word_is_looked_for_where_it_was_and_beside_it(texts: tuple[str, ...], found: tuple[int, int] | None) -> None:
    mark = MiningMark(1, 4, 7, "Zug", "Zug", cue_text="Der Zug.")
    here = find_marked([Cue(index, None, None, text) for index, text in enumerate(texts)], mark)
    if texts[2] == "Der Zug.":
        found = 2, 4  # where its own cue is now
    assert (None if here is None else (here.cue, here.start)) == found


def card(film: Transcript, cue: int, word: str, **more: str) -> NewClip:
    focus = FocusWord(word, meanings=(f"meaning of {word}",), language="de", origin="llm")
    return NewClip(TEXTS[cue], film.id, film.file_id, cue, focus=focus, tags=("mined",), **more)  # type: ignore[arg-type]


@pytest.fixture
def review(store: Store, film: Transcript) -> str:
    review = store.reviews.begin(PROFILE, film.id, "cards", "fake:model")
    cards = [card(film, 0, "Zug"), card(film, 0, "fährt"), card(film, 2, "fahren")]
    changes = [
        Change(each.cue_index or 0, each.sentence, f"meaning of {number}", card=each, number=number)
        for number, each in enumerate(cards)
    ]
    store.reviews.add(PROFILE, review, changes)
    return review


def state(store: Store) -> dict[str, list[tuple[object, ...]]]:
    return {name: rows for name, rows in everything(store).items() if name not in ("forms", "words")}


def test_cards_become_clips_once_and_complete_those_that_are_there(store: Store, film: Transcript, review: str) -> None:
    there = store.clips.add(PROFILE, NewClip(TEXTS[0], film.id, cue_index=0, focus=FocusWord("Zug"), note="mine"))
    assert [item.cue_index for item in store.reviews.items(PROFILE, review).items] == [0, 0, 2]
    assert store.reviews.count_waiting(PROFILE) == 3
    store.reviews.decide(PROFILE, review, 2, 2, taken=False)
    before = state(store)
    assert store.reviews.apply(PROFILE, review, dry_run=True).clips == 2
    assert state(store) == before
    applied = store.reviews.apply(PROFILE, review)
    assert (applied.changed, applied.clips, applied.changed_meanwhile) == (2, 2, 0)
    completed = store.clips.get(PROFILE, there.id)
    assert completed.focus is not None and completed.focus.meanings == ("meaning of Zug",)
    assert (completed.note, completed.tags) == ("mine", ("mined",))
    assert store.clips.page(PROFILE).total == 2 and store.reviews.count_waiting(PROFILE) == 0
    check_search_tables(store)
    after = state(store)
    assert undo(store).kind == "mined_review"
    assert store.clips.page(PROFILE).total == 1
    assert store.clips.get(PROFILE, there.id).contents() == there.contents()
    assert store.reviews.get(PROFILE, review).taken == 2
    check_search_tables(store)
    redo(store)
    assert {name: len(rows) for name, rows in state(store).items()} == {n: len(rows) for n, rows in after.items()}
    assert store.clips.get(PROFILE, there.id).contents() == completed.contents()
    assert store.clips.page(PROFILE).total == 2 and store.reviews.page(PROFILE).total == 0


def test_two_cards_of_one_word_make_one_clip_and_undo_takes_it_whole(
    store: Store, film: Transcript, review: str
) -> None:
    again = replace(card(film, 0, "Zug"), translation="The train leaves.")
    store.reviews.add(PROFILE, review, [Change(0, TEXTS[0], "x", card=again, number=7)])
    store.reviews.apply(PROFILE, review)
    clips = store.clips.page(PROFILE).items
    assert len(clips) == 3 and [clip.translation for clip in clips if clip.translation] == ["The train leaves."]
    undo(store)
    assert store.clips.page(PROFILE).total == 0


def test_a_card_whose_line_was_changed_meanwhile_stands_by_itself_and_a_file_may_be_gone(
    store: Store, film: Transcript, review: str
) -> None:
    store.cue_edits.edit(PROFILE, film.id, 0, TEXTS[0], text="Der Bus kommt an.")
    store.cue_edits.insert(PROFILE, film.id, 0, "Am Anfang.", 0, 100)
    assert film.file_id is not None
    store.files.delete(PROFILE, [film.file_id])
    applied = store.reviews.apply(PROFILE, review)
    assert (applied.clips, applied.changed_meanwhile) == (3, 2)
    clips = {clip.focus.surface: clip for clip in store.clips.page(PROFILE).items if clip.focus is not None}
    assert {word: clip.cue_index for word, clip in clips.items()} == {"Zug": None, "fährt": None, "fahren": 3}
    assert clips["Zug"].sentence == TEXTS[0] and clips["Zug"].transcript_id == film.id


def test_a_card_is_edited_and_given_another_meaning(store: Store, film: Transcript, review: str) -> None:
    edited = store.reviews.edit_card(PROFILE, review, 1, replace(card(film, 0, "fährt"), note="x"))
    assert edited.card is not None and (edited.card.note, edited.is_taken, edited.is_seen) == ("x", True, True)
    meant = store.reviews.edit(PROFILE, review, 1, "departs")
    assert meant.card is not None and meant.card.focus is not None
    assert (meant.after, meant.card.focus.meanings, meant.card.note) == ("departs", ("departs",), "x")
    with pytest.raises(InvalidInput, match="no change"):
        store.reviews.edit_card(PROFILE, review, 9, card(film, 0, "Zug"))
