"""Tables of notes: what a deck has of each clip, kept because rendering one takes longer than writing it, and digests.

Digests are of every version of a clip's note that Lode wrote into a deck or saw in Anki.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from tui.errors import StoreError
from tui.records.clips import Clip
from tui.records.notes import Note
from tui.store.database import Connections, Table
from tui.store.rows import as_json, profile_seq
from tui.store.tables.clips import Clips

_AT_ONCE = 1000
_BETWEEN = "\x1f"
_COLUMNS = "guid, fields, tags, created_at, changed_at"
_AS_RENDERED = (
    "c.updated_at || coalesce(' ' || (SELECT t.language FROM all_transcripts AS t WHERE t.id = c.transcript_id), '')"
)
"""Moment of a clip's last change, and the language of its transcript, which is on its card as well."""
_COLUMNS_OF_NOTE = ", ".join(f"n.{name}" for name in _COLUMNS.split(", "))


@dataclass(frozen=True, slots=True)
class Rendering:
    """The way from a clip to its note; ``version`` moves whenever ``render`` gives another note of the same clip."""

    version: int
    render: Callable[[Clip], Note]


class RenderedNotes(Table):
    def __init__(self, connections: Connections, clips: Clips) -> None:
        super().__init__(connections)
        self._clips = clips

    def each(self, profile: str, rendering: Rendering, selected: Sequence[int] | None = None) -> Iterator[Note]:
        """Iterate over the notes of all clips, or of those with these row numbers, oldest first, a few at a time.

        Those that are not as their clips are now are rendered, and kept where that can be.
        """
        if selected is None:
            last = 0
            while some := self._some(profile, rendering, "c.seq > ?", last):
                yield from (note for _, note in some if note is not None)
                last = some[-1][0]
            return
        for start in range(0, len(selected), _AT_ONCE):
            part = as_json(selected[start : start + _AT_ONCE])
            some = self._some(profile, rendering, "c.seq IN (SELECT value FROM json_each(?))", part)
            yield from (note for _, note in some if note is not None)

    def _some(
        self, profile: str, rendering: Rendering, condition: str, parameter: object
    ) -> list[tuple[int, Note | None]]:
        """The next notes that meet the condition, with the row numbers of their clips; None for a clip just deleted."""
        with self._connections.read() as connection:
            rows = connection.execute(
                f"SELECT c.seq, n.clip, {_COLUMNS_OF_NOTE} FROM clips AS c LEFT JOIN rendered_notes AS n"
                f" ON n.clip = c.seq AND n.updated_at = {_AS_RENDERED} AND n.rendering = ?"
                f" WHERE c.profile = ? AND {condition} ORDER BY c.seq LIMIT ?",
                (rendering.version, profile_seq(connection, profile), parameter, _AT_ONCE),
            ).fetchall()
            clips = self._clips_of(connection, [row[0] for row in rows if row[1] is None])
        fresh = {seq: rendering.render(clip) for seq, clip in clips.items()}
        with suppress(StoreError):  # a library that can only be read, or a full disk
            self._keep([(seq, clips[seq], note) for seq, note in fresh.items()], rendering.version)
        return [(seq, fresh.get(seq) if kept is None else _note(*columns)) for seq, kept, *columns in rows]

    def keep(self, clips: Sequence[Clip], rendering: Rendering) -> None:
        """Render clips that were just added or edited, so that the next export has their notes ready."""
        with self._connections.read() as connection:
            query = "SELECT id, seq FROM clips WHERE id IN (SELECT value FROM json_each(?))"
            seqs = dict(map(tuple, connection.execute(query, (as_json([clip.id for clip in clips]),))))
        rendered = [(seqs[clip.id], clip, rendering.render(clip)) for clip in clips if clip.id in seqs]
        self._keep(rendered, rendering.version)

    def _clips_of(self, connection: sqlite3.Connection, seqs: Sequence[int]) -> dict[int, Clip]:
        if not seqs:
            return {}
        query = f"{self._clips.select} WHERE r.seq IN (SELECT value FROM json_each(?))"
        return {row["seq"]: self._clips.build(row) for row in connection.execute(query, (as_json(seqs),))}

    def _keep(self, rendered: Sequence[tuple[int, Clip, Note]], version: int) -> None:
        if not rendered:
            return
        with self._connections.write() as connection:
            connection.executemany(  # not of a clip that was deleted or changed meanwhile
                f"INSERT OR REPLACE INTO rendered_notes (clip, updated_at, rendering, {_COLUMNS})"
                f" SELECT ?1, {_AS_RENDERED}, ?3, ?4, ?5, ?6, ?7, ?8 FROM clips AS c"
                " WHERE c.seq = ?1 AND c.updated_at = ?2",
                [
                    (
                        *(seq, clip.updated_at, version, note.guid),
                        *(_BETWEEN.join(note.fields), " ".join(note.tags), note.created_at, note.changed_at),
                    )
                    for seq, clip, note in rendered
                ],
            )


def _note(guid: str, fields: str, tags: str, created_at: int, changed_at: int) -> Note:
    return Note(guid, tuple(fields.split(_BETWEEN)), tuple(tags.split()), created_at, changed_at)


SentRow = tuple[str, bytes, bytes, bytes, bool]
"""Id of the clip, digests of the whole version, of its fields and of its tags, and whether it was seen in Anki."""
_SENT_NOTES_COLUMNS = "clip, whole, fields, tags, arrived"


class SentNotes(Table):
    def each(self) -> Iterator[SentRow]:
        """All versions of all clips, those of a clip in the order in which they were last written."""
        with self._connections.read() as connection:
            for *digests, arrived in connection.execute(f"SELECT {_SENT_NOTES_COLUMNS} FROM sent_notes ORDER BY seq"):
                clip, whole, fields, tags = digests
                yield clip, whole, fields, tags, bool(arrived)

    def latest(self) -> dict[str, bytes]:
        """Digest of the whole version of each clip that was written last."""
        with self._connections.read() as connection:
            return dict(map(tuple, connection.execute("SELECT clip, whole FROM sent_notes ORDER BY seq")))

    def record(self, rows: Iterable[SentRow]) -> None:
        """Remember versions as the latest of their clips."""
        with self._connections.write() as connection:
            connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS sending ({_SENT_NOTES_COLUMNS})")
            connection.execute("DELETE FROM sending")
            connection.executemany("INSERT INTO sending VALUES (?, ?, ?, ?, ?)", rows)
            # The latest version, written once more, has arrived all the same.
            connection.execute(
                "UPDATE sending SET arrived = 1 WHERE EXISTS (SELECT 1 FROM sent_notes AS s WHERE s.clip = sending.clip"
                " AND s.whole = sending.whole AND s.arrived"
                " AND s.seq = (SELECT max(seq) FROM sent_notes WHERE clip = sending.clip))"
            )
            connection.execute(
                "DELETE FROM sent_notes WHERE seq IN (SELECT s.seq FROM sending JOIN sent_notes AS s USING (clip)"
                " WHERE s.whole = sending.whole)"
            )
            connection.execute(
                f"INSERT INTO sent_notes ({_SENT_NOTES_COLUMNS}) SELECT {_SENT_NOTES_COLUMNS} FROM sending"
            )
            connection.execute("DELETE FROM sending")
