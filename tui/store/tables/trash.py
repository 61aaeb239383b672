"""Trash: undo and redo of deletions, re-imports, edits and marks."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from tui.errors import InvalidInput, NotFound, damaged
from tui.records.library import Restored, UndoStep
from tui.store.database import Connections
from tui.store.rows import PROFILE, Connection, record
from tui.store.tables.bookmarks import restore_bookmarks
from tui.store.tables.clips import record_seen_again, remove_added, restore_clips
from tui.store.tables.cue_edit import restore_cue_edit
from tui.store.tables.cue_notes import restore_note
from tui.store.tables.mining_marks import restore_marks
from tui.store.tables.moving import restore_moved
from tui.store.tables.reimport import restore_cues
from tui.store.tables.resource_table import page_limit
from tui.store.tables.reviewed_translations import find_track, set_track
from tui.store.tables.reviews import restore_items, restore_review
from tui.store.tables.transcript_edit import restore_edit
from tui.store.tables.transcripts import index_cues
from tui.store.tables.views import restore_views
from tui.store.tables.words import restore_count
from tui.store.touched_records import find_touched, is_elsewhere
from tui.store.trash_entry import STORED_AS, TrashEntry
from tui.text.display import undo_step

_ORDER = ("files", "transcripts", "cues", "form_counts", "clips", "jobs", "templates", "answers")
"""Tables in the order in which their rows can come back: what is referred to before what refers to it."""
_REFERENCES = {"file_id": "files", "transcript_id": "transcripts"}
_LINKED = {**_REFERENCES, "translation_id": "transcripts"}
_ENTRY = (
    "SELECT seq, profile, kind, summary, count, created_at, json_extract(bundle, '$.subject') AS subject,"
    " json_remove(bundle, '$.tables') AS rest,"
    + ", ".join(f" json_extract(bundle, '$.tables.{table}.columns') AS {table}" for table in _ORDER)
    + " FROM trash WHERE profile = ?"
)
_STEPS = (
    "SELECT seq AS id, kind, count, coalesce(json_extract(bundle, '$.subject'), summary) AS subject, created_at"
    f" FROM trash WHERE profile = {PROFILE} AND undone = 0 ORDER BY seq DESC LIMIT ?"
)
_NAMED_AT_MOST = 3
"""Later steps that are named at most where they keep an older one from being taken back."""
TakeOut: TypeAlias = Callable[[Connection, Sequence[int]], TrashEntry]
"""Function that deletes the rows of a table with these numbers, and gives what brings them back."""


class Trash:
    """Steps that can be taken back, and those that were taken back and can be done again.

    An entry is turned over: taken back, it becomes the one that does the step again, in its place, and the other way
    round. Whatever keeps for undo what is deleted or hidden keeps it for redo too.

    ``find_take_out`` gives what deletes rows of a table, by its name, for deletions that are done again.
    """

    def __init__(self, connections: Connections, find_take_out: Callable[[str], TakeOut]) -> None:
        self._connections = connections
        self._find_take_out = find_take_out

    def steps(self, profile: str, limit: int = 100) -> tuple[UndoStep, ...]:
        """Steps that undo can take back, newest first."""
        return tuple(record(UndoStep, row) for row in self._connections.rows(_STEPS, profile, page_limit(limit)))

    def undo(self, profile: str) -> Restored | None:
        """Bring the newest deletion back, in its old place in every list; None when there is nothing to undo.

        A file that was imported anew has its old cues again, a transcript that was edited its title and language, and
        clips that were made are gone; of edited ones what stands as it was edited is as it was before.

        What has come since is never overwritten: a file that was imported again stays the new one (its old transcripts
        and clips then belong to it), and so does a new template; ``count`` is what came back.
        """
        if not self._has_any(profile):
            return None
        with self._connections.write() as connection:
            found = _find(connection, "undone = 0 ORDER BY seq DESC", connection.profile_seq(profile))
            return None if found is None else self._take_back(connection, found)

    def undo_step(self, profile: str, step: int) -> Restored:
        """Take an older step back alone, as ``undo`` does, if no later one touches the same records.

        Raises ``InvalidInput``, which names those, and ``NotFound`` where there is no such step.
        """
        with self._connections.write() as connection:
            found = _find(connection, "undone = 0 AND seq = ?", connection.profile_seq(profile), step)
            if found is None:
                raise NotFound(
                    f"there is no step {step} that undo could take back",
                    hint="lode undo --list, or U in the app, shows them",
                    code="step_not_found",
                )
            with _readable():
                _check_nothing_later(connection, found)
            return self._take_back(connection, found)

    def _has_any(self, profile: str) -> bool:
        """Whether the profile has any step: else nothing has to be written, which a library may refuse."""
        return self._connections.row(f"SELECT 1 FROM trash WHERE profile = {PROFILE} LIMIT 1", profile) is not None

    def _take_back(self, connection: Connection, entry: sqlite3.Row) -> Restored:
        with _readable():
            count, again = self._turn_over(connection, entry)
        if again is None:
            connection.execute("DELETE FROM trash WHERE seq = ?", (entry["seq"],))
        else:
            query = "SELECT max(undone) FROM trash WHERE profile = ? AND undone > 0"
            again.replace(connection, entry["seq"], (connection.value(query, entry["profile"]) or 0) + 1)
        return Restored(entry["kind"], count, entry["summary"])

    def redo(self, profile: str) -> UndoStep | None:
        """Do the step again that was taken back last, if nothing has changed since; None where there is none.

        Raises ``InvalidInput`` for one that came back only in part, so that it cannot be done again as a whole.
        """
        if not self._has_any(profile):
            return None
        with self._connections.write() as connection:
            found = _find(connection, "undone > 0 ORDER BY undone DESC", connection.profile_seq(profile))
            if found is None:
                return None
            with _readable():
                subject = found["summary"] if found["subject"] is None else found["subject"]
                step = UndoStep(found["seq"], found["kind"], found["count"], subject, found["created_at"])
                if "came_back_in_part" in json.loads(found["rest"]):
                    raise InvalidInput(
                        f"this cannot be done again: {undo_step(step)}",
                        hint="not all of it had come back, as something newer had its place; delete what you want gone",
                        code="redo_impossible",
                    )
                _, again = self._turn_over(connection, found)
            if again is None:
                raise damaged("what was taken back", undo_step(step))
            again.replace(connection, found["seq"], 0)
        return step

    def _turn_over(self, connection: Connection, entry: sqlite3.Row) -> tuple[int, TrashEntry | None]:
        """Take a step back, or do it again; gives how many records that brought back, and the entry of the way back.

        That is None where nothing came back.
        """
        count, again = self._apply(connection, entry)
        if again is not None and entry["subject"] is not None:
            again.undo["subject"] = entry["subject"]
        return count, again

    def _turn_track(
        self, connection: Connection, entry: sqlite3.Row, rest: Mapping[str, Any], again: TrashEntry
    ) -> TrashEntry:
        """Take the transcript of applied translations away, or bring it back; the track before it is the other way.

        A track that the transcript was given since stays its track.
        """
        track = rest["track"]
        query = "SELECT seq FROM transcripts WHERE id = ?"
        paired = find_track(connection, track["of"])
        if (seq := connection.value(query, track["id"])) is not None:
            taken_out = self._find_take_out("transcripts")(connection, [seq])
            taken_out.undo = {**again.undo, "track": track}
            if paired[0] == track["id"]:
                is_there = connection.value(query, track["before"][0]) is not None
                set_track(connection, track["of"], *(track["before"] if is_there else (None, None)))
            return taken_out
        _restore(connection, entry, rest["links"], "transcripts")
        if connection.value(query, track["id"]) is not None:
            set_track(connection, track["of"], track["id"], 0)
        again.undo["track"] = {**track, "before": paired}
        return again

    def _apply(self, connection: Connection, entry: sqlite3.Row) -> tuple[int, TrashEntry | None]:
        from tui.store.known_words.own_words import restore_own_word

        rest, seq = json.loads(entry["rest"]), entry["seq"]
        if is_elsewhere(connection, entry["profile"], rest):
            return 0, None
        match rest:
            case {"moved": {} as moved}:
                count, back_again = restore_moved(connection, entry["profile"], moved)
                return count, None if back_again is None else TrashEntry(undo={"moved": back_again})
            case {"reading": {} as reading}:
                again, is_whole = restore_cues(connection, seq, reading)
                _restore_links(connection, rest["links"], {})
                if again is not None and not is_whole:
                    again.undo["came_back_in_part"] = True
                return int(again is not None), again
            case {"edited": {} as edited}:
                before = restore_edit(connection, edited)
                return (0, None) if before is None else (1, TrashEntry(undo={"edited": before}))
            case {"review": {} as review}:
                again = _turn_cards(connection, entry, rest)
                again.undo["review"] = restore_review(connection, seq, review)
                if "track" in rest:
                    again = self._turn_track(connection, entry, rest, again)
                if "edited_cues" in rest:
                    again.undo["edited_cues"] = restore_cue_edit(connection, rest["edited_cues"])
                if edited_clips := rest.get("edited_clips"):
                    again.undo["edited_clips"] = restore_clips(connection, entry["profile"], edited_clips)
                return (0, None) if None in again.undo.values() else (1, again)
            case {"review_items": {} as items}:
                again_items = restore_items(connection, items)
                return (0, None) if again_items is None else (1, TrashEntry(undo={"review_items": again_items}))
            case {"edited_cues": {} as edited_cues}:
                before = restore_cue_edit(connection, edited_cues)
                return (0, None) if before is None else (1, TrashEntry(undo={"edited_cues": before}))
            case {"own_word": {} as own_word}:
                return 1, TrashEntry(undo={"own_word": restore_own_word(connection, own_word)})
            case {"views": {} as views}:
                return 1, TrashEntry(undo={"views": restore_views(connection, views)})
            case {"cue_note": {} as cue_note}:
                before = restore_note(connection, cue_note)
                return (0, None) if before is None else (1, TrashEntry(undo={"cue_note": before}))
            case {"bookmarks": {} as bookmarks}:
                before = restore_bookmarks(connection, entry["profile"], bookmarks)
                return (0, None) if before is None else (len(before), TrashEntry(undo={"bookmarks": before}))
            case {"mining_marks": {} as marks}:
                before = restore_marks(connection, entry["profile"], marks)
                return (0, None) if before is None else (len(before), TrashEntry(undo={"mining_marks": before}))
            case {"added_clips": [*ids]}:
                again = remove_added(connection, entry["profile"], ids)
                again.undo = {"made_clips": ids, **_turn_words(connection, entry, rest)}
                return len(again.column("clips", "seq")), again
            case {"made_clips": [*ids]}:
                back = _restore(connection, entry, rest["links"], "clips")
                return len(back.numbers), TrashEntry(undo={"added_clips": ids, **_turn_words(connection, entry, rest)})
            case {"edited_clips": {} as edited_clips}:
                changes = restore_clips(connection, entry["profile"], edited_clips)
                if not changes:
                    return 0, None
                words = _turn_words(connection, entry, rest) if "words" in rest else {}  # as older Lodes left them
                return len(changes), TrashEntry(undo={"edited_clips": changes, **words})
            case {"tagged_clips": {} as tagged_clips}:
                changes = restore_clips(connection, entry["profile"], tagged_clips)
                return len(changes), TrashEntry(undo={"tagged_clips": changes}) if changes else None
            case {"words": {} as words}:
                again = TrashEntry(undo=_turn_words(connection, entry, rest))
                return len(words["without"]) + len(words["with"]), again
            case {"deleted": [str(table), [*numbers]]}:
                return len(numbers), self._find_take_out(table)(connection, numbers)
            case _:
                table = f"{entry['kind']}s"
                back = _restore(connection, entry, rest["links"], table)
                # An answer brings those back that were asked on it, which its deletion did not count either.
                count = min(len(back.numbers), entry["count"])
                if back.is_whole and back.numbers:
                    return count, TrashEntry(undo={"deleted": [table, back.numbers]})
                return count, TrashEntry(undo={"came_back_in_part": True}) if back.has_others else None


def _turn_cards(connection: Connection, entry: sqlite3.Row, rest: Mapping[str, Any]) -> TrashEntry:
    """Take the clips away that a review has made, or bring them back; gives the entry that turns that over again."""
    again = TrashEntry()
    if ids := rest.get("added_clips"):
        again = remove_added(connection, entry["profile"], ids)
        again.undo["made_clips"] = ids
    elif ids := rest.get("made_clips"):
        _restore(connection, entry, rest["links"], "clips")
        again.undo["added_clips"] = ids
    if "words" in rest:
        again.undo |= _turn_words(connection, entry, rest)
    return again


def _find(connection: Connection, which: str, profile: int | None, *given: object) -> sqlite3.Row | None:
    # All rows, of which there is one at most: SQLite lets go of a large bundle once it has told that.
    found = connection.rows(f"{_ENTRY} AND {which} LIMIT 1", profile, *given)
    return found[0] if found else None


@contextmanager
def _readable() -> Iterator[None]:
    """Explain what goes wrong with an entry that is not as Lode has written it."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise damaged("what was deleted", error) from error


