"""Cues are edited by hand: each edit is one step, and what hangs on cues follows them there and back."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, check_search_tables, everything, redo, remove_discarded, run_sql, undo
from tui.errors import InvalidInput
from tui.language.cue_sentences import SentenceForms
from tui.records.clips import FocusWord, NewClip
from tui.records.retiming import FRAME_RATE_FACTORS, Retiming
from tui.records.transcripts import Cue, NewTranscript, OriginalCue, ReadingPlace, Ruby, Transcript, WordTime
from tui.store import Store
from tui.store.tables.cue_changes import change_text, change_times, merge_cues, move_cue, split_cue

TEXTS = ("Der Zug fährt ab.", "Wir fahren mit.", "Der Bus kommt.", "Eine Rose blüht.")


def timed(*texts: str) -> list[Cue]:
    return [Cue(index, index * 1000, index * 1000 + 900, text) for index, text in enumerate(texts)]


def words(*times: tuple[int, int, int, int]) -> tuple[WordTime, ...]:
    return tuple(WordTime(*each) for each in times)


HEARD = Cue(
    0, 1000, 3000, "Der Zug fährt ab.", words=words((0, 3, 1000, 1200), (4, 7, 1200, 1600), (8, 13, 1900, 2400))
)


@pytest.fixture
def film(store: Store) -> Transcript:
    originals = [
        OriginalCue(1, "merged", ("x",), 1000, 1900, "Wir"),
        OriginalCue(3, "repaired", ("y",), 3000, 3900, "E"),
    ]
    _, film = add_file(store, transcripts=[NewTranscript("Zug", "de", timed(*TEXTS), originals)])
    return film


def texts(store: Store, film: Transcript) -> list[str]:
    return [cue.text for cue in store.transcripts.cues(PROFILE, film.id).items]


def spans(store: Store, film: Transcript) -> list[tuple[int | None, int | None]]:
    return [(cue.start_ms, cue.end_ms) for cue in store.transcripts.cues(PROFILE, film.id).items]


def add_clip(store: Store, film: Transcript, cue: int, word: str = "") -> str:
    focus = FocusWord(word) if word else None
    clip = NewClip(f"Satz {cue} {word}", transcript_id=film.id, cue_index=cue, focus=focus)
    return store.clips.add(PROFILE, clip).id


def cue_of_clip(store: Store, clip: str) -> int | None:
    return store.clips.get(PROFILE, clip).cue_index


def counts(store: Store, film: Transcript) -> list[Any]:
    """How often each form occurs in a transcript."""
    query = (
        "SELECT f.form, c.n FROM form_counts AS c JOIN forms AS f ON f.seq = c.form"
        " JOIN all_transcripts AS t ON t.seq = c.transcript WHERE t.id = ? ORDER BY 1"
    )
    return run_sql(store, query, (film.id,))


def assert_counted(store: Store, film: Transcript) -> None:
    """The counts and the search are those of a transcript that is imported with these cues."""
    name = f"other{len(run_sql(store, 'SELECT 1 FROM files'))}.srt"
    _, fresh = add_file(store, name, list(store.transcripts.cues(PROFILE, film.id).items))
    assert counts(store, film) == counts(store, fresh)
    assert store.transcripts.get(PROFILE, film.id).duration_ms == fresh.duration_ms
    assert store.transcripts.get(PROFILE, film.id).cue_count == fresh.cue_count
    store.files.delete(PROFILE, [fresh.file_id or ""])
    store.transcripts.delete(PROFILE, [fresh.id])
    check_search_tables(store)


def state(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Everything that a step is to bring back; the words seen only grow, and numbers of positions are of the cues."""
    return {name: rows for name, rows in everything(store).items() if name not in ("forms", "jobs")}


# What becomes of a cue.


def test_word_times_and_readings_stay_as_far_as_the_words_still_stand_in_the_text() -> None:
    edited = change_text(replace(HEARD, doubt="loop"), "Ein Zug fährt nicht ab!")
    assert edited.words == words((4, 7, 1200, 1600), (8, 13, 1900, 2400))
    assert edited.doubt is None
    assert change_text(HEARD, "Also der Zug fährt ab.").words == words((9, 12, 1200, 1600), (13, 18, 1900, 2400))
    assert change_text(HEARD, "Der Zugfahrer fährt ab.").words == words((0, 3, 1000, 1200), (14, 19, 1900, 2400))
    assert change_text(HEARD, "Nichts davon.").words == ()
    read = Cue(0, None, None, "今日は電車", ruby=(Ruby(0, 2, "きょう"), Ruby(3, 5, "でんしゃ")))
    assert change_text(read, "今日の電車").ruby == read.ruby
    assert change_text(read, "あの電車").ruby == (Ruby(2, 4, "でんしゃ"),)


