"""Corrections that were taken in a review, as they are applied: to cues, and to the clips of these."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from tui.correcting.corrected_clips import correct_clip
from tui.errors import InvalidInput
from tui.records.clips import NewClip
from tui.store.rows import Connection, now
from tui.store.tables.clip_sentences import find_sentences
from tui.store.tables.clips import Clips, replace_contents
from tui.store.tables.cue_changes import change_text
from tui.store.tables.cue_splice import Row, Splice, cues_at, row_of, rows_at, splice_cues
from tui.text.sanitize import one_line

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
    """Find the clips whose sentence stands in one of these cues, each with its row and what it is with the new text."""
    if not texts:
        return []
    new = {index: after for index, (_, after) in texts.items()}
    found = list[tuple[sqlite3.Row, NewClip]]()
    for row, cues in find_sentences(connection, clips, transcript, min(texts), max(texts)):
        if texts.keys().isdisjoint(cue.index for cue in cues):
            continue
        before = one_line("\n".join(cue.text for cue in cues))
        after = one_line("\n".join(new.get(cue.index, cue.text) for cue in cues))
        if (clip := correct_clip(clips.build(row).contents(), before, after, transcript["language"])) is not None:
            found.append((row, replace(clip, context=_correct_context(clip.context, texts))))
    return found


def _correct_context(context: str, texts: Texts) -> str:
    """The context of a clip, which has a line for each cue, with the new text of these."""
    new = {one_line(before): one_line(after) for before, after in texts.values()}
    return "\n".join(new.get(line, line) for line in context.split("\n"))


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
