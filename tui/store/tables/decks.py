"""Tables of decks: exports, and the notes that clips were rendered as and sent as.

What a deck has of each clip is kept because rendering a note takes longer than writing it. Digests are of every
version of a clip's note that Lode wrote into a deck or saw in Anki.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from tui.errors import StoreError
from tui.exporting.formats import read_moment
from tui.records.clip_selection import ClipSelection
from tui.records.clips import Clip
from tui.records.notes import Note
from tui.store.database import Connections, Table
from tui.store.rows import AMONG, PROFILE, Connection, as_json, now, timestamp, which_rows
from tui.store.tables.clips import Clips

_EXPORT = "(SELECT seq FROM exports WHERE profile = ? AND deck = ?)"
_WITHOUT_MEANING = "surface <> '' AND coalesce(json_array_length(focus, '$.meanings'), 0) = 0"
_BY_SOURCE = "c.source = '', c.source, c.transcript_id, c.cue_index, c.seq"


class Exports(Table):
    def __init__(self, connections: Connections, clips: Clips) -> None:
        super().__init__(connections)
        self._clips = clips

    def select(
        self, profile: str, deck: str, selection: ClipSelection, *, by_source: bool = False
    ) -> Sequence[int] | None:
        """Select clips for an export under this deck name: their row numbers, None for all in order of creation.

        ``by_source`` orders them by their transcripts and, within these, by their cues. Raises ``NotFound`` and
        ``InvalidInput`` for an id, ``InvalidInput`` for a date that is none.
        """
        if selection.is_all and not by_source:
            return None
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            conditions, parameters = ["c.profile = ?"], [seq]  # type: tuple[list[str], list[object]]
            if selection.ids:
                conditions.append(f"c.seq {AMONG}")
                parameters.append(as_json(connection.row_numbers("clips", profile, selection.ids)))
            if selection.since:
                conditions.append("c.updated_at >= ?")
                parameters.append(timestamp(read_moment(selection.since, field="since")))
            if selection.tag:
                conditions.append(f"EXISTS (SELECT 1 FROM json_each(c.tags) AS t WHERE t.value {AMONG})")
                parameters.append(as_json(_tags_within(connection, seq, selection.tag)))
            if selection.q:
                matching = self._clips.matching(connection, profile, selection.q)
                conditions.append("false" if matching is None else f"c.seq IN ({matching.query})")
                parameters += () if matching is None else matching.parameters
            if selection.only_new:
                conditions.append(
                    "NOT EXISTS (SELECT 1 FROM exported AS e"
                    f" WHERE e.export = {_EXPORT} AND e.clip = c.seq AND e.updated_at = c.updated_at)"
                )
                parameters += (seq, deck)
            order = _BY_SOURCE if by_source else "c.seq"
            query = f"SELECT c.seq FROM clips AS c WHERE {' AND '.join(conditions)} ORDER BY {order}"
            return array("q", connection.column(query, *parameters))

    def all_but(self, profile: str, ids: Sequence[str]) -> Sequence[int]:
        """Select all clips but those with these ids: their row numbers."""
        query = f"SELECT seq FROM clips WHERE profile = {PROFILE} AND NOT id {AMONG}"
        return array("q", self._connections.column(query, profile, as_json(ids)))

    def compare(self, profile: str, deck: str, selected: Sequence[int] | None = None) -> tuple[int, int, int]:
        """Count the clips that are new, changed and the same since the last export under this deck name.

        The three add up to the clips of the profile, or those of its clips that are ``selected``.
        """
        which, given = which_rows("c.seq", selected)
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            query = (
                "SELECT count(*) FILTER (WHERE e.clip IS NULL), count(*) FILTER (WHERE e.updated_at <> c.updated_at),"
                " count(*) FILTER (WHERE e.updated_at = c.updated_at) FROM clips AS c LEFT JOIN exported AS e"
                f" ON e.clip = c.seq AND e.export = {_EXPORT} WHERE c.profile = ? AND {which}"
            )
            ((new, changed, same),) = connection.rows(query, seq, deck, seq, *given)
            return new, changed, same

    def without_meaning(self, profile: str, selected: Sequence[int] | None = None) -> int:
        """Count the clips of the profile, or of those ``selected``, whose focus word has no meaning."""
        which, given = which_rows("seq", selected)
        query = f"SELECT count(*) FROM clips WHERE profile = {PROFILE} AND {_WITHOUT_MEANING} AND {which}"
        return int(self._connections.value(query, profile, *given))

    def record(self, profile: str, deck: str, as_of: str, selected: Sequence[int] | None = None) -> None:
        """Remember the clips as they were at the moment ``as_of`` as the last export under this deck name.

        What was added or edited since, while the deck was being written, counts as it did before. So do, where only
        some were ``selected``, all others: Anki still has what an earlier deck brought it.
        """
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            connection.execute(
                "INSERT INTO exports (profile, deck, created_at) VALUES (?, ?, ?)"
                " ON CONFLICT (profile, deck) DO UPDATE SET created_at = excluded.created_at",
                (seq, deck, now()),
            )
            export = connection.value(f"SELECT {_EXPORT}", seq, deck)
            which, given = which_rows("clip", selected)
            connection.execute(
                "DELETE FROM exported WHERE export = ?"
                f" AND clip NOT IN (SELECT seq FROM clips WHERE profile = ? AND updated_at > ?) AND {which}",
                (export, seq, as_of, *given),
            )
            which, given = which_rows("seq", selected)
            connection.execute(
                "INSERT INTO exported (export, clip, updated_at)"
                f" SELECT ?, seq, updated_at FROM clips WHERE profile = ? AND updated_at <= ? AND {which}",
                (export, seq, as_of, *given),
            )

    def state(self, profile: str, made_by: str) -> str:
        """A text that is another one after every change of the profile's clips, and of ``made_by``."""
        query = f"SELECT revision FROM totals WHERE profile = {PROFILE} AND kind = 'clips'"
        return f"{self._connections.value(query, profile) or 0} {made_by}"

    def file_of(self, profile: str, deck: str, state: str) -> str:
        """The SHA-256 of the deck's file as it was last exported in this state, "" where that was another one."""
        query = f"SELECT sha256 FROM exports WHERE profile = {PROFILE} AND deck = ? AND state = ?"
        return self._connections.value(query, profile, deck, state) or ""

    def record_file(self, profile: str, deck: str, state: str, sha256: str) -> None:
        """Remember the file of a deck whose export was recorded."""
        with self._connections.write() as connection:
            query = f"UPDATE exports SET state = ?, sha256 = ? WHERE profile = {PROFILE} AND deck = ?"
            connection.execute(query, (state, sha256, profile, deck))