def _check_nothing_later(connection: Connection, entry: sqlite3.Row) -> None:
    """Raise ``InvalidInput`` where later steps have touched records of this one, and name them."""
    ours = find_touched(connection, entry)
    query = (
        "SELECT seq, seq AS id, profile, kind, count, coalesce(json_extract(bundle, '$.subject'), summary) AS subject,"
        " created_at, json_remove(bundle, '$.tables') AS rest FROM trash"
        " WHERE profile = ? AND seq > ? AND undone = 0 ORDER BY seq"
    )
    later = connection.rows(query, entry["profile"], entry["seq"])
    met = [record(UndoStep, row) for row in later if ours.meets(find_touched(connection, row))]
    if met:
        names = [f"{undo_step(step)} ({step.id})" for step in met[:_NAMED_AT_MOST]]
        more = f" and {len(met) - _NAMED_AT_MOST} more" if len(met) > _NAMED_AT_MOST else ""
        raise InvalidInput(
            f"what came later touches the same: {', '.join(names)}{more}",
            hint="take that back first, the last one before the others",
            code="undo_blocked",
        )


def _turn_words(connection: Connection, entry: sqlite3.Row, rest: Mapping[str, Any]) -> dict[str, Any]:
    """Restore the states of words, and give what the way back has to know of them.

    What was before a step stays as it was noted first: while it is taken back, a later one may lend its words a state.
    """
    from tui.store.known_words.word_states import restore_states

    words = restore_states(connection, entry["profile"], rest["words"])
    if "words_before" in rest:
        return {"words": rest["words_before"]}
    _see_again(connection, entry, rest["words"])
    return {"words": words, "words_before": rest["words"]}