def test_words_move_with_a_cue_of_the_same_length_and_stay_when_they_are_said_in_another() -> None:
    assert change_times(HEARD, 1500, 3500).words == move_cue(HEARD, 500).words
    assert change_times(HEARD, 1300, 2200).words == words((4, 7, 1300, 1600), (8, 13, 1900, 2200))


def test_a_split_shares_out_words_times_and_readings() -> None:
    first, second = split_cue(HEARD, 7)
    assert (first.text, first.start_ms, first.end_ms) == ("Der Zug", 1000, 1600)
    assert (second.index, second.text, second.start_ms, second.end_ms) == (1, "fährt ab.", 1900, 3000)
    assert second.words == words((0, 5, 1900, 2400))
    assert merge_cues(first, second).words == HEARD.words
    assert merge_cues(first, second).text == "Der Zug\nfährt ab."


def test_without_times_of_words_a_split_goes_by_letters_and_without_times_it_has_none() -> None:
    first, second = split_cue(replace(HEARD, words=()), 7)
    assert (first.end_ms, second.start_ms) == (1923, 1923)
    parts = split_cue(Cue(0, None, None, "Der Zug"), 3)
    assert [(cue.start_ms, cue.end_ms, cue.text) for cue in parts] == [(None, None, "Der"), (None, None, "Zug")]
    short = split_cue(Cue(0, 5, 6, "Der Zug"), 3)
    assert [(cue.start_ms, cue.end_ms) for cue in short] == [(5, 6), (5, 6)]


@pytest.mark.parametrize("at", [-1, 0, 17, 99])
def test_a_split_that_leaves_nothing_is_refused(at: int) -> None:
    with pytest.raises(InvalidInput) as refused:
        split_cue(HEARD, at)
    assert refused.value.code == "nothing_to_split"


# Each edit.

LATER = Retiming(25 / 24, 250)
EDITS: dict[str, tuple[Callable[[Store, str], Any], list[str]]] = {
    "edited_cue": (
        lambda store, film: store.cue_edits.edit(PROFILE, film, 1, TEXTS[1], text="Wir zug fahren."),
        [TEXTS[0], "Wir zug fahren.", *TEXTS[2:]],
    ),
    "split_cue": (
        lambda store, film: store.cue_edits.split(PROFILE, film, 1, TEXTS[1], 4),
        [TEXTS[0], "Wir", "fahren mit.", *TEXTS[2:]],
    ),
    "merged_cue": (
        lambda store, film: store.cue_edits.merge(PROFILE, film, 1, TEXTS[1]),
        [TEXTS[0], f"{TEXTS[1]}\n{TEXTS[2]}", TEXTS[3]],
    ),
    "inserted_cue": (
        lambda store, film: store.cue_edits.insert(PROFILE, film, 1, "Neu, zug.", 950, 990),
        [TEXTS[0], "Neu, zug.", *TEXTS[1:]],
    ),
    "cue": (lambda store, film: store.cue_edits.delete(PROFILE, film, 1, TEXTS[1]), [TEXTS[0], *TEXTS[2:]]),
    "shifted_transcript": (lambda store, film: store.cue_edits.shift(PROFILE, film, 250), list(TEXTS)),
    "retimed_transcript": (lambda store, film: store.cue_edits.retime(PROFILE, film, LATER), list(TEXTS)),
}


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_is_one_step_there_and_back(store: Store, film: Transcript, kind: str) -> None:
    clips = [add_clip(store, film, cue) for cue in (0, 1, 2, 3)]
    for cue in (0, 1, 2, 3):
        store.transcripts.note(PROFILE, film.id, cue, f"note {cue}")
        store.bookmarks.put(PROFILE, film.id, cue, f"mark {cue}")
    store.transcripts.leave_at(PROFILE, film.id, ReadingPlace(2, 1, 3))
    moved = [store.clips.get(PROFILE, clip).updated_at for clip in clips]
    run_sql(store, "DELETE FROM trash")
    before = state(store)
    change, wanted = EDITS[kind]
    left = change(store, film.id)
    assert texts(store, film) == wanted
    assert [left.cue_count, left.duration_ms] == [len(wanted), store.transcripts.get(PROFILE, film.id).duration_ms]
    after = state(store)
    for _ in range(2):
        (step,) = store.trash.steps(PROFILE)
        assert (step.kind, step.count) == (kind, 1)
        assert undo(store).kind == kind
        assert state(store) == before
        assert store.trash.steps(PROFILE) == ()
        check_search_tables(store)
        assert redo(store).kind == kind
        assert state(store) == after
        check_search_tables(store)
    assert [store.clips.get(PROFILE, clip).updated_at for clip in clips] == moved
    assert_counted(store, film)


