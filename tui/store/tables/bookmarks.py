"""Table of bookmarks: places in transcripts that people come back to, by the transcript's id, as its notes are kept."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from tui.errors import InvalidInput
from tui.records.deletion import Deletion
from tui.records.transcripts import Bookmark
from tui.store.rows import AMONG, Connection, as_json, new_id, now
from tui.store.search import Field, Search, field_of, language_in, text_in
from tui.store.tables.resource_table import Matching, ResourceTable
from tui.store.tables.sorting import text_key
from tui.store.trash_entry import TrashEntry

_TEXTS = (
    "(SELECT t.title || ' ' || t.series || ' ' || bookmarks.name || ' ' || coalesce(c.text, '') FROM transcripts AS t"
    " LEFT JOIN cues AS c ON c.transcript = t.seq AND c.position = bookmarks.cue WHERE t.id = bookmarks.transcript_id)"
)
_OF_TRANSCRIPT = "(SELECT {} FROM transcripts AS t WHERE t.id = bookmarks.transcript_id)"


class Bookmarks(ResourceTable[Bookmark]):
    """Table of bookmarks, searched by their names, their sentences, and the titles of their transcripts."""

    name = "bookmarks"
    select = (
        "SELECT r.*, r.cue AS cue_index, t.title, t.series, t.season, t.episode, t.language, c.start_ms,"
        " coalesce(c.text, '') AS text FROM bookmarks AS r JOIN transcripts AS t ON t.id = r.transcript_id"
        " LEFT JOIN cues AS c ON c.transcript = t.seq AND c.position = r.cue"
    )
    listed = "transcript_id IN (SELECT id FROM transcripts)"
    searched = f"folded_words({_TEXTS})"
    fields: Mapping[str, Field] = {
        "lang": field_of(language_in(_OF_TRANSCRIPT.format("language"))),
        "title": field_of(text_in(_OF_TRANSCRIPT.format("title"))),
        "source": field_of(text_in(_OF_TRANSCRIPT.format("title || ' ' || series"))),
    }
    sort_keys: ClassVar[Mapping[str, str]] = {
        "name": text_key("lower(r.name)"),
        "title": "(SELECT t.folded FROM transcripts AS t WHERE t.id = r.transcript_id)",
        "lang": text_key("(SELECT t.language FROM transcripts AS t WHERE t.id = r.transcript_id)"),
    }
    kind = Bookmark

    def matching(self, connection: Connection, profile: str, q: str) -> Matching | None:
        seq, search = connection.profile_seq(profile), Search.parse(q, self.fields)
        if seq is None or search.matches_nothing:
            return None
        return self._found(connection, seq, search.with_forms(connection))  # those of deleted transcripts do not count

    def of(self, profile: str, transcript_id: str) -> tuple[Bookmark, ...]:
        """The bookmarks of a transcript, in the order of its cues."""
        with self._connections.read() as connection:
            given = connection.full_id("transcripts", profile, transcript_id)
            rows = connection.rows(f"{self.select} WHERE r.transcript_id = ? ORDER BY r.cue", given)
            return tuple(map(self.build, rows))

    def put(self, profile: str, transcript_id: str, cue: int, name: str | None) -> Bookmark:
        """Set a bookmark at a cue, or give the one that is there another name (None: leave it); undo takes it back."""
        with self._connections.write() as connection:
            given = connection.full_id("transcripts", profile, transcript_id)
            transcript = connection.rows("SELECT * FROM transcripts WHERE id = ?", given)[0]
            if not 0 <= cue < transcript["cue_count"]:
                hint = f"it has {transcript['cue_count']}, from 0 on"
                raise InvalidInput(f"there is no cue {cue} in it", hint=hint, field="index")
            query = "SELECT id, name FROM bookmarks WHERE transcript_id = ? AND cue = ?"
            before = connection.row(query, given, cue)
            bookmark_id = new_id() if before is None else before["id"]
            line = _line(transcript["title"], cue)
            if before is None:
                _entry(connection, [bookmark_id]).save(
                    connection, transcript["profile"], "set_bookmarks", f"no bookmark at {line}", subject=line
                )
                columns = {"id": bookmark_id, "profile": transcript["profile"], "transcript_id": given, "cue": cue}
                connection.insert("bookmarks", {**columns, "name": name or "", "created_at": now()})
            elif name is not None and name != before["name"]:
                _entry(connection, [bookmark_id]).save(
                    connection,
                    transcript["profile"],
                    "named_bookmarks",
                    f"the name of the bookmark at {line}",
                    subject=line,
                )
                connection.update("bookmarks", "id", bookmark_id, {"name": name})
            return self.build(self.row(connection, bookmark_id))

    def _delete(self, connection: Connection, seqs: Sequence[int]) -> Deletion:
        rows = connection.rows(f"SELECT * FROM bookmarks WHERE seq {AMONG} ORDER BY seq", as_json(seqs))
        query = "SELECT title FROM all_transcripts WHERE id = ?"
        line = _line(connection.value(query, rows[0]["transcript_id"]), rows[0]["cue"])
        entry = _entry(connection, [row["id"] for row in rows])
        connection.execute(f"DELETE FROM bookmarks WHERE seq {AMONG}", (as_json(seqs),))
        subject = line if len(rows) == 1 else ""
        summary = f"the bookmark at {line}"
        return entry.save(connection, rows[0]["profile"], "bookmarks", summary, len(rows), subject=subject)


def _line(title: str, cue: int) -> str:
    return f"line {cue + 1} of {title}"


def _entry(connection: Connection, ids: Sequence[str]) -> TrashEntry:
    """The entry of the trash that brings these bookmarks back as they are now, or takes away those that are not yet."""
    return TrashEntry(undo={"bookmarks": _states(connection, ids)})


def _states(connection: Connection, ids: Iterable[str]) -> dict[str, dict[str, Any] | None]:
    """The rows of bookmarks by their ids, None where there is none."""
    rows = connection.rows(f"SELECT * FROM bookmarks WHERE id {AMONG}", as_json(ids))
    return {**dict.fromkeys(ids), **{row["id"]: dict(row) for row in rows}}


def restore_bookmarks(connection: Connection, profile: int, states: Mapping[str, Any]) -> dict[str, Any] | None:
    """Bring bookmarks back to what they were. Gives what does the step again, None where nothing can come back.

    One that is there gets its name, and stays where another reading of its file has moved it; one whose place another
    has taken since does not come back, and one whose transcript is in another profile by now is left alone.
    """
    before, is_done = _states(connection, list(states)), False
    for bookmark_id, row in states.items():
        about = before[bookmark_id] or row
        query = "SELECT profile FROM all_transcripts WHERE id = ?"
        if about is None or connection.value(query, about["transcript_id"]) != profile:
            continue
        if row is None:
            done = connection.execute("DELETE FROM bookmarks WHERE id = ?", (bookmark_id,)).rowcount
        elif before[bookmark_id] is not None:
            done = connection.update("bookmarks", "id", bookmark_id, {"name": row["name"]})
        else:
            columns = f"({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
            done = connection.execute(f"INSERT OR IGNORE INTO bookmarks {columns}", tuple(row.values())).rowcount
        is_done = is_done or bool(done)
    return before if is_done else None


def move_bookmarks(connection: Connection, transcript_id: str, places: Mapping[int, int]) -> None:
    """Let the bookmarks of a transcript stand at other cues, by the old ones; of two at one cue the older one stays."""
    rows = connection.rows("SELECT * FROM bookmarks WHERE transcript_id = ? ORDER BY seq", transcript_id)
    moved: dict[int, dict[str, Any]] = {}
    for row in rows:
        cue = places.get(row["cue"], row["cue"])
        there = moved.setdefault(cue, {**dict(row), "cue": cue})
        there["name"] = there["name"] or row["name"]
    connection.execute("DELETE FROM bookmarks WHERE transcript_id = ?", (transcript_id,))
    for each in moved.values():
        connection.insert("bookmarks", each)
