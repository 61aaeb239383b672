"""Notes at cues: put, taken away, found, brought back, and moved to other cues by another reading of the file."""

from dataclasses import replace

import pytest

from tests.store.conftest import PROFILE, AddFilm, undo
from tests.store.tables.test_reimport import NEW, OLD, read, timed
from tui.errors import InvalidInput, NotFound
from tui.records.transcripts import Transcript
from tui.store import Store


def notes(store: Store, transcript: Transcript) -> list[tuple[int, str]]:
    return [(note.cue_index, note.text) for note in store.transcripts.notes(PROFILE, transcript.id)]


def test_a_note_is_put_changed_and_taken_away_and_each_of_these_is_undone(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.", "Er hält.", "Ende.")
    assert notes(store, transcript) == []
    for text in ("a verb", "a strong verb", ""):
        assert store.transcripts.note(PROFILE, transcript.id[:9], 1, text).text == text
    assert notes(store, transcript) == []
    for text in ("a strong verb", "a verb"):
        assert undo(store).kind == "note"
        assert notes(store, transcript) == [(1, text)]
    assert undo(store).summary == f"the note at line 2 of {transcript.title}"
    assert notes(store, transcript) == []
    store.transcripts.note(PROFILE, transcript.id, 2, "")
    assert store.trash.undo(PROFILE) is None, "nothing was changed"


def test_a_note_is_refused_where_there_is_no_cue(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.")
    for cue in (1, -1, 2**60):
        with pytest.raises(InvalidInput, match="there is no cue"):
            store.transcripts.note(PROFILE, transcript.id, cue, "x")
    with pytest.raises(NotFound):
        store.transcripts.note("berta", transcript.id, 0, "x")


def test_notes_go_and_come_back_with_their_transcript(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.")
    store.transcripts.note(PROFILE, transcript.id, 0, "x")
    store.transcripts.delete(PROFILE, [transcript.id])
    undo(store)
    assert notes(store, transcript) == [(0, "x")]


def test_a_cue_is_found_by_its_note_and_a_transcript_by_the_field(store: Store, add_film: AddFilm) -> None:
    _, other = add_film("Das Präfix.", name="Anderer.srt")
    _, transcript = add_film("Der Zug fährt ab.", "Er hält.", "Das Präfix.")
    store.transcripts.note(PROFILE, transcript.id, 0, "the präfix stands at its end")
    for q, found in (("prafix", (0, 2)), ("stands end", (0,)), ('"at its"', (0,)), ("-stands präfix", (2,)), ("x", ())):
        assert store.transcripts.find(PROFILE, transcript.id, q) == found, q
    assert store.transcripts.find(PROFILE, transcript.id, "prafix", limit=1) == (0,)
    for q, listed in (
        ("note:prafix", [transcript.id]),
        ('note:"its end"', [transcript.id]),
        ("has:notes", [transcript.id]),
        ("-has:notes", [other.id]),
        ("note:zug", []),
    ):
        assert [each.id for each in store.transcripts.page(PROFILE, q=q).items] == listed, q


def test_another_reading_moves_notes_by_their_moments_and_loses_none(store: Store) -> None:
    _, transcript = read(store, timed(*OLD))
    for cue in range(4):
        store.transcripts.note(PROFILE, transcript.id, cue, f"note {cue}")
    later = [replace(cue, index=cue.index + 1) for cue in timed(*NEW)]
    read(store, timed("Vorspann", begin=-5000) + later)
    assert notes(store, transcript) == [(1, "note 0"), (2, "note 1"), (3, "note 2"), (4, "note 3")]
    store.transcripts.note(PROFILE, transcript.id, 0, "of the opening")
    undo(store)
    undo(store)
    assert notes(store, transcript) == [(cue, f"note {cue}") for cue in range(4)]
    read(store, timed(*NEW[:1]))
    assert notes(store, transcript) == [(0, "note 0\nnote 1\nnote 2\nnote 3")]