def test_what_stands_at_cues_follows_them(store: Store, film: Transcript) -> None:
    clips = {cue: add_clip(store, film, cue) for cue in (0, 1, 2, 3)}
    late = add_clip(store, film, 1, "fahren")
    store.transcripts.note(PROFILE, film.id, 1, "at Wir")
    store.transcripts.note(PROFILE, film.id, 2, "at Bus")
    mark = store.bookmarks.put(PROFILE, film.id, 3, "Rose")
    store.transcripts.leave_at(PROFILE, film.id, ReadingPlace(3, 1, 4))
    edits = store.cue_edits
    edits.split(PROFILE, film.id, 1, TEXTS[1], 4)
    assert [cue_of_clip(store, each) for each in (*clips.values(), late)] == [0, 1, 3, 4, 2]
    assert [(note.cue_index, note.text) for note in store.transcripts.notes(PROFILE, film.id)] == [
        (1, "at Wir"),
        (3, "at Bus"),
    ]
    assert store.bookmarks.get(PROFILE, mark.id).cue_index == 4
    assert store.transcripts.place(PROFILE, film.id) == ReadingPlace(4, 1, 5)
    assert [each.cue_index for each in store.transcripts.originals(PROFILE, film.id).items] == [1, 4]
    edits.merge(PROFILE, film.id, 2, "fahren mit.")
    assert [cue_of_clip(store, each) for each in (*clips.values(), late)] == [0, 1, 2, 3, 2]
    edits.delete(PROFILE, film.id, 1, "Wir")
    assert [cue_of_clip(store, each) for each in (*clips.values(), late)] == [0, None, 1, 2, 1]
    assert [(note.cue_index, note.text) for note in store.transcripts.notes(PROFILE, film.id)] == [
        (1, "at Wir\nat Bus")
    ]
    assert [each.cue_index for each in store.transcripts.originals(PROFILE, film.id).items] == [1, 2]
    edits.delete(PROFILE, film.id, 2, TEXTS[3])
    assert store.bookmarks.get(PROFILE, mark.id).cue_index == 1, "behind the last one there is none"
    for _ in range(4):
        undo(store)
    assert [cue_of_clip(store, each) for each in (*clips.values(), late)] == [0, 1, 2, 3, 1]
    assert store.bookmarks.get(PROFILE, mark.id).cue_index == 3
    assert store.transcripts.place(PROFILE, film.id) == ReadingPlace(3, 1, 4)


def test_what_came_since_an_edit_follows_its_undo(store: Store, film: Transcript) -> None:
    store.transcripts.leave_at(PROFILE, film.id, ReadingPlace(0, 0, 1))
    store.cue_edits.insert(PROFILE, film.id, 4, "Zuletzt.", 3950, 4500)
    clips = [add_clip(store, film, cue) for cue in (2, 4)]
    store.transcripts.leave_at(PROFILE, film.id, ReadingPlace(4, 0, 5))
    undo(store)
    assert [cue_of_clip(store, each) for each in clips] == [2, None]
    assert store.transcripts.place(PROFILE, film.id) == ReadingPlace(3, 0, 4)


def test_the_search_finds_the_new_text_and_not_the_old_one(store: Store, film: Transcript) -> None:
    store.cue_edits.edit(PROFILE, film.id, 0, TEXTS[0], text="今日の電車は遅い。")
    assert store.transcripts.find(PROFILE, film.id, "Zug") == ()
    assert store.transcripts.find(PROFILE, film.id, "電車") == (0,)
    assert store.words.occurrences(PROFILE, "de", ["Zug"])[0] == 0
    assert [line.cue_index for line in store.words.concordance(PROFILE, "de", ["Bus"], 9)] == [2]
    undo(store)
    assert store.transcripts.find(PROFILE, film.id, "Zug") == (0,)
    assert store.transcripts.find(PROFILE, film.id, "電車") == ()


