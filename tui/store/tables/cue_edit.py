"""Edits of cues: text, times, split, merge, insert, delete, and other times for all of them; each is one undo step.

A cue is named by its index and by the text that was ``seen`` there: another process may have changed it meanwhile. Cues
stay in the order of their starts: a start that passes a neighbour's is refused, as the cue would go somewhere else than
where it is looked at. The one cue that is left cannot be deleted, as a transcript has some.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tui.errors import InvalidInput
from tui.records.retiming import Retiming
from tui.records.transcripts import MAX_TIME_MS, Cue, EditedCues
from tui.store.database import Table
from tui.store.rows import Connection
from tui.store.tables.cue_changes import change_text, change_times, merge_cues, split_cue
from tui.store.tables.cue_splice import Splice, cues_at, read_splice, row_of, rows_at, splice_cues
from tui.store.tables.cue_times import read_pairs, read_spans, restore_times, retime_cues, shift_cues
from tui.store.tables.words import count_forms
from tui.store.trash_entry import TrashEntry
from tui.text.sanitize import one_line
from tui.text.times import exact_time


class CueEdits(Table):
    """Edits of cues of a profile's transcripts; what each has left is what it gives."""

    def edit(
        self,
        profile: str,
        transcript_id: str,
        index: int,
        seen: str,
        *,
        text: str | None = None,
        start_ms: int | None = None,
        end_ms: int | None = None,
    ) -> EditedCues:
        """Give a cue another text, or other times; None leaves them."""
        with self._editing(profile, transcript_id) as (connection, transcript):
            cue = _find_cue(connection, transcript, index, seen)
            edited = change_text(cue, cue.text if text is None else text)
            if start_ms is not None or end_ms is not None:
                _check_has_times(transcript)
                start = cue.start_ms if start_ms is None else start_ms
                end = cue.end_ms if end_ms is None else end_ms
                if (start, end) != (cue.start_ms, cue.end_ms):
                    around = (
                        cues_at(connection, transcript["seq"], index - 1, 1),
                        _following(connection, transcript, index),
                    )
                    edited = _place_in_time(edited, start, end, *around)
            return _save(connection, transcript, "edited", index, [cue], [edited])

    def split(self, profile: str, transcript_id: str, index: int, seen: str, at: int) -> EditedCues:
        """Split a cue in two, the second from a code point of its text on; clips go to the part that has their word."""
        with self._editing(profile, transcript_id) as (connection, transcript):
            cue = _find_cue(connection, transcript, index, seen)
            first, second = split_cue(cue, at)
            following = _following(connection, transcript, index)
            if following and None not in (second.start_ms, following[0].start_ms):
                # Both may be shown at once: the order of the starts stays.
                second = replace(second, start_ms=min(second.start_ms or 0, following[0].start_ms or 0))
            clips = _clips_of_second(connection, transcript, first, second)
            return _save(connection, transcript, "split", index, [cue], [first, second], clips)

    def merge(self, profile: str, transcript_id: str, index: int, seen: str) -> EditedCues:
        """Make a cue and the next one the same."""
        with self._editing(profile, transcript_id) as (connection, transcript):
            cue, following = _find_cue(connection, transcript, index, seen), _following(connection, transcript, index)
            if not following:
                raise InvalidInput("it is the last cue", hint="merge the one before with it", code="no_next_cue")
            return _save(connection, transcript, "merged", index, [cue, *following], [merge_cues(cue, *following)])

    def insert(
        self, profile: str, transcript_id: str, index: int, text: str, start_ms: int | None, end_ms: int | None
    ) -> EditedCues:
        """Insert a cue, which gets this index."""
        with self._editing(profile, transcript_id) as (connection, transcript):
            if not 0 <= index <= transcript["cue_count"]:
                raise _no_such_place(transcript, index)
            cue, has_times = Cue(index, None, None, text), transcript["duration_ms"] is not None
            if (start_ms, end_ms) != (None, None) or has_times:
                if transcript["cue_count"]:
                    _check_has_times(transcript)
                before, after = (cues_at(connection, transcript["seq"], place, 1) for place in (index - 1, index))
                cue = _place_in_time(cue, start_ms, end_ms, before, after)
            return _save(connection, transcript, "inserted", index, [], [cue])

    def delete(self, profile: str, transcript_id: str, index: int, seen: str) -> EditedCues:
        """Delete a cue: its clips are of no cue any more, its notes and bookmarks go to the next one."""
        with self._editing(profile, transcript_id) as (connection, transcript):
            _find_cue(connection, transcript, index, seen)
            if transcript["cue_count"] < 2:
                said = "it is the only cue of this transcript"
                raise InvalidInput(said, hint="delete the transcript, or edit the cue", code="only_cue")
            at = min(index, transcript["cue_count"] - 2)
            query = "SELECT seq FROM clips WHERE transcript_id = ? AND cue_index = ?"
            clips = dict.fromkeys(connection.column(query, transcript["id"], index))
            rows = rows_at(connection, transcript["seq"], at, 2)
            del rows[index - at]
            return _save_splice(connection, transcript, "", index, Splice(at, 2, rows, clips), ())

    def shift(self, profile: str, transcript_id: str, ms: int) -> EditedCues:
        """Move all times of a transcript, those of its words too; a translation track stays beside what it says."""
        with self._editing(profile, transcript_id) as (connection, transcript):
            _check_has_times(transcript)
            _check_moved(connection, transcript, Retiming(offset_ms=ms), "ms")
            if ms:
                shift_cues(connection, transcript, ms)
                undo = {"transcript": transcript["id"], "shift_ms": -ms}
                _save_step(connection, transcript, "shifted_transcripts", transcript["title"], "it was shifted", undo)
            return _read_result(connection, transcript, ())

    def retime(
        self,
        profile: str,
        transcript_id: str,
        retiming: Retiming,
        pairs: Mapping[str, int] | None = None,
        seen: Sequence[tuple[int, int]] | None = None,
    ) -> EditedCues:
        """Give all cues of a transcript other times, and its words; clips stay as they are, as after a shift.

        A factor changes the offsets to translations in the course of the film: ``pairs`` are the new ones by the
        transcripts that have one, and a pair without is ended. Raises ``InvalidInput``: ``times_changed`` where the
        cues have other times by now than those that were ``seen``, and as ``shift`` does.
        """
        with self._editing(profile, transcript_id) as (connection, transcript):
            _check_has_times(transcript)
            if seen is not None and read_spans(connection, transcript["seq"]) != list(seen):
                said = "the cues have other times by now than those that were compared"
                raise InvalidInput(said, hint="retime it again", code="times_changed")
            _check_moved(connection, transcript, retiming, "offset_ms")
            if retiming != Retiming():
                undo = {"transcript": transcript["id"], **retime_cues(connection, transcript, retiming, pairs or {})}
                _save_step(connection, transcript, "retimed_transcripts", transcript["title"], "it was retimed", undo)
            return _read_result(connection, transcript, ())

    def check_retiming(self, profile: str, transcript_id: str, retiming: Retiming) -> None:
        """Raise ``InvalidInput`` where ``retime`` would, and change nothing."""
        with self._connections.read() as connection:
            transcript = _transcript(connection, profile, transcript_id)
            _check_has_times(transcript)
            _check_moved(connection, transcript, retiming, "offset_ms")

    def pairs(self, profile: str, transcript_id: str) -> list[tuple[str, str]]:
        """The pairs of a transcript and of its translation, and those in which it is the translation, by ids."""
        with self._connections.read() as connection:
            return read_pairs(connection, _transcript(connection, profile, transcript_id))

    @contextmanager
    def _editing(self, profile: str, transcript_id: str) -> Iterator[tuple[Connection, sqlite3.Row]]:
        """The connection to write with, and the transcript."""
        with self._connections.read() as connection:
            language = _transcript(connection, profile, transcript_id)["language"]
        list(count_forms(("",), language))  # a segmenter takes its time to load: nobody is to wait for the lock by it
        with self._connections.write() as connection:
            yield connection, _transcript(connection, profile, transcript_id)


