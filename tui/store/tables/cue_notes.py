"""Notes at cues: what people write of a sentence where they read it; kept by the transcript's id, as its clips are."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from tui.records.transcripts import CueNote
from tui.store.rows import Connection, now
from tui.store.search import Search
from tui.store.trash_entry import TrashEntry
from tui.text.search_query import Matches

_AT = "transcript_id = ? AND cue = ?"


def notes_of(connection: Connection, transcript_id: str) -> tuple[CueNote, ...]:
    """The notes of a transcript, in the order of its cues."""
    query = "SELECT cue, text, updated_at FROM cue_notes WHERE transcript_id = ? ORDER BY cue"
    return tuple(CueNote(*row) for row in connection.rows(query, transcript_id))


def put_note(connection: Connection, transcript: sqlite3.Row, cue: int, text: str) -> CueNote:
    """Put a note in the place of the one that is there, or take that away ("" for the text); undo brings it back."""
    place = (transcript["id"], cue)
    before = connection.value(f"SELECT text FROM cue_notes WHERE {_AT}", *place)
    if (before or "") != text:
        entry = TrashEntry(undo={"cue_note": {"place": place, "text": before}})
        line = f"line {cue + 1} of {transcript['title']}"
        entry.save(connection, transcript["profile"], "notes", f"the note at {line}", subject=line)
        _write(connection, place, text)
    row = connection.row(f"SELECT cue, text, updated_at FROM cue_notes WHERE {_AT}", *place)
    return CueNote(cue, "", "") if row is None else CueNote(*row)


def restore_note(connection: Connection, changed: Mapping[str, Any]) -> dict[str, Any] | None:
    """Undo a ``put_note``. Gives what does it again, None where the transcript is gone."""
    transcript_id, cue = changed["place"]
    if connection.value("SELECT id FROM all_transcripts WHERE id = ?", transcript_id) is None:
        return None
    before = connection.value(f"SELECT text FROM cue_notes WHERE {_AT}", transcript_id, cue)
    _write(connection, (transcript_id, cue), changed["text"] or "")
    return {"place": [transcript_id, cue], "text": before}


def _write(connection: Connection, place: tuple[str, int], text: str) -> None:
    if text:
        columns = {"transcript_id": place[0], "cue": place[1], "text": text, "updated_at": now()}
        connection.insert("cue_notes", columns, replacing=True)
    else:
        connection.execute(f"DELETE FROM cue_notes WHERE {_AT}", place)


def move_notes(connection: Connection, transcript_id: str, places: Mapping[int, int]) -> None:
    """Let the notes of a transcript stand at other cues, by the old ones; two at one cue become one."""
    notes: dict[int, tuple[str, str]] = {}
    for note in notes_of(connection, transcript_id):
        cue = places.get(note.cue_index, note.cue_index)
        text, at = notes.get(cue, ("", ""))
        notes[cue] = "\n".join(filter(None, (text, note.text))), max(at, note.updated_at)
    connection.execute("DELETE FROM cue_notes WHERE transcript_id = ?", (transcript_id,))
    connection.executemany(
        "INSERT INTO cue_notes (transcript_id, cue, text, updated_at) VALUES (?, ?, ?, ?)",
        [(transcript_id, cue, text, at) for cue, (text, at) in notes.items()],
    )


def noted_cues(connection: Connection, transcript_id: str, search: Search) -> set[int]:
    """The cues with a note in which all is found that is searched for; what is to be left out is of the text."""
    if any(term.is_negated for term in search.terms):
        return set()
    matches = Matches(search.terms)
    notes = notes_of(connection, transcript_id)
    return {note.cue_index for note in notes if matches and len(matches.found_in(note.text)) == len(matches)}