def test_the_words_that_were_cut_are_forgotten_and_those_that_are_being_cut_are_not_kept(
    store: Store, film: Transcript
) -> None:
    (cut,) = store.transcript_words.wanted(PROFILE, [film.id])
    revision, cues = store.transcript_words.revision(cut.seq), store.transcript_words.cues(cut.seq)
    store.transcript_words.save(cut, SentenceForms((), ()), cues, revision, has_lemmas=True)
    assert store.transcript_words.words(cut.seq) is not None
    store.cue_edits.edit(PROFILE, film.id, 0, TEXTS[0], text="Anders.")
    assert store.transcript_words.words(cut.seq) is None
    store.transcript_words.save(cut, SentenceForms((), ()), cues, revision, has_lemmas=True)
    assert store.transcript_words.words(cut.seq) is None
    add_file(store, "other.srt", timed("Nelke."))
    edited = store.transcript_words.cues(cut.seq)
    store.transcript_words.save(cut, SentenceForms((), ()), edited, revision, has_lemmas=True)
    assert store.transcript_words.words(cut.seq) is not None, "what else changed is no matter"


def test_sentences_between_those_of_a_deleted_transcript_are_still_found(store: Store) -> None:
    """What is inserted stands behind other transcripts in the table."""
    _, gone = add_file(store, "a.srt", timed("Der Zug hier.", "Ein Zug dort."))
    _, stays = add_file(store, "b.srt", timed("Noch ein Zug."))
    store.cue_edits.insert(PROFILE, gone.id, 1, "Der Zug dazwischen.", 910, 950)
    store.cue_edits.insert(PROFILE, gone.id, 1, "Der Zug davor.", 910, 950)
    store.transcripts.delete(PROFILE, [gone.id])
    found = store.words.concordance(PROFILE, "de", ["Zug"], 9)
    assert [(line.transcript_id, line.text) for line in found] == [(stays.id, "Noch ein Zug.")]


def test_an_edit_that_changes_nothing_is_no_step_and_one_that_clears_a_doubt_is(store: Store) -> None:
    doubtful = replace(HEARD, doubt="loop")
    _, film = add_file(store, "x.srt", [doubtful])
    assert store.cue_edits.edit(PROFILE, film.id, 0, HEARD.text).cues == (HEARD,)
    assert len(store.trash.steps(PROFILE)) == 1
    store.cue_edits.edit(PROFILE, film.id, 0, HEARD.text, text=HEARD.text, start_ms=1000, end_ms=3000)
    assert len(store.trash.steps(PROFILE)) == 1
    undo(store)
    assert store.transcripts.cues(PROFILE, film.id).items == (doubtful,)


# Times.


def test_a_shift_moves_cues_words_and_what_the_track_says_by_as_much(store: Store) -> None:
    _, film = add_file(store, "a.srt", [HEARD])
    _, other = add_file(store, "b.srt", timed("The train."))
    store.transcripts.pair(PROFILE, film.id, other.id, 300)
    store.transcripts.pair(PROFILE, other.id, film.id, -300)
    assert store.cue_edits.shift(PROFILE, film.id, -100).duration_ms == 2900
    assert store.transcripts.cues(PROFILE, film.id).items == (move_cue(HEARD, -100),)
    assert store.transcripts.get(PROFILE, film.id).translation_offset_ms == 200
    assert store.transcripts.get(PROFILE, other.id).translation_offset_ms == -200
    undo(store)
    assert store.transcripts.cues(PROFILE, film.id).items == (HEARD,)
    assert store.transcripts.get(PROFILE, film.id).translation_offset_ms == 300
    assert store.cue_edits.shift(PROFILE, film.id, 0).duration_ms == 3000
    assert store.trash.steps(PROFILE) == ()