def restore_cue_edit(connection: Connection, undo: Mapping[str, Any]) -> dict[str, Any] | None:
    """Undo an edit of cues; gives what does it again, None where the transcript is gone for good."""
    transcript = connection.row("SELECT * FROM all_transcripts WHERE id = ?", undo["transcript"])
    if transcript is None:
        return None
    about = {"transcript": transcript["id"]}
    if "shift_ms" in undo:
        shift_cues(connection, transcript, undo["shift_ms"])
        return about | {"shift_ms": -undo["shift_ms"]}
    if "former_times" in undo:
        return about | restore_times(connection, transcript, undo["former_times"])
    if "retiming" in undo:
        factor, offset_ms, pairs = undo["retiming"]
        return about | retime_cues(connection, transcript, Retiming(factor, offset_ms), pairs)
    return about | splice_cues(connection, transcript, read_splice(connection, transcript, undo))


def _transcript(connection: Connection, profile: str, given: str) -> sqlite3.Row:
    transcript_id = connection.full_id("transcripts", profile, given)
    return connection.rows("SELECT * FROM transcripts WHERE id = ?", transcript_id)[0]


def _find_cue(connection: Connection, transcript: sqlite3.Row, index: int, seen: str) -> Cue:
    """The cue with this index; raises ``InvalidInput`` where there is none, or not with the text that was seen."""
    if not 0 <= index < transcript["cue_count"]:
        raise _no_such_place(transcript, index)
    (cue,) = cues_at(connection, transcript["seq"], index, 1)
    if cue.text != seen:
        said = f"this cue is another one by now: {one_line(cue.text)[:80]!r}"
        raise InvalidInput(said, hint="look at it again", code="cue_changed", field="seen")
    return cue


def _no_such_place(transcript: sqlite3.Row, index: int) -> InvalidInput:
    hint = f"it has {transcript['cue_count']}, from 0 on"
    return InvalidInput(f"there is no cue {index} in it", hint=hint, field="index")


