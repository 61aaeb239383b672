"""Moves from one profile to another: files with their transcripts, transcripts with their clips, or clips alone.

What belongs to a record goes along: cues, notes, bookmarks, the place where it was left, its film, sounds and pictures,
the jobs of a file, and what was ever sent to Anki of a clip, so that its note there is known again. What somebody knows
stays with the profile, the states of words, answers and what was written of words; and so do its decks, so that a clip
is new to those of the other profile. No record refers to one of another profile: such a link is cleared, and undo puts
it back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from tui.errors import InvalidInput
from tui.records.library import Moved
from tui.store.database import Table
from tui.store.rows import AMONG, Connection, as_json
from tui.store.search import cue_scope
from tui.store.trash_entry import TrashEntry, forget_redo
from tui.text.display import number
from tui.text.sanitize import one_line

Movable: TypeAlias = Literal["files", "transcripts", "clips"]
MAX_MOVED = 100_000
"""Clips that are moved at once at most."""
MAX_CUES = 500_000
"""Cues of all transcripts that are moved at once: they are written anew, some seconds for a hundred thousand."""
_LINKS = (
    ("all_transcripts", "file_id", "files"),
    ("all_transcripts", "translation_id", "all_transcripts"),
    ("clips", "transcript_id", "all_transcripts"),
    ("clips", "file_id", "files"),
    ("jobs", "file_id", "files"),
)
"""Tables, their columns that refer to a record, and that one's table."""
_NAMED = 3


@dataclass(slots=True)
class Load:
    """Ids of what is moved together."""

    files: list[str] = field(default_factory=list)
    transcripts: list[str] = field(default_factory=list)
    clips: list[str] = field(default_factory=list)
    jobs: list[str] = field(default_factory=list)

    def with_count(self, count: int) -> Moved:
        return Moved(count, len(self.files), len(self.transcripts), len(self.clips))


class Moving(Table):
    """Moves of records; one undo, in the profile that they came from, takes a whole one back."""

    def move(self, profile: str, what: Movable, given: Sequence[str], to: str, *, dry_run: bool) -> Moved:
        """Move records, all or none. Raises ``NotFound`` and ``InvalidInput`` for an id.

        And ``InvalidInput`` where the other profile has such a file (``file_exists``) or one is being imported
        (``file_at_work``), and for too much at once (``too_much``).
        """
        with self._connections.write() as connection:
            numbers, source = connection.row_numbers(what, profile, given), connection.profile_seq(profile)
            if source is None or not numbers:
                return Moved(0, 0, 0, 0)
            load = _load(connection, source, what, numbers)
            there = connection.profile_seq(to)
            _check(connection, load, there)
            moved = load.with_count(len(numbers))
            if dry_run:
                return moved
            target = connection.profile_for_writing(to) if there is None else there
            name = _name(connection, what, numbers[0])
            links = _carry(connection, load, source, target)
            entry = TrashEntry(undo={"moved": _written(source, target, what, load, links)})
            one, several = f"{name}, in this profile", f"{number(len(numbers))} {what}, in this profile"
            kind = f"moved_{what}"
            entry.save(connection, source, kind, one, len(numbers), several, subject=name)
            forget_redo(connection, target)
            return moved


