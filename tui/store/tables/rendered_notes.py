"""Table of rendered notes: what a deck has of each clip, kept because rendering one takes longer than writing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
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