def _following(connection: Connection, transcript: sqlite3.Row, index: int) -> list[Cue]:
    """The cue behind another one, if there is one."""
    return cues_at(connection, transcript["seq"], index + 1, 1)


def _check_has_times(transcript: sqlite3.Row) -> None:
    if transcript["duration_ms"] is None:
        raise InvalidInput("this text has no times", hint="leave them out", code="no_times", field="start_ms")


def _check_moved(connection: Connection, transcript: sqlite3.Row, retiming: Retiming, field: str) -> None:
    query = "SELECT min(start_ms), max(end_ms) FROM cues WHERE transcript = ?"
    first, last = connection.rows(query, transcript["seq"])[0]
    if retiming.move(first) < 0:
        said = f"the first cue begins at {exact_time(first)}: nothing can be before the beginning"
        raise InvalidInput(said, hint="delete or edit that cue first", code="before_beginning", field=field)
    _check_latest(retiming.move(last), field)


def _check_latest(end_ms: int, field: str) -> None:
    if end_ms > MAX_TIME_MS:
        said = f"no recording is longer than {MAX_TIME_MS // 3_600_000} hours"
        raise InvalidInput(said, hint="times are in milliseconds", code="too_late", field=field)


def _place_in_time(
    cue: Cue, start_ms: int | None, end_ms: int | None, before: Sequence[Cue], after: Sequence[Cue]
) -> Cue:
    """The cue at these times, between its neighbours; raises ``InvalidInput`` where it cannot be there."""
    if start_ms is None or end_ms is None:
        field = "start_ms" if start_ms is None else "end_ms"
        raise InvalidInput("a cue of this text needs a start and an end", hint="give both", code="no_time", field=field)
    if start_ms < 0:
        raise InvalidInput("nothing is before the beginning", hint="start at 0", code="wrong_time", field="start_ms")
    if end_ms <= start_ms:
        said = "a cue ends after it begins"
        raise InvalidInput(said, hint="give a later end", code="wrong_time", field="end_ms")
    _check_latest(end_ms, "end_ms")
    if start_ms != cue.start_ms:
        for neighbour, name in ((before, "before"), (after, "after")):
            other = neighbour[0].start_ms if neighbour else None
            if other is not None and (start_ms < other if name == "before" else start_ms > other):
                said = f"the cue {name} it begins at {exact_time(other)}"
                hint = f"start {'no earlier' if name == 'before' else 'no later'} than that"
                raise InvalidInput(said, hint=hint, code="wrong_order", field="start_ms")
    if cue.start_ms is None or cue.end_ms is None:
        return replace(cue, start_ms=start_ms, end_ms=end_ms)
    return change_times(cue, start_ms, end_ms)


def _clips_of_second(connection: Connection, transcript: sqlite3.Row, first: Cue, second: Cue) -> dict[int, int | None]:
    """The clips of a cue that is split whose focus word, or whose sentence, stands in the second part only."""
    query = "SELECT seq, surface, sentence FROM clips WHERE transcript_id = ? AND cue_index = ?"
    parts = [one_line(cue.text).casefold() for cue in (first, second)]
    return {
        clip: second.index
        for clip, surface, sentence in connection.execute(query, (transcript["id"], first.index))
        if (said := one_line(surface or sentence).casefold()) and said not in parts[0] and said in parts[1]
    }


def _save(
    connection: Connection,
    transcript: sqlite3.Row,
    done: str,
    index: int,
    old: Sequence[Cue],
    new: Sequence[Cue],
    clips: Mapping[int, int | None] | None = None,
) -> EditedCues:
    """Replace cues from an index on, as a step of undo; nothing is written where they are as they were."""
    if list(old) == list(new):
        return _read_result(connection, transcript, new)
    numbers: list[int | None] = [row[0] for row in rows_at(connection, transcript["seq"], index, len(old))]
    numbers += [None] * (len(new) - len(old))
    rows = [row_of(cue, number) for cue, number in zip(new, numbers, strict=False)]
    return _save_splice(connection, transcript, done, index, Splice(index, len(old), rows, clips or {}), new)


def _save_splice(
    connection: Connection, transcript: sqlite3.Row, done: str, index: int, splice: Splice, new: Sequence[Cue]
) -> EditedCues:
    undo = {"transcript": transcript["id"], **splice_cues(connection, transcript, splice)}
    line = f"line {index + 1} of {transcript['title']}"
    _save_step(connection, transcript, f"{done}_cues" if done else "cues", line, f"it was {done or 'deleted'}", undo)
    return _read_result(connection, transcript, new)


def _save_step(
    connection: Connection, transcript: sqlite3.Row, kind: str, subject: str, what: str, undo: Mapping[str, Any]
) -> None:
    entry = TrashEntry(undo={"edited_cues": undo})
    entry.save(connection, transcript["profile"], kind, f"{subject}, as before {what}", subject=subject)


def _read_result(connection: Connection, transcript: sqlite3.Row, cues: Sequence[Cue]) -> EditedCues:
    query = "SELECT cue_count, duration_ms FROM all_transcripts WHERE seq = ?"
    return EditedCues(tuple(cues), *connection.rows(query, transcript["seq"])[0])
