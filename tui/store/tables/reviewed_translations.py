"""Translations that were taken in a review, as they are applied: another transcript, which is the first one's track."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from tui.language.tags import language_name
from tui.records.clips import NewClip
from tui.records.transcripts import Cue, NewTranscript
from tui.store.rows import Connection
from tui.store.tables.clip_sentences import find_sentences
from tui.store.tables.clips import Clips, replace_contents
from tui.store.tables.cue_splice import cues_at
from tui.store.tables.transcripts import CountedTranscript, insert_transcript
from tui.store.tables.words import count_forms
from tui.text.sanitize import one_line

Translated: TypeAlias = Mapping[int, str]
"""Translations of cues, by their positions."""


def apply_translations(
    connection: Connection, transcript: sqlite3.Row, into: str, translated: Translated, clips: Sequence[tuple[Any, ...]]
) -> dict[str, Any]:
    """Make a transcript of the translations, at the times of their cues, and pair it; gives what undoes that.

    The track that there was stays in the library, and is none any more.
    """
    if not translated:
        return {}
    first, last = min(translated), max(translated)
    found = cues_at(connection, transcript["seq"], first, last - first + 1)
    told = [cue for cue in found if translated.get(cue.index)]
    cues = [Cue(at, cue.start_ms, cue.end_ms, translated[cue.index]) for at, cue in enumerate(told)]
    about = {name: transcript[name] for name in ("series", "season", "episode")}
    new = NewTranscript(f"{transcript['title']} · {language_name(into)}", into, cues, **about)
    counted = CountedTranscript(new, count_forms((cue.text for cue in cues), into))
    seq = insert_transcript(connection, transcript["profile"], None, counted, origin="translation")
    track_id = connection.value("SELECT id FROM all_transcripts WHERE seq = ?", seq)
    before = find_track(connection, transcript["id"])
    set_track(connection, transcript["id"], track_id, 0)
    changed = {row["id"]: replace_contents(connection, row, clip) for row, clip in clips}
    track = {"id": track_id, "of": transcript["id"], "before": before}
    return {"track": track, **({"edited_clips": changed} if changed else {})}


def find_track(connection: Connection, transcript_id: str) -> list[Any]:
    """Find the id of a transcript's translation track and its offset, both None where there is none."""
    row = connection.row("SELECT translation_id, translation_offset_ms FROM transcripts WHERE id = ?", transcript_id)
    return [None, None] if row is None else list(row)


def set_track(connection: Connection, transcript_id: str, track_id: str | None, offset_ms: int | None) -> None:
    """Give a transcript this translation track, or none."""
    track = {"translation_id": track_id, "translation_offset_ms": offset_ms}
    connection.update("all_transcripts", "id", transcript_id, track)


def find_untranslated(
    connection: Connection, clips: Clips, transcript: sqlite3.Row, translated: Translated
) -> list[tuple[sqlite3.Row, NewClip]]:
    """Find the clips of these cues that have no translation, each with its row and what it is with one."""
    if not translated:
        return []
    found = list[tuple[sqlite3.Row, NewClip]]()
    for row, cues in find_sentences(connection, clips, transcript, min(translated), max(translated)):
        if not row["translation"] and all(translated.get(cue.index) for cue in cues):
            parts = dict.fromkeys(translated[cue.index] for cue in cues)
            text = one_line("\n".join(parts))  # as a clip has it that is made beside the track
            found.append((row, replace(clips.build(row).contents(), translation=text)))
    return found
