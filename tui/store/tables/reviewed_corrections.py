"""Corrections that were taken in a review, as they are applied: to cues, and to the clips of these."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from tui.correcting.corrected_clips import correct_clip
from tui.errors import InvalidInput
from tui.records.clips import NewClip
from tui.store.rows import Connection, now
from tui.store.tables.clips import Clips, replace_contents
from tui.store.tables.cue_changes import change_text
from tui.store.tables.cue_splice import Row, Splice, cues_at, row_of, rows_at, splice_cues

_FARTHEST_OF_SENTENCE = 5
"""Cues that a sentence of a clip may begin before a cue of it, or go on behind."""
Texts: TypeAlias = Mapping[int, tuple[str, str]]
"""Old and new texts of cues, by their positions; "" takes a cue out."""


def apply_corrections(
    connection: Connection, transcript: sqlite3.Row, texts: Texts, clips: Iterable[tuple[sqlite3.Row, NewClip]]
) -> dict[str, Any]:
    """Give cues and clips other texts; gives what undoes it. Raises ``InvalidInput`` where no cue would be left."""
    if not texts:
        return {}
    changed = {row["id"]: replace_contents(connection, row, clip) for row, clip in clips}
    splice = _make_splice(connection, transcript, {index: after for index, (_, after) in texts.items()})
    cues = {"transcript": transcript["id"], **splice_cues(connection, transcript, splice)}
    connection.update("all_transcripts", "seq", transcript["seq"], {"fixed_at": now()})
    return {"edited_cues": cues, **({"edited_clips": changed} if changed else {})}


def find_clips(
    connection: Connection, clips: Clips, transcript: sqlite3.Row, texts: Texts
) -> list[tuple[sqlite3.Row, NewClip]]:
    """Find the clips that have the old text of one of these cues, each with its row and what it is with the new one."""
    if not texts:
        return []
    first, last = min(texts) - _FARTHEST_OF_SENTENCE, max(texts) + _FARTHEST_OF_SENTENCE
    condition = "WHERE r.transcript_id = ? AND r.cue_index BETWEEN ? AND ?"
    found = list[tuple[sqlite3.Row, NewClip]]()
    for row in connection.rows(f"{clips.select} {condition}", transcript["id"], first, last):
        clip = before = clips.build(row).contents()
        near = range(row["cue_index"] - _FARTHEST_OF_SENTENCE, row["cue_index"] + _FARTHEST_OF_SENTENCE + 1)
        for index in sorted(texts.keys() & set(near)):
            given = (clip, *texts[index], transcript["language"])
            clip = correct_clip(*given, is_of_cue=index == row["cue_index"]) or clip
        if clip != before:
            found.append((row, clip))
    return found


def _make_splice(connection: Connection, transcript: sqlite3.Row, texts: Mapping[int, str]) -> Splice:
    """The splice that gives cues other texts, by their positions; "" takes a cue out, whose clips are of none then."""
    first, last = min(texts), max(texts)
    rows, gone = list[Row](), list[int]()
    cues = cues_at(connection, transcript["seq"], first, last - first + 1)
    for cue, row in zip(cues, rows_at(connection, transcript["seq"], first, last - first + 1), strict=True):
        match texts.get(cue.index):
            case None:
                rows.append(row)
            case "":
                gone.append(cue.index)
            case text:
                rows.append(row_of(change_text(cue, text), row[0]))
    if len(gone) == transcript["cue_count"]:
        said = "no cue of this transcript would be left"
        raise InvalidInput(said, hint="leave some of the changes; or delete the transcript", code="only_cue")
    query = "SELECT seq FROM clips WHERE transcript_id = ? AND cue_index = ?"
    clips = {clip: None for index in gone for clip in connection.column(query, transcript["id"], index)}
    return Splice(first, last - first + 1, rows, clips)
