"""Reviews wait with what is proposed for cues, and are applied as one step that brings them back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, check_search_tables, everything, redo, remove_discarded, run_sql, undo
from tui.errors import InvalidInput, NotFound
from tui.records.clips import FocusWord, NewClip
from tui.records.reviews import AppliedReview, Change
from tui.records.transcripts import Cue, NewTranscript, Transcript
from tui.store import Store

TEXTS = ("Der Zug färt ab.", "Ja.", "Wir faren mit.", "Ja.", "Eine Rohse blüht.")
CHANGES = (
    Change(0, TEXTS[0], "Der Zug fährt ab."),
    Change(2, TEXTS[2], "Wir fahren mit."),
    Change(4, TEXTS[4], "Der Mond.", is_doubtful=True),
)


@pytest.fixture
def film(store: Store) -> Transcript:
    cues = [Cue(index, index * 1000, index * 1000 + 900, text) for index, text in enumerate(TEXTS)]
    _, film = add_file(store, transcripts=[NewTranscript("Zug", "de", cues)])
    return film


@pytest.fixture
def review(store: Store, film: Transcript) -> str:
    review = store.reviews.begin(PROFILE, film.id, "correction", "fake:model")
    store.reviews.add(PROFILE, review, CHANGES[:1], refused=1)
    store.reviews.add(PROFILE, review, CHANGES[1:], refused=2, left=1)
    return review


def texts(store: Store, film: Transcript) -> list[str]:
    return [cue.text for cue in store.transcripts.cues(PROFILE, film.id).items]


def state(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All that there is, but for which forms were ever counted."""
    return {name: rows for name, rows in everything(store).items() if name != "forms"}


def test_what_is_proposed_waits_with_what_a_list_says_of_it(store: Store, film: Transcript, review: str) -> None:
    (listed,) = store.reviews.page(PROFILE).items
    assert listed == store.reviews.get(PROFILE, review[:6])
    assert (listed.transcript_id, listed.title, listed.language, listed.model) == (film.id, "Zug", "de", "fake:model")
    assert (listed.total, listed.taken, listed.unseen, listed.doubtful) == (3, 2, 2, 1)
    assert (listed.refused, listed.left) == (3, 1)
    page = store.reviews.items(PROFILE, review, 1, 1)
    assert (page.total, page.offset, len(page.items)) == (3, 1, 1)
    (item,) = page.items
    assert (item.number, item.cue_index, item.start_ms) == (2, 2, 2000)
    assert (item.before, item.after, item.is_taken, item.is_seen) == (TEXTS[2], "Wir fahren mit.", True, False)
    assert texts(store, film) == list(TEXTS), "nothing is applied by itself"
    assert store.reviews.page("berta").items == ()


def test_pages_follow_each_other_by_their_cursors(store: Store, film: Transcript, review: str) -> None:
    items = [store.reviews.items(PROFILE, review, limit=2)]
    items.append(store.reviews.items(PROFILE, review, limit=2, after=items[0].next))
    assert [[item.number for item in page.items] for page in items] == [[0, 2], [4]]
    assert (items[1].total, items[1].next) == (3, None)
    other = store.reviews.begin(PROFILE, film.id, "correction", "fake:model")
    first = store.reviews.page(PROFILE, limit=1)
    second = store.reviews.page(PROFILE, limit=1, after=first.next)
    assert [each.id for each in (*first.items, *second.items)] == [other, review] and second.next is None
    for wrong in (items[0].next, "r0", "x", "i1-"):
        with pytest.raises(InvalidInput):
            store.reviews.items(PROFILE, other, after=wrong)


def test_what_is_taken_is_applied_as_one_step_and_the_rest_is_not(store: Store, film: Transcript, review: str) -> None:
    store.reviews.decide(PROFILE, review, 0, 0, taken=False)
    assert store.reviews.edit(PROFILE, review, 4, "Eine Rose blüht.").cue_index == 4
    assert store.reviews.get(PROFILE, review).unseen == 1
    store.reviews.decide(PROFILE, review, 0, 4, taken=None)
    looked_at = store.reviews.get(PROFILE, review)
    assert (looked_at.taken, looked_at.unseen, looked_at.doubtful) == (2, 0, 0)

    clip = store.clips.add(PROFILE, NewClip(TEXTS[2], transcript_id=film.id, cue_index=2))
    before = state(store)
    applied = store.reviews.apply(PROFILE, review)
    assert (applied.changed, applied.changed_meanwhile) == (2, 0)
    assert texts(store, film) == [TEXTS[0], "Ja.", "Wir fahren mit.", "Ja.", "Eine Rose blüht."]
    times = [(cue.start_ms, cue.end_ms) for cue in store.transcripts.cues(PROFILE, film.id).items]
    assert times == [(at * 1000, at * 1000 + 900) for at in range(5)]
    fixed = store.transcripts.get(PROFILE, film.id)
    assert (fixed.id, fixed.origin, fixed.fixed_at is not None) == (film.id, film.origin, True)
    assert store.clips.get(PROFILE, clip.id) == clip, "its time of change is that of its note"
    assert store.reviews.page(PROFILE).items == ()
    with pytest.raises(NotFound):
        store.reviews.get(PROFILE, review)
    check_search_tables(store)

    after = state(store)
    assert undo(store).kind == "reviewed_transcript"
    assert state(store) == before
    assert texts(store, film) == list(TEXTS) and store.transcripts.get(PROFILE, film.id).fixed_at is None
    assert store.reviews.get(PROFILE, review) == looked_at
    redo(store)
    assert state(store) == after
    assert store.reviews.page(PROFILE).items == ()


