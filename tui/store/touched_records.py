"""Records that steps of the trash have touched: an older step can be taken back alone if no later one touches them.

A step writes the records that it has deleted, made or changed, and reads those that they refer to: a clip that comes
back needs its transcript, as it was read then, but two clips of one transcript have nothing to do with each other.
Records have a number and an id, and a step may know either; what is there has both here.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tui.store.rows import AMONG, Connection, as_json
from tui.store.trash_entry import STORED_AS

Key: TypeAlias = tuple[object, ...]
_REFERENCES = {"file_id": "files", "transcript_id": "transcripts", "translation_id": "transcripts"}
_TABLES = ("files", "transcripts", "clips", "jobs", "templates", "answers")
"""Tables of rows that are records; cues and counts belong to a transcript."""


@dataclass(slots=True)
class Touched:
    """Keys of records: the table, and the number or the id."""

    written: set[Key] = field(default_factory=set)
    removed: set[Key] = field(default_factory=set)
    """Records that are not there after it, or not as others referred to them."""
    read: set[Key] = field(default_factory=set)
    hides: bool = False
    """Whether taking it back may hide a record that came with it, and that later ones refer to."""

    def meets(self, later: "Touched") -> bool:
        """Whether this step cannot be taken back alone after the later one."""
        needed = later.written | later.read if self.hides else later.written
        return not (self.written.isdisjoint(needed) and self.read.isdisjoint(later.removed))


def find_touched(connection: Connection, entry: sqlite3.Row) -> Touched:
    """Find the records of an entry of the trash, a row with its ``seq`` and the ``rest`` of its bundle.

    Raises ``LookupError``, ``TypeError`` or ``ValueError`` for one that is damaged.
    """
    rest, touched = json.loads(entry["rest"]), Touched()
    for table in connection.column("SELECT key FROM trash, json_each(bundle, '$.tables') WHERE seq = ?", entry["seq"]):
        if table in _TABLES:
            _add_rows(connection, entry["seq"], table, touched)
    for table, _, seq, _ in rest["links"]:
        touched.written.add((table, seq))
    for row in connection.execute("SELECT * FROM all_transcripts WHERE discarded = ?", (entry["seq"],)):
        _add_row("transcripts", dict(row), touched)
    touched.hides = "reading" in rest
    for each in _readings(rest.get("reading")):
        touched.written.add(("transcripts", each["cues"]))
        touched.written.update(("clips", clip) for clip, _ in each["links"])
        touched.removed.add(("transcripts", each["transcript"]))
        _add_ids(connection, "transcripts", [each["transcript"]], touched)
    for part in filter(None, (rest.get("reading"), rest.get("edited"))):
        if file := part.get("file"):
            _add_ids(connection, "files", [file["id"]], touched)
    if edited := rest.get("edited"):
        _add_ids(connection, "transcripts", [edited["id"]], touched)
    if edited_cues := rest.get("edited_cues"):
        _add_ids(connection, "transcripts", [edited_cues["transcript"]], touched)
        touched.written.update(("clips", clip) for clip, *_ in edited_cues.get("clips", ()))
        if len(edited_cues.get("rows", ())) != edited_cues.get("count", 0):  # what names a cue by its index is stale
            touched.removed.add(("transcripts", edited_cues["transcript"]))
            touched.hides = True
    if review := rest.get("review"):
        touched.written.add(("reviews", review["id"]))
    if track := rest.get("track"):
        _add_ids(connection, "transcripts", [track["id"], track["of"]], touched)
    if items := rest.get("review_items"):
        touched.written.add(("reviews", items["review"]))
    if own_word := rest.get("own_word"):
        touched.written.add(("own_words", *own_word["place"][1:]))
    if moved := rest.get("moved"):
        for table, ids in moved["load"].items():
            _add_ids(connection, table, ids, touched)
        touched.removed |= touched.written
        touched.written.update((table.removeprefix("all_"), seq) for table, _, seq, _ in moved["links"])
        touched.read.update((_REFERENCES[column], value) for _, column, _, value in moved["links"])
    if views := rest.get("views"):
        touched.written.update(("views", key) for key in views["rows"])
    if cue_note := rest.get("cue_note"):
        transcript_id, cue = cue_note["place"]
        touched.written.add(("cue_notes", transcript_id, cue))
        touched.read.add(("transcripts", transcript_id))
    for bookmark_id, row in rest.get("bookmarks", {}).items():
        touched.written.add(("bookmarks", bookmark_id))
        query = "SELECT transcript_id FROM bookmarks WHERE id = ?"
        transcript_id = connection.value(query, bookmark_id) if row is None else row["transcript_id"]
        touched.read.add(("transcripts", transcript_id))
    for mark_id, (transcript_id, _) in rest.get("mining_marks", {}).items():
        touched.written.add(("mining_marks", mark_id))
        touched.read.add(("transcripts", transcript_id))
    if words := rest.get("words"):
        touched.written.update(("words", each) for each in words["without"])
        touched.written.update(("words", each[0]) for each in words["with"])
    _add_ids(connection, "clips", rest.get("added_clips", ()), touched)
    edited_clips = rest.get("edited_clips") or rest.get("tagged_clips", {})
    _add_ids(connection, "clips", edited_clips, touched)
    for columns in edited_clips.values():
        for name in columns.keys() & _REFERENCES.keys():
            touched.read.update((_REFERENCES[name], value) for value in columns[name] if value is not None)
    return touched


def is_elsewhere(connection: Connection, profile: int, rest: Mapping[str, Any]) -> bool:
    """Whether a step is of a transcript that is in another profile by now, where its own steps are taken back."""
    ids = [each["transcript"] for each in _readings(rest.get("reading"))]
    ids += [edited["id"]] if (edited := rest.get("edited")) else []
    ids += [edited_cues["transcript"]] if (edited_cues := rest.get("edited_cues")) else []
    ids += [cue_note["place"][0]] if (cue_note := rest.get("cue_note")) else []
    query = f"SELECT 1 FROM all_transcripts WHERE profile <> ? AND id {AMONG} LIMIT 1"
    return bool(ids) and connection.row(query, profile, as_json(ids)) is not None


def _readings(reading: Mapping[str, Any] | None) -> Iterable[Mapping[str, Any]]:
    if reading is None:
        return ()
    parts: Iterable[Mapping[str, Any]] = reading.get("transcripts", [reading])
    return parts


def _add_rows(connection: Connection, seq: int, table: str, touched: Touched) -> None:
    """Add the rows of a table that the entry has deleted; SQLite reads the bundle, which may be a large one."""
    query = f"SELECT json_extract(bundle, '$.tables.{table}.columns') FROM trash WHERE seq = ?"
    names = json.loads(connection.value(query, seq))
    rows = f"SELECT value FROM trash, json_each(bundle, '$.tables.{table}.rows') WHERE seq = ?"
    for (values,) in connection.execute(rows, (seq,)):
        _add_row(table, dict(zip(names, json.loads(values), strict=True)), touched)


def _add_row(table: str, row: Mapping[str, Any], touched: Touched) -> None:
    keys: set[Key] = {(table, row[name]) for name in ("seq", "id") if name in row} or {
        (table,)
    }  # of templates there is one
    touched.written |= keys
    touched.removed |= keys
    for name in row.keys() & _REFERENCES.keys():
        if row[name] is not None:
            touched.read.add((_REFERENCES[name], row[name]))
    if row.get("follows") is not None:
        touched.read.add((table, row["follows"]))


def _add_ids(connection: Connection, table: str, ids: Iterable[str], touched: Touched) -> None:
    """Add records by their ids, with the numbers of those that are there."""
    if not (given := list(ids)):
        return
    touched.written.update((table, each) for each in given)
    query = f"SELECT seq FROM {STORED_AS.get(table, table)} WHERE id {AMONG}"
    touched.written.update((table, seq) for seq in connection.column(query, as_json(given)))
