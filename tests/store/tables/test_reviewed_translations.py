"""Translations that are taken become another transcript, paired with the first, as one step that can be undone."""

from __future__ import annotations

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, check_search_tables, redo, undo
from tui.records.clips import NewClip
from tui.records.reviews import AppliedReview, Change
from tui.records.transcripts import Cue, NewTranscript, Transcript
from tui.store import Store

TEXTS = ("Der Zug fährt ab.", "Ja,", "er fährt.", "Nein.")
ENGLISH = ("The train is leaving.", "Yes,", "it is.", "No.")


@pytest.fixture
def film(store: Store) -> Transcript:
    cues = [Cue(index, index * 1000, index * 1000 + 900, text) for index, text in enumerate(TEXTS)]
    _, film = add_file(store, transcripts=[NewTranscript("Zug", "de", cues)])
    return film


@pytest.fixture
def review(store: Store, film: Transcript) -> str:
    review = store.reviews.begin(PROFILE, film.id, "translation", "fake:model", into="en")
    changes = [Change(at, text, ENGLISH[at], is_doubtful=at == 3) for at, text in enumerate(TEXTS)]
    store.reviews.add(PROFILE, review, changes)
    return review


def titles(store: Store) -> list[str]:
    return [each.title for each in store.transcripts.page(PROFILE).items]


def test_what_is_taken_becomes_the_translation_track_and_undo_takes_it_away(
    store: Store, film: Transcript, review: str
) -> None:
    waiting = store.reviews.get(PROFILE, review)
    assert (waiting.kind, waiting.into, waiting.taken, waiting.doubtful) == ("translation", "en", 3, 1)
    planned = store.reviews.apply(PROFILE, review, dry_run=True)
    assert planned == AppliedReview(3, 0) and titles(store) == ["Zug"]
    applied = store.reviews.apply(PROFILE, review)
    assert applied.translation_id is not None
    track = store.transcripts.get(PROFILE, applied.translation_id)
    assert (track.title, track.language, track.origin, track.file_id) == ("Zug · English", "en", "translation", None)
    cues = store.transcripts.cues(PROFILE, track.id).items
    assert [(cue.text, cue.start_ms, cue.end_ms) for cue in cues] == [
        (ENGLISH[at], at * 1000, at * 1000 + 900) for at in range(3)
    ]
    paired = store.transcripts.get(PROFILE, film.id)
    assert (paired.translation_id, paired.translation_offset_ms, paired.fixed_at) == (track.id, 0, None)
    assert [each.text for each in store.transcripts.cues(PROFILE, film.id).items] == list(TEXTS)
    assert store.transcripts.find(PROFILE, track.id, "leaving") == (0,)
    check_search_tables(store)

    assert undo(store).kind == "translated_transcript"
    assert titles(store) == ["Zug"]
    assert store.transcripts.get(PROFILE, film.id).translation_id is None
    assert store.reviews.get(PROFILE, review) == waiting
    redo(store)
    assert store.transcripts.get(PROFILE, film.id).translation_id == track.id
    assert store.transcripts.get(PROFILE, track.id) == track
    undo(store)
    assert titles(store) == ["Zug"]
    check_search_tables(store)


def test_the_track_that_there_was_stays_in_the_library_and_comes_back(
    store: Store, film: Transcript, review: str
) -> None:
    cues = [Cue(0, 500, 900, "Old.")]
    _, older = add_file(store, "old.srt", transcripts=[NewTranscript("Old", "en", cues)])
    store.transcripts.pair(PROFILE, film.id, older.id, 250)
    applied = store.reviews.apply(PROFILE, review)
    assert store.transcripts.get(PROFILE, film.id).translation_id == applied.translation_id
    assert store.transcripts.get(PROFILE, older.id).cue_count == 1
    undo(store)
    back = store.transcripts.get(PROFILE, film.id)
    assert (back.translation_id, back.translation_offset_ms) == (older.id, 250)


def test_clips_without_a_translation_get_theirs_where_that_is_wanted(
    store: Store, film: Transcript, review: str
) -> None:
    def add(sentence: str, cue: int, translation: str = "") -> str:
        clip = NewClip(sentence, transcript_id=film.id, cue_index=cue, translation=translation)
        return store.clips.add(PROFILE, clip).id

    whole, own, doubtful = add("Ja, er fährt.", 1), add(TEXTS[0], 0, "It goes."), add(TEXTS[3], 3)
    assert store.reviews.apply(PROFILE, review, dry_run=True).clips == 1
    before = store.clips.get(PROFILE, own)
    applied = store.reviews.apply(PROFILE, review, with_clips=True)
    assert applied.clips == 1
    said = {each: store.clips.get(PROFILE, each).translation for each in (whole, own, doubtful)}
    assert said == {whole: "Yes, it is.", own: "It goes.", doubtful: ""}
    assert store.clips.get(PROFILE, own) == before
    undo(store)
    assert store.clips.get(PROFILE, whole).translation == ""
    redo(store)
    assert store.clips.get(PROFILE, whole).translation == "Yes, it is."