@pytest.mark.parametrize("factor", [*FRAME_RATE_FACTORS.values(), 0.9123])
def test_a_retiming_is_undone_to_the_millisecond(store: Store, factor: float) -> None:
    words = tuple(WordTime(at, at + 1, at * 7, at * 7 + 3) for at in range(len(HEARD.text)))
    cues = [Cue(at, at * 13, at * 13 + 11, HEARD.text, words=words) for at in range(200)]
    _, film = add_file(store, "a.srt", cues)
    before = state(store)
    retimed = Retiming(factor, 40)
    assert store.cue_edits.retime(PROFILE, film.id, retimed).duration_ms == retimed.move(199 * 13 + 11)
    moved = store.transcripts.cues(PROFILE, film.id, limit=200).items
    for cue, was in zip(moved, cues, strict=True):
        assert (cue.start_ms, cue.end_ms) == (retimed.move(was.start_ms or 0), retimed.move(was.end_ms or 0))
        spoken = [(retimed.move(each.start_ms), retimed.move(each.end_ms)) for each in words]
        assert [(each.start_ms, each.end_ms) for each in cue.words] == spoken
    undo(store)
    assert state(store) == before


def test_a_factor_ends_pairs_that_have_no_new_offset_and_undo_brings_them_back(store: Store) -> None:
    _, film = add_file(store, "a.srt", timed("Der Zug."))
    _, other = add_file(store, "b.srt", timed("The train."))
    store.transcripts.pair(PROFILE, film.id, other.id, 300)
    store.transcripts.pair(PROFILE, other.id, film.id, -300)
    store.cue_edits.retime(PROFILE, film.id, LATER, {film.id: 77})
    assert [_pair(store, each) for each in (film, other)] == [(other.id, 77), (None, None)]
    undo(store)
    assert [_pair(store, each) for each in (film, other)] == [(other.id, 300), (film.id, -300)]
    redo(store)
    assert [_pair(store, each) for each in (film, other)] == [(other.id, 77), (None, None)]


def test_a_retiming_without_a_factor_moves_pairs_as_a_shift_does(store: Store) -> None:
    _, film = add_file(store, "a.srt", timed("Der Zug."))
    _, other = add_file(store, "b.srt", timed("The train."))
    store.transcripts.pair(PROFILE, film.id, other.id, 300)
    store.cue_edits.retime(PROFILE, film.id, Retiming(1.0, 100))
    assert _pair(store, film) == (other.id, 400)
    store.cue_edits.retime(PROFILE, film.id, Retiming())
    assert len(store.trash.steps(PROFILE)) == 1


def test_undo_leaves_a_pair_that_was_made_after_a_retiming(store: Store) -> None:
    _, film = add_file(store, "a.srt", timed("Der Zug."))
    _, other = add_file(store, "b.srt", timed("The train."))
    store.transcripts.pair(PROFILE, film.id, other.id, 300)
    store.cue_edits.retime(PROFILE, film.id, LATER)
    store.transcripts.pair(PROFILE, film.id, other.id, 5)
    undo(store)
    assert _pair(store, film) == (other.id, 5)


def _pair(store: Store, transcript: Transcript) -> tuple[str | None, int | None]:
    found = store.transcripts.get(PROFILE, transcript.id)
    return found.translation_id, found.translation_offset_ms


def test_a_split_among_overlapping_cues_keeps_the_order_of_the_starts(store: Store) -> None:
    _, film = add_file(store, "x.srt", [Cue(0, 0, 9000, "Der Zug fährt"), Cue(1, 500, 800, "Ja.")])
    store.cue_edits.split(PROFILE, film.id, 0, "Der Zug fährt", 4)
    starts = [start or 0 for start, _ in spans(store, film)]
    assert starts == sorted(starts)