def test_clips_of_a_corrected_cue_get_its_text_where_that_is_wanted(
    store: Store, film: Transcript, review: str
) -> None:
    focus = FocusWord("faren", lemma="fahren", meanings=("to go",))
    of_cue: Any = {"transcript_id": film.id, "cue_index": 2}
    wrong = store.clips.add(PROFILE, NewClip(TEXTS[2], **of_cue, focus=focus, sentence_reading="x"))
    around = store.clips.add(PROFILE, NewClip(f"Ja. {TEXTS[2]} Ja.", transcript_id=film.id, cue_index=1))
    others = [
        store.clips.add(PROFILE, NewClip("Ja.", transcript_id=film.id, cue_index=1)),  # it stands in another cue
        store.clips.add(PROFILE, NewClip("Wir bleiben hier.", **of_cue)),
        store.clips.add(PROFILE, NewClip(TEXTS[2])),
        store.clips.add(PROFILE, NewClip(TEXTS[2], **of_cue, focus=FocusWord("bleiben"))),
    ]
    assert store.reviews.apply(PROFILE, review, dry_run=True) == AppliedReview(2, 0, clips=2)
    assert store.reviews.apply(PROFILE, review, with_clips=True) == AppliedReview(2, 0, clips=2)
    corrected = store.clips.get(PROFILE, wrong.id)
    assert (corrected.sentence, corrected.sentence_reading) == ("Wir fahren mit.", "")
    assert corrected.focus == replace(focus, surface="fahren")
    assert corrected.updated_at > wrong.updated_at, "an edit that somebody wanted reaches Anki"
    assert store.clips.get(PROFILE, around.id).sentence == "Ja. Wir fahren mit. Ja."
    assert [store.clips.get(PROFILE, each.id) for each in others] == others
    check_search_tables(store)
    undo(store)
    assert store.clips.get(PROFILE, wrong.id).contents() == wrong.contents()
    assert store.clips.get(PROFILE, around.id).contents() == around.contents()
    assert texts(store, film) == list(TEXTS)
    redo(store)
    assert store.clips.get(PROFILE, wrong.id).sentence == "Wir fahren mit."


def test_a_cue_that_is_to_say_nothing_goes_and_the_last_one_stays(store: Store, film: Transcript) -> None:
    review = store.reviews.begin(PROFILE, film.id, "correction", "fake:model")
    store.reviews.add(PROFILE, review, [Change(1, "Ja.", ""), Change(3, "Ja.", "")])
    clip = store.clips.add(PROFILE, NewClip("Ja.", transcript_id=film.id, cue_index=3))
    store.reviews.apply(PROFILE, review)
    assert texts(store, film) == [TEXTS[0], TEXTS[2], TEXTS[4]]
    assert store.clips.get(PROFILE, clip.id).cue_index is None
    undo(store)
    assert texts(store, film) == list(TEXTS)
    assert store.clips.get(PROFILE, clip.id).cue_index == 3

    review = store.reviews.begin(PROFILE, film.id, "correction", "fake:model")
    store.reviews.add(PROFILE, review, [Change(at, text, "") for at, text in enumerate(TEXTS)])
    with pytest.raises(InvalidInput, match="no cue"):
        store.reviews.apply(PROFILE, review)
    assert texts(store, film) == list(TEXTS) and store.reviews.get(PROFILE, review).taken == 5


