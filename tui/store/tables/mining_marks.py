"""Table of mining marks: words and sentences to be broken down together, by the transcript's id, as its notes are."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tui.errors import InvalidInput
from tui.records.mining import MAX_MINED, MiningMark
from tui.store.database import Table
from tui.store.rows import AMONG, Connection, as_json, new_id, now
from tui.store.tables.cue_rows import CUE_COLUMNS, cue_of
from tui.store.trash_entry import TrashEntry
from tui.text.display import shortened
from tui.text.marked_words import find_marked
from tui.text.sanitize import laid_out, one_line

_NEAR = (-1, 0, 1)
"""Cues around the one of a mark in which it is looked for: an edit may have put its word into a neighbour."""


class MiningMarks(Table):
    """Marks of the transcripts of a profile."""

    def of(self, profile: str, transcript_id: str) -> tuple[MiningMark, ...]:
        """The marks of a transcript where their words stand now, in the order of the text; what is gone is left out."""
        with self._connections.read() as connection:
            given = connection.full_id("transcripts", profile, transcript_id)
            transcript = connection.value("SELECT seq FROM transcripts WHERE id = ?", given)
            rows = connection.rows("SELECT * FROM mining_marks WHERE transcript_id = ?", given)
            wanted = {row["cue"] + step for row in rows for step in _NEAR}
            query = f"SELECT {CUE_COLUMNS} FROM cues WHERE transcript = ? AND position {AMONG}"
            cues = {cue.index: cue for cue in map(cue_of, connection.execute(query, (transcript, as_json(wanted))))}
        marks = {
            (mark.cue, mark.start): mark
            for row in rows
            if (mark := find_marked((cues[at] for step in _NEAR if (at := row["cue"] + step) in cues), _build(row)))
        }
        return tuple(marks[place] for place in sorted(marks))

    def put(self, profile: str, transcript_id: str, mark: MiningMark) -> MiningMark:
        """Mark a word or its sentence, in the place of the mark that is there; undo takes it back.

        Its ``text`` is read off the cue. Raises ``InvalidInput`` where no text is, and for too many marks.
        """
        with self._connections.write() as connection:
            transcript = _find_transcript(connection, profile, transcript_id)
            query = "SELECT text FROM cues WHERE transcript = ? AND position = ?"
            cue_text = connection.value(query, transcript["seq"], mark.cue)
            text = laid_out(cue_text or "")[mark.start : mark.end]
            if mark.start < 0 or not text.strip():
                raise InvalidInput("there is no word at this place", hint="read the line anew", code="no_word")
            count = "SELECT count(*) FROM mining_marks WHERE transcript_id = ?"
            if connection.value(count, transcript["id"]) >= MAX_MINED:
                raise InvalidInput(
                    f"there are {MAX_MINED} marks in this text already", hint="break them down first", code="too_many"
                )
            before = _row_at(connection, transcript["id"], mark.cue, mark.start)
            focus = one_line(mark.focus) or one_line(text)
            about = {"id": new_id() if before is None else before["id"], "transcript_id": transcript["id"]}
            about |= {"cue": mark.cue, "start_at": mark.start, "end_at": mark.end, "text": text, "focus": focus}
            about |= {
                "sentence": int(mark.is_sentence),
                "created_at": now() if before is None else before["created_at"],
            }
            if before is None or dict(before) != about:
                _entry(connection, [about["id"]], {about["id"]: transcript["id"]}).save(
                    connection, transcript["profile"], "set_mining_marks", f"no mark on {focus}", subject=_cut(focus)
                )
                connection.insert("mining_marks", about, replacing=True)
            return replace(_build(about), cue_text=cue_text)

    def delete(self, profile: str, transcript_id: str, cue: int, start: int) -> int:
        """Take the mark away that begins at a code point of a cue; undo brings it back. Gives how many there were."""
        with self._connections.write() as connection:
            transcript = _find_transcript(connection, profile, transcript_id)
            found = next(
                (each for each in self.of(profile, transcript_id) if (each.cue, each.start) == (cue, start)), None
            )
            if found is None:
                return 0
            _entry(connection, [found.id], {found.id: transcript["id"]}).save(
                connection,
                transcript["profile"],
                "mining_marks",
                f"the mark on {found.focus}",
                subject=_cut(found.focus),
            )
            remove_marks(connection, [found.id])
            return 1

    def remove(self, ids: Iterable[str]) -> None:
        """Take marks away that have become cards, with no step of undo of their own."""
        with self._connections.write() as connection:
            remove_marks(connection, ids)


def remove_marks(connection: Connection, ids: Iterable[str]) -> None:
    connection.execute(f"DELETE FROM mining_marks WHERE id {AMONG}", (as_json(ids),))


def _find_transcript(connection: Connection, profile: str, transcript_id: str) -> sqlite3.Row:
    given = connection.full_id("transcripts", profile, transcript_id)
    return connection.rows("SELECT * FROM transcripts WHERE id = ?", given)[0]


def _row_at(connection: Connection, transcript_id: str, cue: int, start: int) -> sqlite3.Row | None:
    query = "SELECT * FROM mining_marks WHERE transcript_id = ? AND cue = ? AND start_at = ?"
    return connection.row(query, transcript_id, cue, start)


def _build(row: sqlite3.Row | Mapping[str, Any]) -> MiningMark:
    place = (row["cue"], row["start_at"], row["end_at"])
    return MiningMark(*place, row["text"], row["focus"], bool(row["sentence"]), id=row["id"])


def _cut(focus: str) -> str:
    return shortened(focus, 60)


def _entry(connection: Connection, ids: Sequence[str], transcripts: Mapping[str, str]) -> TrashEntry:
    """The entry of the trash that brings these marks back as they are now, or takes away those that are not yet."""
    rows = _states(connection, ids)
    return TrashEntry(undo={"mining_marks": {each: [transcripts[each], row] for each, row in rows.items()}})


def _states(connection: Connection, ids: Iterable[str]) -> dict[str, dict[str, Any] | None]:
    rows = connection.rows(f"SELECT * FROM mining_marks WHERE id {AMONG}", as_json(ids))
    return {**dict.fromkeys(ids), **{row["id"]: dict(row) for row in rows}}


def restore_marks(connection: Connection, profile: int, states: Mapping[str, Any]) -> dict[str, Any] | None:
    """Bring marks back to what they were. Gives what does the step again, None where nothing can come back.

    One whose transcript is in another profile by now is left alone, and so is one whose place another has taken; one
    that has become a card is not taken away again.
    """
    now_there, is_done = _states(connection, list(states)), False
    for mark_id, (transcript_id, row) in states.items():
        query = "SELECT profile FROM all_transcripts WHERE id = ?"
        if connection.value(query, transcript_id) != profile:
            continue
        if row is None:
            done = connection.execute("DELETE FROM mining_marks WHERE id = ?", (mark_id,)).rowcount
        elif now_there[mark_id] is not None:
            changes = {name: row[name] for name in ("end_at", "text", "focus", "sentence")}
            done = connection.update("mining_marks", "id", mark_id, changes)
        else:
            columns = f"({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
            done = connection.execute(f"INSERT OR IGNORE INTO mining_marks {columns}", tuple(row.values())).rowcount
        is_done = is_done or bool(done)
    before = {mark_id: [states[mark_id][0], row] for mark_id, row in now_there.items()}
    return before if is_done else None


def move_marks(connection: Connection, transcript_id: str, places: Mapping[int, int]) -> None:
    """Let the marks of a transcript stand at other cues, by the old ones; of two in one place the older one stays."""
    rows = connection.rows("SELECT * FROM mining_marks WHERE transcript_id = ? ORDER BY created_at, id", transcript_id)
    moved: dict[tuple[int, int], dict[str, Any]] = {}
    for row in rows:
        cue = places.get(row["cue"], row["cue"])
        moved.setdefault((cue, row["start_at"]), {**dict(row), "cue": cue})
    connection.execute("DELETE FROM mining_marks WHERE transcript_id = ?", (transcript_id,))
    for each in moved.values():
        connection.insert("mining_marks", each)