Refused = Callable[[Store, str], Any]
REFUSALS: dict[str, tuple[Refused, str, str]] = {
    "another text": (lambda s, f: s.cue_edits.edit(PROFILE, f, 0, "Old", text="x"), "cue_changed", "seen"),
    "no such cue": (lambda s, f: s.cue_edits.edit(PROFILE, f, 4, "", text="x"), "invalid_input", "index"),
    "before 0": (lambda s, f: s.cue_edits.delete(PROFILE, f, -1, ""), "invalid_input", "index"),
    "too far": (lambda s, f: s.cue_edits.insert(PROFILE, f, 5, "x", 1, 2), "invalid_input", "index"),
    "last": (lambda s, f: s.cue_edits.merge(PROFILE, f, 3, TEXTS[3]), "no_next_cue", ""),
    "end": (lambda s, f: s.cue_edits.edit(PROFILE, f, 1, TEXTS[1], end_ms=1000), "wrong_time", "end_ms"),
    "negative": (lambda s, f: s.cue_edits.edit(PROFILE, f, 0, TEXTS[0], start_ms=-1), "wrong_time", "start_ms"),
    "neighbour before": (
        lambda s, f: s.cue_edits.edit(PROFILE, f, 2, TEXTS[2], start_ms=999),
        "wrong_order",
        "start_ms",
    ),
    "neighbour after": (
        lambda s, f: s.cue_edits.edit(PROFILE, f, 1, TEXTS[1], start_ms=2001, end_ms=2500),
        "wrong_order",
        "start_ms",
    ),
    "insert order": (lambda s, f: s.cue_edits.insert(PROFILE, f, 1, "x", 1001, 1200), "wrong_order", "start_ms"),
    "insert times": (lambda s, f: s.cue_edits.insert(PROFILE, f, 1, "x", None, 1200), "no_time", "start_ms"),
    "too late": (lambda s, f: s.cue_edits.edit(PROFILE, f, 3, TEXTS[3], end_ms=2**60), "too_late", "end_ms"),
    "shift": (lambda s, f: s.cue_edits.shift(PROFILE, f, -1), "before_beginning", "ms"),
    "shift late": (lambda s, f: s.cue_edits.shift(PROFILE, f, 2**60), "too_late", "ms"),
    "retime": (lambda s, f: s.cue_edits.retime(PROFILE, f, Retiming(0.96, -1)), "before_beginning", "offset_ms"),
    "retime late": (lambda s, f: s.cue_edits.retime(PROFILE, f, Retiming(1.0, 2**60)), "too_late", "offset_ms"),
    "retime stale": (lambda s, f: s.cue_edits.retime(PROFILE, f, LATER, seen=[(0, 1)]), "times_changed", ""),
}


@pytest.mark.parametrize("why", REFUSALS)
def test_what_cannot_be_is_refused_and_nothing_changes(store: Store, film: Transcript, why: str) -> None:
    before = state(store)
    edit, code, wrong = REFUSALS[why]
    with pytest.raises(InvalidInput) as refused:
        edit(store, film.id)
    assert (refused.value.code, refused.value.field) == (code, wrong)
    assert state(store) == before
    assert store.trash.steps(PROFILE) == ()


def test_the_time_of_the_neighbour_is_named(store: Store, film: Transcript) -> None:
    with pytest.raises(InvalidInput, match=r"the cue before it begins at 0:01\.000"):
        store.cue_edits.edit(PROFILE, film.id, 2, TEXTS[2], start_ms=1)


def test_a_text_without_times_is_edited_without(store: Store) -> None:
    _, film = add_file(store, "x.txt", [Cue(index, None, None, text) for index, text in enumerate("abc")])
    edits = store.cue_edits
    edits.edit(PROFILE, film.id, 0, "a", text="a b")
    edits.split(PROFILE, film.id, 0, "a b", 1)
    edits.insert(PROFILE, film.id, 4, "d", None, None)
    edits.merge(PROFILE, film.id, 2, "b")
    assert set(spans(store, film)) == {(None, None)}
    with pytest.raises(InvalidInput, match="no times"):
        edits.edit(PROFILE, film.id, 0, "a", start_ms=1)
    with pytest.raises(InvalidInput, match="no times"):
        edits.insert(PROFILE, film.id, 0, "x", 1, 2)
    with pytest.raises(InvalidInput, match="no times"):
        edits.shift(PROFILE, film.id, 1)


def test_the_only_cue_stays(store: Store) -> None:
    _, film = add_file(store, "x.srt", timed("Zug."))
    with pytest.raises(InvalidInput) as refused:
        store.cue_edits.delete(PROFILE, film.id, 0, "Zug.")
    assert refused.value.code == "only_cue"


# With other steps.


def test_an_older_edit_is_taken_back_alone_where_nothing_later_touched_the_transcript(
    store: Store, film: Transcript
) -> None:
    _, other = add_file(store, "other.srt", timed("Nelke.", "Tulpe."))
    store.cue_edits.split(PROFILE, film.id, 0, TEXTS[0], 4)
    first = store.trash.steps(PROFILE)[0].id
    store.cue_edits.delete(PROFILE, other.id, 0, "Nelke.")
    second = store.trash.steps(PROFILE)[0].id
    store.cue_edits.edit(PROFILE, film.id, 4, TEXTS[3], text="Anders.")
    with pytest.raises(InvalidInput) as refused:
        store.trash.undo_step(PROFILE, first)
    assert refused.value.code == "undo_blocked"
    store.trash.undo_step(PROFILE, second)
    assert texts(store, other) == ["Nelke.", "Tulpe."]
    undo(store)
    store.trash.undo_step(PROFILE, first)
    assert texts(store, film) == list(TEXTS)