def test_a_cue_that_was_changed_meanwhile_is_left_alone_and_one_that_moved_is_found(
    store: Store, film: Transcript, review: str
) -> None:
    store.cue_edits.insert(PROFILE, film.id, 0, "Am Anfang.", 0, 900)
    store.cue_edits.edit(PROFILE, film.id, 3, TEXTS[2], text="Wir reisen mit.")
    assert [item.cue_index for item in store.reviews.items(PROFILE, review).items] == [1, None, 5]
    applied = store.reviews.apply(PROFILE, review)
    assert (applied.changed, applied.changed_meanwhile) == (1, 1)
    assert texts(store, film) == ["Am Anfang.", "Der Zug fährt ab.", "Ja.", "Wir reisen mit.", "Ja.", TEXTS[4]]


def test_of_cues_that_say_the_same_each_is_changed_once(store: Store, film: Transcript) -> None:
    review = store.reviews.begin(PROFILE, film.id, "correction", "fake:model")
    store.reviews.add(PROFILE, review, [Change(3, "Ja.", "Ja!"), Change(1, "Ja.", "Ja?"), Change(4, "Ja.", "Nein.")])
    applied = store.reviews.apply(PROFILE, review)
    assert (applied.changed, applied.changed_meanwhile) == (2, 1)
    assert texts(store, film)[1::2] == ["Ja?", "Ja!"]


def test_a_dropped_review_comes_back_and_one_of_nothing_can_be_applied(
    store: Store, film: Transcript, review: str
) -> None:
    waiting = store.reviews.get(PROFILE, review)
    store.reviews.drop(PROFILE, review)
    assert store.reviews.page(PROFILE).total == 0
    assert undo(store).kind == "review"
    assert store.reviews.get(PROFILE, review) == waiting
    redo(store)
    assert store.reviews.page(PROFILE).total == 0
    empty = store.reviews.begin(PROFILE, film.id, "correction", "fake:model")
    assert store.reviews.apply(PROFILE, empty).changed == 0
    assert store.transcripts.get(PROFILE, film.id).fixed_at is None


def test_changes_that_are_dropped_come_back_where_they_were(store: Store, film: Transcript, review: str) -> None:
    before = store.reviews.items(PROFILE, review).items
    assert store.reviews.drop_items(PROFILE, review, 2, 4).total == 1
    assert [item.number for item in store.reviews.items(PROFILE, review).items] == [0]
    assert store.trash.steps(PROFILE)[0].count == 2
    undo(store)
    assert store.reviews.items(PROFILE, review).items == before
    redo(store)
    assert store.reviews.get(PROFILE, review).total == 1
    undo(store)
    assert store.reviews.items(PROFILE, review).items == before
    with pytest.raises(InvalidInput, match="no change"):
        store.reviews.drop_items(PROFILE, review, 1, 1)


def test_all_of_some_are_taken_or_left_and_are_not_seen_by_that(store: Store, film: Transcript, review: str) -> None:
    decided = store.reviews.decide_all(PROFILE, review, [2, 4, 99], taken=False)
    assert (decided.taken, decided.unseen) == (1, 1)
    assert store.reviews.decide_all(PROFILE, review, [2, 4], taken=True).unseen == 3


def test_a_review_goes_and_comes_with_its_transcript(store: Store, film: Transcript, review: str) -> None:
    store.transcripts.delete(PROFILE, [film.id])
    assert store.reviews.page(PROFILE).items == ()
    undo(store)
    assert [each.id for each in store.reviews.page(PROFILE).items] == [review]
    store.transcripts.delete(PROFILE, [film.id])
    run_sql(store, "DELETE FROM trash")
    remove_discarded(store)
    assert run_sql(store, "SELECT count(*) FROM review_items") == [(0,)]


def test_an_applied_review_goes_for_good_with_the_step_that_could_bring_it_back(
    store: Store, film: Transcript, review: str
) -> None:
    store.reviews.apply(PROFILE, review)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM trash")
    assert run_sql(store, "SELECT count(*) FROM all_reviews") == [(0,)]


@pytest.mark.parametrize(("first", "last"), [(-2, -1), (1, 1), (4, 2), (5, 2**53)])
def test_numbers_that_there_are_not_are_refused(store: Store, review: str, first: int, last: int) -> None:
    with pytest.raises(InvalidInput, match="no change"):
        store.reviews.decide(PROFILE, review, first, last, taken=True)
    with pytest.raises(InvalidInput, match="no change"):
        store.reviews.edit(PROFILE, review, 3, "x")


def test_steps_name_what_they_change(store: Store, film: Transcript, review: str) -> None:
    store.reviews.apply(PROFILE, review)
    (step, *_) = store.trash.steps(PROFILE)
    assert (step.kind, step.subject) == ("reviewed_transcript", "Zug")
    with pytest.raises(InvalidInput):
        later: Any = store.cue_edits.edit(PROFILE, film.id, 0, "Der Zug fährt ab.", text="Der Zug.")
        assert later.cues
        store.trash.undo_step(PROFILE, step.id)