def _see_again(connection: Connection, entry: sqlite3.Row, words: Mapping[str, Any]) -> None:
    """Let those of these words be seen that clips have which later steps have made or edited."""
    later = "FROM trash, json_each(bundle, '$.{}') WHERE profile = :profile AND seq > :seq AND undone = 0"
    query = f"SELECT value {later.format('added_clips')} UNION SELECT key {later.format('edited_clips')}"
    ids = [row[0] for row in connection.execute(query, {"profile": entry["profile"], "seq": entry["seq"]})]
    record_seen_again(connection, entry["profile"], ids, {*words["without"], *(row[0] for row in words["with"])})


@dataclass(slots=True)
class _BroughtBack:
    """Numbers of the records that came back, whether all of them did, and whether anything did that goes with them."""

    numbers: list[int]
    is_whole: bool = True
    has_others: bool = False


def _restore(connection: Connection, entry: sqlite3.Row, links: Sequence[Any], main: str) -> _BroughtBack:
    """Put the rows of a deletion back, and show what it hides; gives what came back of the table ``main``.

    Lode once put all cues of a transcript into the bundle, so SQLite reads it, and gives its rows one by one.
    """
    replaced: dict[str, str] = {}
    back = _BroughtBack([])
    if main == "transcripts":
        back.numbers = connection.column("SELECT seq FROM all_transcripts WHERE discarded = ?", entry["seq"])
    connection.execute("UPDATE all_transcripts SET discarded = NULL WHERE discarded = ?", (entry["seq"],))
    for table in _ORDER:
        if entry[table] is None:
            continue
        stored, columns = STORED_AS.get(table, table), json.loads(entry[table])
        known = {row["name"] for row in connection.execute(f"PRAGMA table_info({stored})")}
        query = f"SELECT value FROM trash, json_each(bundle, '$.tables.{table}.rows') WHERE seq = ?"
        for (values,) in connection.execute(query, (entry["seq"],)):
            row = dict(zip(columns, json.loads(values), strict=True))
            row = {name: value for name, value in row.items() if name in known}
            if _is_replaced(connection, table, row, replaced):
                back.is_whole = False
                continue
            if table == "form_counts":
                restore_count(connection, row)
                continue
            _repair_references(connection, row, replaced)
            number = connection.insert(stored, row)
            if table == "cues":
                index_cues(connection, row["seq"], row["seq"])
            if table == main:
                back.numbers.append(number)
            back.has_others = True
    _restore_links(connection, links, replaced)
    back.has_others = back.has_others or bool(links)
    return back