def test_what_names_a_cue_by_its_index_waits_for_the_edits_that_moved_it(store: Store, film: Transcript) -> None:
    clip = add_clip(store, film, 3)
    store.clips.delete(PROFILE, [clip])
    deleted = store.trash.steps(PROFILE)[0].id
    store.cue_edits.edit(PROFILE, film.id, 0, TEXTS[0], text="Ein Zug.")
    store.cue_edits.split(PROFILE, film.id, 0, "Ein Zug.", 4)
    with pytest.raises(InvalidInput):
        store.trash.undo_step(PROFILE, deleted)
    undo(store)
    store.trash.undo_step(PROFILE, deleted)
    assert cue_of_clip(store, clip) == 3


def test_another_reading_takes_the_place_of_edits_and_undo_brings_them_back(store: Store) -> None:
    def read() -> Transcript:
        return add_file(store, "zug.srt", timed(*TEXTS), sha256="ab", title="Zug")[1]

    film = read()
    clip = add_clip(store, film, 3)
    store.cue_edits.split(PROFILE, film.id, 1, TEXTS[1], 4)
    edited = texts(store, film)
    assert cue_of_clip(store, clip) == 4
    read()
    assert texts(store, film) == list(TEXTS)
    assert cue_of_clip(store, clip) == 3
    read()
    assert [step.kind for step in store.trash.steps(PROFILE)][:2] == ["reading", "split_cue"], "the same is no step"
    undo(store)
    assert texts(store, film) == edited
    assert cue_of_clip(store, clip) == 4
    undo(store)
    assert texts(store, film) == list(TEXTS)
    assert cue_of_clip(store, clip) == 3


def test_an_edit_of_a_transcript_that_is_gone_is_left_alone(store: Store, film: Transcript) -> None:
    store.cue_edits.shift(PROFILE, film.id, 100)
    run_sql(store, "DELETE FROM cues")
    run_sql(store, "DELETE FROM original_cues")
    run_sql(store, "DELETE FROM form_counts")
    run_sql(store, "DELETE FROM all_transcripts")
    assert undo(store).count == 0


# A monkey, beside a plain model.


@dataclass
class Plain:
    """Cues as a list, and the clips, notes and bookmarks that stand at them; ``done`` and ``undone`` are states."""

    cues: list[tuple[int, int, str]]
    clips: dict[str, int | None] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Plain:
        return Plain(list(self.cues), dict(self.clips), dict(self.marks))

    def move(self, of: Callable[[int], int | None], marks: Callable[[int], int]) -> None:
        self.clips = {clip: None if cue is None else of(cue) for clip, cue in self.clips.items()}
        self.marks = {mark: marks(cue) for mark, cue in self.marks.items()}


LETTERS = ("Zug", "Bus", "Rose", "Nelke", "Tulpe")


def random_edit(dice: random.Random, store: Store, film: str, model: Plain) -> None:
    """Do an edit on the library, and on the model."""
    edits, cues = store.cue_edits, model.cues
    at = dice.randrange(len(cues))
    start, end, text = cues[at]
    what = dice.choice(("text", "times", "split", "merge", "insert", "delete", "shift"))
    if what == "text":
        new = " ".join(dice.choices(LETTERS, k=dice.randint(1, 4)))
        edits.edit(PROFILE, film, at, text, text=new)
        cues[at] = (start, end, new)
    elif what == "times":
        first = cues[at - 1][0] if at else 0
        start = dice.randint(first, cues[at + 1][0] if at + 1 < len(cues) else first + 5000)
        end = start + dice.randint(1, 3000)
        edits.edit(PROFILE, film, at, text, start_ms=start, end_ms=end)
        cues[at] = (start, end, text)
    elif what == "split" and len(text.split()) > 1:
        place = dice.choice([found.start() for found in re.finditer(r"\s", text)])
        halves = edits.split(PROFILE, film, at, text, place).cues
        assert [half.text for half in halves] == [text[:place].rstrip(), text[place:].lstrip()]
        assert (halves[0].start_ms, halves[1].end_ms) == (start, end)
        cues[at : at + 1] = [(half.start_ms or 0, half.end_ms or 0, half.text) for half in halves]
        later = [begin for begin, _, _ in cues[at:]]
        assert later == sorted(later)
        model.move(lambda cue: cue + (cue > at), lambda cue: cue + (cue > at))
    elif what == "merge" and at + 1 < len(cues):
        edits.merge(PROFILE, film, at, text)
        _, its_end, other = cues[at + 1]
        cues[at : at + 2] = [(start, max(end, its_end), f"{text}\n{other}")]
        model.move(lambda cue: cue - (cue > at), lambda cue: cue - (cue > at))
    elif what == "insert":
        edits.insert(PROFILE, film, at, "Neu Zug", start, start + 10)
        cues.insert(at, (start, start + 10, "Neu Zug"))
        model.move(lambda cue: cue + (cue >= at), lambda cue: cue + (cue >= at))
    elif what == "delete" and len(cues) > 1:
        edits.delete(PROFILE, film, at, text)
        del cues[at]
        last = len(cues) - 1
        model.move(lambda cue: None if cue == at else cue - (cue > at), lambda cue: min(cue - (cue > at), last))
    elif what == "shift":
        ms = dice.randint(-cues[0][0], 2000)
        edits.shift(PROFILE, film, ms)
        cues[:] = [(start + ms, end + ms, text) for start, end, text in cues]


