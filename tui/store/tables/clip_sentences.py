"""Sentences of clips: the cues of a transcript that each stands in, which the clip itself does not know."""

import sqlite3
from collections.abc import Iterator

from tui.records.transcripts import Cue
from tui.store.rows import Connection
from tui.store.tables.clips import Clips
from tui.store.tables.cue_splice import cues_at
from tui.text.sentence_cues import FARTHEST_OF_SENTENCE, find_sentence_cues


def find_sentences(
    connection: Connection, clips: Clips, transcript: sqlite3.Row, first: int, last: int
) -> Iterator[tuple[sqlite3.Row, tuple[Cue, ...]]]:
    """Yield the clips whose sentence may stand in the cues from ``first`` to ``last``, each with those of its sentence.

    Those whose sentence stands in no cue any more are left out.
    """
    around = first - FARTHEST_OF_SENTENCE, last + FARTHEST_OF_SENTENCE
    condition = "WHERE r.transcript_id = ? AND r.cue_index BETWEEN ? AND ?"
    for row in connection.rows(f"{clips.select} {condition}", transcript["id"], *around):
        begin = max(0, row["cue_index"] - FARTHEST_OF_SENTENCE)
        cues = cues_at(connection, transcript["seq"], begin, row["cue_index"] - begin + FARTHEST_OF_SENTENCE + 1)
        if of_sentence := find_sentence_cues(row["sentence"], row["cue_index"], cues):
            yield row, of_sentence