def test_a_review_of_nothing_that_is_taken_makes_no_transcript(store: Store, film: Transcript, review: str) -> None:
    store.reviews.decide(PROFILE, review, 0, 3, taken=False)
    assert store.reviews.apply(PROFILE, review) == AppliedReview(0, 0)
    assert titles(store) == ["Zug"]
    undo(store)
    assert store.reviews.get(PROFILE, review).total == 4


def test_a_track_that_was_deleted_meanwhile_stays_so_when_the_step_is_undone(
    store: Store, film: Transcript, review: str
) -> None:
    applied = store.reviews.apply(PROFILE, review)
    assert applied.translation_id is not None
    store.transcripts.delete(PROFILE, [applied.translation_id])
    undo(store)
    assert store.transcripts.get(PROFILE, film.id).translation_id == applied.translation_id
    undo(store)
    assert store.transcripts.get(PROFILE, film.id).translation_id is None and titles(store) == ["Zug"]


def test_a_track_that_was_given_meanwhile_stays_when_the_step_is_undone(
    store: Store, film: Transcript, review: str
) -> None:
    _, other = add_file(store, "other.srt", transcripts=[NewTranscript("Other", "en", [Cue(0, 0, 900, "Other.")])])
    applied = store.reviews.apply(PROFILE, review)
    store.transcripts.pair(PROFILE, film.id, other.id, 100)
    undo(store)
    assert titles(store) == ["Other", "Zug"]
    for turn, track, offset in ((None, other.id, 100), (redo, applied.translation_id, 0), (undo, other.id, 100)):
        if turn is not None:
            turn(store)
        paired = store.transcripts.get(PROFILE, film.id)
        assert (paired.translation_id, paired.translation_offset_ms) == (track, offset)


def test_a_former_track_that_is_gone_does_not_come_back(store: Store, film: Transcript, review: str) -> None:
    _, older = add_file(store, "old.srt", transcripts=[NewTranscript("Old", "en", [Cue(0, 500, 900, "Old.")])])
    store.transcripts.pair(PROFILE, film.id, older.id, 250)
    store.reviews.apply(PROFILE, review)
    step = store.trash.steps(PROFILE)[0].id
    store.transcripts.delete(PROFILE, [older.id])
    store.trash.undo_step(PROFILE, step)
    back = store.transcripts.get(PROFILE, film.id)
    assert (back.translation_id, back.translation_offset_ms) == (None, None)


@pytest.mark.parametrize(
    ("texts", "sentence", "cue", "expected"),
    [
        (("Ja,", "er fährt.", "er"), "Ja, er fährt.", 0, "A B"),
        (("Ja, er", "fährt. Gut."), "Ja, er fährt.", 0, "A B"),
        (("Nein.", "Ja, er", "fährt ab."), "Ja, er fährt ab.", 2, "B C"),
        (("Ja.", "Nein.", "Ja."), "Ja.", 2, "C"),
        (("彼は", "行く。"), "彼は行く。", 1, "A B"),
        (("Ja, er", "fährt ab."), "Er ist abgefahren.", 0, ""),
    ],
)
def test_a_clip_gets_what_the_cues_of_its_sentence_say(
    store: Store, texts: tuple[str, ...], sentence: str, cue: int, expected: str
) -> None:
    """The clip is of the cue of its focus word, which may be any of those that its sentence stands in."""
    cues = [Cue(at, at * 1000, at * 1000 + 900, text) for at, text in enumerate(texts)]
    _, film = add_file(store, transcripts=[NewTranscript("Zug", "de", cues)])
    review = store.reviews.begin(PROFILE, film.id, "translation", "fake:model", into="en")
    store.reviews.add(PROFILE, review, [Change(at, text, "ABC"[at]) for at, text in enumerate(texts)])
    clip = store.clips.add(PROFILE, NewClip(sentence, transcript_id=film.id, cue_index=cue)).id
    assert store.reviews.apply(PROFILE, review, with_clips=True).clips == bool(expected)
    assert store.clips.get(PROFILE, clip).translation == expected