def _restore_links(connection: Connection, links: Sequence[Any], replaced: Mapping[str, str]) -> None:
    """Let rows refer again to what has come back; ``replaced`` says which file stands for which by now."""
    for table, column, seq, value in links:
        stored, target = (STORED_AS.get(each, each) for each in (table, _LINKED[column]))
        connection.execute(
            f"UPDATE {stored} SET {column} = ?1 WHERE seq = ?2 AND {column} IS NULL"
            f" AND EXISTS (SELECT 1 FROM {target} AS x WHERE x.id = ?1 AND x.profile = {stored}.profile)",
            (replaced.get(value, value), seq),
        )


def _is_replaced(connection: Connection, table: str, row: dict[str, Any], replaced: dict[str, str]) -> bool:
    """Whether something that came since has this row's place; ``replaced`` learns which file stands for which."""
    if table == "templates":
        return connection.row("SELECT 1 FROM templates WHERE profile = ?", row["profile"]) is not None
    if table == "files":
        query = "SELECT id FROM files WHERE profile = ? AND sha256 = ?"
        newer = connection.value(query, row["profile"], row["sha256"])
        if newer is not None:
            replaced[row["id"]] = newer
        return newer is not None
    return False


def _repair_references(connection: Connection, row: dict[str, Any], replaced: dict[str, str]) -> None:
    """References to what is gone for good, or to another profile, become null."""
    for column, table in _REFERENCES.items():
        if row.get(column) is not None:
            row[column] = replaced.get(row[column], row[column])
            there = f"SELECT 1 FROM {table} WHERE id = ? AND profile = ?"
            if not connection.row(there, row[column], row["profile"]):
                row[column] = None