def restore_moved(connection: Connection, profile: int, moved: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
    """Undo a move, as far as what it moved is there still and its place is free; gives how much, and the way back.

    ``profile`` is the one whose step it is; in the other one nothing can be done again any more.
    """
    source, target = moved["to"], moved["from"]
    load = Load(**{name: moved["load"][name] for name in asdict(Load())})
    load.files = _there(connection, "files", source, load.files)
    if taken := _find_same_bytes(connection, load.files, target):
        # One that was imported again meanwhile stays the new one, and what hangs on the other stays with it.
        numbers = connection.column(f"SELECT seq FROM files WHERE id {AMONG}", as_json(taken))
        for table, ids in asdict(_load(connection, source, "files", numbers)).items():
            staying = set(ids)
            setattr(load, table, [each for each in getattr(load, table) if each not in staying])
    load.transcripts = _there(connection, "transcripts", source, load.transcripts)
    load.clips, load.jobs = (_there(connection, table, source, getattr(load, table)) for table in ("clips", "jobs"))
    count = len(getattr(load, moved["what"]))
    if not any(asdict(load).values()):
        return 0, None
    links = _carry(connection, load, source, target)
    _put_links(connection, moved["links"])
    forget_redo(connection, target if profile == source else source)
    return count, _written(source, target, moved["what"], load, links)


def _written(source: int, target: int, what: str, load: Load, links: Sequence[Any]) -> dict[str, Any]:
    """Facts of a move that undo needs."""
    return {"from": source, "to": target, "what": what, "load": asdict(load), "links": links}


def _load(connection: Connection, profile: int, what: Movable, numbers: Sequence[int]) -> Load:
    """All that goes with these records: a file goes with the last transcript that is left of it."""
    ids: list[str] = connection.column(f"SELECT id FROM {what} WHERE seq {AMONG} ORDER BY seq", as_json(numbers))
    if what == "clips":
        return Load(clips=ids)
    load = Load()
    if what == "files":
        load.files = ids
        load.transcripts = connection.column(f"SELECT id FROM transcripts WHERE file_id {AMONG}", as_json(ids))
    else:
        load.transcripts = ids
        load.files = connection.column(
            f"SELECT id FROM files WHERE id IN (SELECT file_id FROM transcripts WHERE id {AMONG})"
            f" AND NOT EXISTS (SELECT 1 FROM transcripts AS t WHERE t.file_id = files.id AND NOT t.id {AMONG})",
            as_json(ids),
            as_json(ids),
        )
    load.clips = connection.column(
        f"SELECT id FROM clips WHERE profile = ? AND (transcript_id {AMONG}"
        f" OR (transcript_id IS NULL AND file_id {AMONG}))",
        *(profile, as_json(load.transcripts), as_json(load.files)),
    )
    load.jobs = connection.column(
        f"SELECT id FROM jobs WHERE file_id {AMONG} OR transcript_id {AMONG}",
        *(as_json(load.files), as_json(load.transcripts)),
    )
    return load


def _check(connection: Connection, load: Load, target: int | None) -> None:
    active = f"SELECT 1 FROM jobs WHERE state IN ('queued', 'running') AND id {AMONG} LIMIT 1"
    if connection.row(active, as_json(load.jobs)):
        raise InvalidInput(
            "a file is being imported or transcribed", hint="wait for its job, or cancel it", code="file_at_work"
        )
    if taken := _find_same_bytes(connection, load.files, target):
        names = connection.column(f"SELECT name FROM files WHERE id {AMONG} LIMIT ?", as_json(taken), _NAMED)
        more = f" and {number(len(taken) - _NAMED)} more" if len(taken) > _NAMED else ""
        raise InvalidInput(
            f"the other profile has it already: {', '.join(map(one_line, names))}{more}",
            hint="delete it in one of the two",
            code="file_exists",
        )
    query = f"SELECT coalesce(sum(cue_count), 0) FROM transcripts WHERE id {AMONG}"
    cues = connection.value(query, as_json(load.transcripts))
    if cues > MAX_CUES or len(load.clips) > MAX_MOVED:
        raise InvalidInput(
            f"that is more than can be moved at once: {number(cues)} cues, {number(len(load.clips))} clips",
            hint="move it in parts",
            code="too_much",
        )


def _find_same_bytes(connection: Connection, files: Sequence[str], target: int | None) -> list[str]:
    """Find the files that the target has already: a profile has the same bytes once."""
    query = (
        f"SELECT f.id FROM files AS f JOIN files AS g ON g.profile = ? AND g.sha256 = f.sha256 WHERE f.id {AMONG}"
        " AND g.id <> f.id"
    )
    return connection.column(query, target, as_json(files))


def _carry(connection: Connection, load: Load, source: int, target: int) -> list[list[Any]]:
    """Give records to another profile; gives the links that were cleared for it."""
    about = connection.rows(f"SELECT seq, language FROM transcripts WHERE id {AMONG}", as_json(load.transcripts))
    for seq, language in about:
        connection.update("cues", "transcript", seq, {"scope": cue_scope(target, language)})
    bookmarks = f"UPDATE bookmarks SET profile = ? WHERE transcript_id {AMONG}"
    connection.execute(bookmarks, (target, as_json(load.transcripts)))
    for table, ids in asdict(load).items():
        if not ids:
            continue
        stored = "all_transcripts" if table == "transcripts" else table
        # The sentence is named as well, so that the trigger writes the clip for its search, whose scope the profile is.
        touched = "profile = ?, sentence = sentence" if table == "clips" else "profile = ?"
        connection.execute(f"UPDATE {stored} SET {touched} WHERE id {AMONG}", (target, as_json(ids)))
        # The triggers count what comes and goes, and revise the profile only that a record is in then.
        for profile, step in ((source, -len(ids)), (target, len(ids))):
            count = "UPDATE totals SET n = n + ?, revision = revision + 1 WHERE profile = ? AND kind = ?"
            connection.execute(count, (step, profile, table))
    return _clear_links(connection, load)


def _clear_links(connection: Connection, load: Load) -> list[list[Any]]:
    """Clear what refers to a record of another profile now, from either side."""
    cleared = []
    for table, column, target in _LINKS:
        moved = [*getattr(load, table.removeprefix("all_"))], [*getattr(load, target.removeprefix("all_"))]
        query = (
            f"SELECT r.seq, r.{column} FROM {table} AS r JOIN {target} AS x ON x.id = r.{column}"
            f" WHERE (r.id {AMONG} OR r.{column} {AMONG}) AND r.profile <> x.profile"
        )
        found = connection.rows(query, *map(as_json, moved))
        cleared += [[table, column, row[0], row[1]] for row in found]
        seqs = as_json(row[0] for row in found)
        connection.execute(f"UPDATE {table} SET {column} = NULL WHERE seq {AMONG}", (seqs,))
    return cleared


def _put_links(connection: Connection, links: Iterable[Sequence[Any]]) -> None:
    """Let rows refer again to what they did, where both are in one profile and nothing else is referred to by now.

    Nothing refers to a transcript that was deleted.
    """
    targets = {(table, column): target.removeprefix("all_") for table, column, target in _LINKS}
    for table, column, seq, value in links:
        there = f"EXISTS (SELECT 1 FROM {targets[table, column]} AS x WHERE x.id = ?1 AND x.profile = {table}.profile)"
        update = f"UPDATE {table} SET {column} = ?1 WHERE seq = ?2 AND {column} IS NULL AND {there}"
        connection.execute(update, (value, seq))


def _there(connection: Connection, table: str, profile: int, ids: Sequence[str]) -> list[str]:
    query = f"SELECT id FROM {table} WHERE profile = ? AND id {AMONG} ORDER BY seq"
    return connection.column(query, profile, as_json(ids))


def _name(connection: Connection, what: Movable, seq: int) -> str:
    column = {"files": "name", "transcripts": "title", "clips": "sentence"}[what]
    return one_line(connection.value(f"SELECT {column} FROM {what} WHERE seq = ?", seq))
