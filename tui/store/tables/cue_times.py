"""Times of all cues of a transcript, those of their words too: moved by an offset, or by a factor as well.

A translation track stays beside what it says as far as one offset can do that, so after a factor it needs another one.
What a factor has rounded cannot be computed back: the former times are kept as they were.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from tui.records.retiming import Retiming
from tui.store.rows import Connection, as_json, json_value


def shift_cues(connection: Connection, transcript: sqlite3.Row, ms: int) -> None:
    """Move all times by milliseconds, with the offsets to translations."""
    moved_words = (
        "(SELECT json_group_array(json_array(value ->> 0, value ->> 1, (value ->> 2) + :ms, (value ->> 3) + :ms))"
        " FROM json_each(words))"
    )
    connection.execute(
        "UPDATE cues SET start_ms = start_ms + :ms, end_ms = end_ms + :ms,"
        f" words = iif(words IS NULL, NULL, {moved_words}) WHERE transcript = :seq",
        {"ms": ms, "seq": transcript["seq"]},
    )
    connection.execute(
        "UPDATE all_transcripts SET duration_ms = duration_ms + ? WHERE seq = ?", (ms, transcript["seq"])
    )
    for sign, column, value in (("+", "id", transcript["id"]), ("-", "translation_id", transcript["id"])):
        connection.execute(
            f"UPDATE all_transcripts SET translation_offset_ms = translation_offset_ms {sign} ? WHERE {column} = ?",
            (ms, value),
        )


def read_spans(connection: Connection, transcript: int) -> list[tuple[int, int]]:
    """Start and end of the cues that have times, in their order."""
    query = "SELECT start_ms, end_ms FROM cues WHERE transcript = ? AND end_ms IS NOT NULL ORDER BY position"
    return [(start, end) for start, end in connection.rows(query, transcript)]


def retime_cues(
    connection: Connection, transcript: sqlite3.Row, retiming: Retiming, pairs: Mapping[str, int]
) -> dict[str, Any]:
    """Retime all cues; gives what undoes it, for ``restore_times``.

    ``pairs`` are the offsets to translations from now on, by the transcripts that have one; those that are not named
    are moved with an offset alone, and ended by a factor.
    """
    former = _read_times(connection, transcript)
    if retiming.factor == 1:
        shift_cues(connection, transcript, retiming.offset_ms)
    else:
        rows = former["cues"]
        _write_times(connection, ([seq, *map(retiming.move, times)] for seq, *times in rows))
        duration = retiming.move(transcript["duration_ms"])
        connection.update("all_transcripts", "seq", transcript["seq"], {"duration_ms": duration})
        for paired, track, _ in former["pairs"]:
            offset_ms = pairs.get(paired)
            pair = {"translation_id": None if offset_ms is None else track, "translation_offset_ms": offset_ms}
            connection.update("all_transcripts", "id", paired, pair)
    left = _read_pairs(connection, transcript)
    again = [retiming.factor, retiming.offset_ms, dict(pairs)]
    return {"former_times": {**former, "left": left, "retiming": again}}


def restore_times(connection: Connection, transcript: sqlite3.Row, former: Mapping[str, Any]) -> dict[str, Any]:
    """Give all cues the times that they had before a ``retime_cues``; gives what does that again.

    Pairs that are others by now stay so.
    """
    _write_times(connection, former["cues"])
    connection.update("all_transcripts", "seq", transcript["seq"], {"duration_ms": former["duration_ms"]})
    left = {paired: [track, offset_ms] for paired, track, offset_ms in former["left"]}
    for paired, track, offset_ms in former["pairs"]:
        connection.execute(
            "UPDATE all_transcripts SET translation_id = ?, translation_offset_ms = ?"
            " WHERE id = ? AND translation_id IS ? AND translation_offset_ms IS ?",
            (track, offset_ms, paired, *left.get(paired, (None, None))),
        )
    return {"retiming": former["retiming"]}


def _read_times(connection: Connection, transcript: sqlite3.Row) -> dict[str, Any]:
    """The times of a transcript: of each cue its number, start, end, and start and end of each of its words."""
    query = (
        "SELECT seq, start_ms, end_ms, words FROM cues WHERE transcript = ? AND end_ms IS NOT NULL ORDER BY position"
    )
    cues = [
        [seq, start, end, *chain.from_iterable(word[2:] for word in json_value(words or "[]"))]
        for seq, start, end, words in connection.execute(query, (transcript["seq"],))
    ]
    return {"cues": cues, "duration_ms": transcript["duration_ms"], "pairs": _read_pairs(connection, transcript)}


def _read_pairs(connection: Connection, transcript: sqlite3.Row) -> list[list[Any]]:
    """The transcripts that are paired with a translation, where either of them is this one: id, track, offset."""
    query = (
        "SELECT id, translation_id, translation_offset_ms FROM all_transcripts"
        " WHERE translation_id IS NOT NULL AND (id = ?1 OR translation_id = ?1)"
    )
    return list(map(list, connection.rows(query, transcript["id"])))


def read_pairs(connection: Connection, transcript: sqlite3.Row) -> list[tuple[str, str]]:
    """The pairs of a transcript with its translation, and with those whose translation it is, by their ids."""
    return [(paired, track) for paired, track, _ in _read_pairs(connection, transcript)]


def _write_times(connection: Connection, rows: Iterable[list[int]]) -> None:
    for seq, start, end, *moments in rows:
        changes: dict[str, object] = {"start_ms": start, "end_ms": end}
        if moments:
            words = json_value(connection.value("SELECT words FROM cues WHERE seq = ?", seq) or "[]")
            timed = zip(words, moments[::2], moments[1::2], strict=False)
            changes["words"] = as_json([*word[:2], begin, until] for word, begin, until in timed)
        connection.update("cues", "seq", seq, changes)