def _tags_within(connection: Connection, profile: int | None, wanted: str) -> list[str]:
    """The tags in use that are this one or below it; SQLite knows upper and lower case of ASCII only."""
    name = wanted.strip().casefold()
    query = "SELECT DISTINCT t.value FROM clips AS c, json_each(c.tags) AS t WHERE c.profile = ?"
    tags = map(str, connection.column(query, profile))
    return [tag for tag in tags if tag.casefold() == name or tag.casefold().startswith(f"{name}::")]


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
            some = self._some(profile, rendering, f"c.seq {AMONG}", part)
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
                (rendering.version, connection.profile_seq(profile), parameter, _AT_ONCE),
            ).fetchall()
            missing = as_json(row[0] for row in rows if row[1] is None)
            query = f"{self._clips.select} WHERE r.seq {AMONG}"
            clips = {row["seq"]: self._clips.build(row) for row in connection.execute(query, (missing,))}
        fresh = {seq: rendering.render(clip) for seq, clip in clips.items()}
        with suppress(StoreError):  # a library that can only be read, or a full disk
            self._keep([(seq, clips[seq], note) for seq, note in fresh.items()], rendering.version)
        return [(seq, fresh.get(seq) if kept is None else _note(*columns)) for seq, kept, *columns in rows]

    def keep(self, clips: Sequence[Clip], rendering: Rendering) -> None:
        """Render clips that were just added or edited, so that the next export has their notes ready."""
        ids = as_json(clip.id for clip in clips)
        seqs = dict(map(tuple, self._connections.rows(f"SELECT id, seq FROM clips WHERE id {AMONG}", ids)))
        rendered = [(seqs[clip.id], clip, rendering.render(clip)) for clip in clips if clip.id in seqs]
        self._keep(rendered, rendering.version)

    def _keep(self, rendered: Sequence[tuple[int, Clip, Note]], version: int) -> None:
        if not rendered:
            return
        with self._connections.write() as connection:
            connection.executemany(  # not of a clip that was deleted or changed meanwhile
                f"INSERT OR REPLACE INTO rendered_notes (clip, updated_at, rendering, {_COLUMNS})"
                f" SELECT ?1, {_AS_RENDERED}, ?3, ?4, ?5, ?6, ?7, ?8 FROM clips AS c"
                " WHERE c.seq = ?1 AND c.updated_at = ?2",
                [(seq, clip.updated_at, version, *_columns_of(note)) for seq, clip, note in rendered],
            )


def _columns_of(note: Note) -> tuple[str, str, str, int, int]:
    return note.guid, _BETWEEN.join(note.fields), " ".join(note.tags), note.created_at, note.changed_at


def _note(guid: str, fields: str, tags: str, created_at: int, changed_at: int) -> Note:
    return Note(guid, tuple(fields.split(_BETWEEN)), tuple(tags.split()), created_at, changed_at)


SentRow = tuple[str, bytes, bytes, bytes, bool]
"""Id of the clip, digests of the whole version, of its fields and of its tags, and whether it was seen in Anki."""
_SENT_NOTES_COLUMNS = "clip, whole, fields, tags, arrived"


class SentNotes(Table):
    def each(self) -> Iterator[SentRow]:
        """All versions of all clips, those of a clip in the order in which they were last written."""
        with self._connections.read() as connection:
            found = connection.execute(f"SELECT {_SENT_NOTES_COLUMNS} FROM sent_notes ORDER BY seq")
            for clip, whole, fields, tags, arrived in found:
                yield clip, whole, fields, tags, bool(arrived)

    def latest(self) -> dict[str, bytes]:
        """Digest of the whole version of each clip that was written last."""
        return dict(map(tuple, self._connections.rows("SELECT clip, whole FROM sent_notes ORDER BY seq")))

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