def assert_as(store: Store, film: str, model: Plain) -> None:
    found = store.transcripts.cues(PROFILE, film, limit=1000)
    assert [(cue.start_ms, cue.end_ms, cue.text) for cue in found.items] == model.cues
    assert [cue.index for cue in found.items] == list(range(len(model.cues)))
    assert {clip: cue_of_clip(store, clip) for clip in model.clips} == model.clips
    transcript = store.transcripts.get(PROFILE, film)
    assert (transcript.cue_count, transcript.duration_ms) == (len(model.cues), max(end for _, end, _ in model.cues))
    notes = {note.cue_index: set(note.text.split()) for note in store.transcripts.notes(PROFILE, film)}
    wanted: dict[int, set[str]] = {}
    for mark, cue in model.marks.items():
        wanted.setdefault(cue, set()).add(mark)
    assert notes == wanted
    for word in LETTERS:
        having = [index for index, (_, _, text) in enumerate(model.cues) if word in text.split()]
        assert list(store.transcripts.find(PROFILE, film, word)) == having
    said = Counter(word for _, _, text in model.cues for word in text.split())
    assert store.words.occurrences(PROFILE, "de", list(LETTERS))[0] == sum(said[word] for word in LETTERS)


def play(store: Store, seed: int, steps: int) -> None:
    dice = random.Random(seed)
    cues = [
        (index * 1000, index * 1000 + 900, " ".join(dice.choices(LETTERS, k=dice.randint(1, 3)))) for index in range(8)
    ]
    _, film = add_file(store, "x.srt", [Cue(index, *cue) for index, cue in enumerate(cues)])
    model = Plain(list(cues), {add_clip(store, film, cue): cue for cue in (0, 2, 5, 7)})
    for cue in (1, 2, 7):
        store.transcripts.note(PROFILE, film.id, cue, f"note{cue}")
        model.marks[f"note{cue}"] = cue
    run_sql(store, "DELETE FROM trash")
    done, undone = list[Plain](), list[Plain]()
    for _ in range(steps):
        what = dice.random()
        if what < 0.25 and done:
            undone.append(model)
            model = done.pop()
            undo(store)
        elif what < 0.4 and undone:
            done.append(model)
            model = undone.pop()
            redo(store)
        else:
            before, count = model.copy(), len(store.trash.steps(PROFILE, limit=1000))
            random_edit(dice, store, film.id, model)
            if len(store.trash.steps(PROFILE, limit=1000)) > count:
                done.append(before)
                undone.clear()
        assert len(store.trash.steps(PROFILE, limit=1000)) == len(done)
        assert_as(store, film.id, model)
    check_search_tables(store)
    while done:
        model = done.pop()
        undo(store)
        assert_as(store, film.id, model)
    remove_discarded(store)


@pytest.mark.parametrize("seed", range(3))
def test_a_monkey_edits_as_a_plain_list_says(store: Store, seed: int) -> None:
    play(store, seed, 40)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(100, 120))
def test_a_monkey_edits_for_long_as_a_plain_list_says(store: Store, seed: int) -> None:
    play(store, seed, 200)
