"""Tables of the inbox: notes that other programs sent as to Anki, their media, decks and note types."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

from tui.language.folding import fold_accents, fold_sentence, split_search_words
from tui.records.inbox import InboxNote, InboxState
from tui.store.database import Connections, Table
from tui.store.rows import AMONG, PROFILE, Connection, as_json, json_value, now, timestamp_after, to_text, word_key
from tui.text.clip_fields import completed, with_tags

if TYPE_CHECKING:
    from tui.records.clips import Clip, NewClip
    from tui.store.tables.clips import Clips

MakeNote: TypeAlias = Callable[[Sequence[str]], "tuple[InboxNote, NewClip, str, str]"]
"""Function that makes a note, its clip, and the names of the clip's sound and picture, of the names of its media."""
ChangeNote: TypeAlias = Callable[["KeptNote"], "tuple[InboxNote, NewClip, str, str]"]
"""Function that makes a changed note, its clip, and the names of that one's new sound and picture, "" for none."""
NameKind = Literal["deck", "note_type"]
_MAX_NAMES = 1_000
_MAX_DOUBLES = 2_000
"""Clips of a word whose sentences are compared with a new one's, the newest."""
_MAX_PHRASE = 60
"""Words of a sentence by which it is looked up; more of them hardly tell it better."""
_KEYS = "IN (SELECT value FROM json_each(:keys))"
_OF_WORD = (
    f"SELECT seq, id, sentence FROM clips WHERE profile = :profile AND surface <> '' AND surface {_KEYS}"
    f" UNION SELECT seq, id, sentence FROM clips WHERE profile = :profile AND lemma <> '' AND lemma {_KEYS}"
    " ORDER BY seq DESC LIMIT :most"
)
_WITHOUT_WORD = (
    "SELECT c.seq, c.id, c.sentence FROM clips_words AS f CROSS JOIN clips AS c ON c.seq = f.rowid"
    " WHERE clips_words MATCH :phrase AND c.profile = :profile AND c.surface = '' ORDER BY f.rowid DESC LIMIT :most"
)
_KNOWN = (
    "SELECT DISTINCT value FROM json_each(:keys)"
    " WHERE EXISTS (SELECT 1 FROM clips WHERE profile = :profile AND surface <> '' AND surface = value)"
    " OR EXISTS (SELECT 1 FROM clips WHERE profile = :profile AND lemma <> '' AND lemma = value)"
)
_CUE = (
    "SELECT c.text, c.position, c.start_ms, c.end_ms, t.id, t.file_id, t.title FROM cues_words AS f"
    " CROSS JOIN cues AS c ON c.seq = f.rowid CROSS JOIN transcripts AS t ON t.seq = c.transcript"
    " WHERE cues_words MATCH ? AND t.profile = ? ORDER BY f.rowid DESC LIMIT 20"
)


@dataclass(frozen=True, slots=True)
class KeptNote:
    """A note with the clip that was made of it."""

    note: InboxNote
    clip: Clip


class Inbox(Table):
    """The notes of a profile; a note whose clip is deleted is not there until that comes back."""

    def __init__(self, connections: Connections, clips: Clips) -> None:
        super().__init__(connections)
        self._clips = clips

    # Media

    def put_media(self, profile: str, name: str, content: bytes) -> str:
        """Keep a file; gives the name that it has now: of two with one name, the later one's is longer."""
        with self._connections.write() as connection:
            return _put(connection, connection.profile_for_writing(profile), name, content)

    def find_media(self, profile: str, names: Iterable[str]) -> dict[str, str]:
        """The SHA-256 of the files with these names, as far as they are there."""
        query = f"SELECT name, sha256 FROM inbox_media WHERE profile = {PROFILE} AND name {AMONG}"
        return {row["name"]: row["sha256"] for row in self._connections.rows(query, profile, as_json(set(names)))}

    # Notes

    def add(
        self, profile: str, media: Sequence[tuple[str, bytes]], make: MakeNote, language: str | None = None
    ) -> KeptNote:
        """Add a note, its media and the clip that it says, all or nothing; gives note and clip.

        ``make`` gets the names that the media have now; ``language`` is that of a clip without a word. Where a clip has
        the same word and, folded, the same sentence, that one gets what it lacks and is the note's. Sound and picture
        are the clip's unless it has its own.
        """
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            made = make([_put(connection, seq, name, content) for name, content in media])
            note, clip, audio, picture = made
            there = _find_double(connection, seq, clip)
            if there is None:
                clip_id = self._clips.insert(connection, profile, seq, clip).id
                connection.update("clips", "id", clip_id, {"told_language": language})
            else:
                clip_id = there
                old = self._clips.get(profile, there).contents()
                self._clips.edit(profile, there, replace(completed(old, clip), tags=with_tags(old.tags, clip.tags, ())))
            self._attach(connection, seq, clip_id, audio, picture, replacing=False, is_edit=there is not None)
            number = max(int(time.time() * 1000), 1 + (connection.value("SELECT max(id) FROM inbox_notes") or 0))
            kept = replace(note, id=number, clip_id=clip_id)
            connection.insert("inbox_notes", _columns(kept))
            return KeptNote(kept, self._clips.build(self._clips.row(connection, clip_id)))

    def update(self, profile: str, ids: Sequence[int], change: ChangeNote) -> None:
        """Let the notes with these numbers, as far as they are there, be as ``change`` makes them, all or nothing.

        It gets each as it is then: another client may have changed it a moment ago. One undo takes back what changes
        of the texts of a clip.
        """
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            for number in dict.fromkeys(ids):
                for kept in self.notes(profile, [number]).values():  # anew each time: two may be of one clip
                    note, clip, audio, picture = change(kept)
                    if clip != kept.clip.contents():
                        self._clips.edit(profile, kept.clip.id, clip)
                    self._attach(connection, seq, kept.clip.id, audio, picture, replacing=True, is_edit=True)
                    if note != kept.note:
                        connection.insert("inbox_notes", _columns(note), replacing=True)

    def attach(self, profile: str, clip_id: str, audio: str, picture: str) -> None:
        """Give a clip the sound and the picture of these names which came late; what it has by now stays."""
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            self._attach(connection, seq, clip_id, audio, picture, replacing=False, is_edit=False)

    def _attach(
        self,
        connection: Connection,
        profile: int,
        clip_id: str,
        audio: str,
        picture: str,
        *,
        replacing: bool,
        is_edit: bool,
    ) -> None:
        row = self._clips.row(connection, clip_id)
        query = f"SELECT name, sha256 FROM inbox_media WHERE profile = ? AND name {AMONG}"
        known = {each["name"]: each["sha256"] for each in connection.rows(query, profile, as_json((audio, picture)))}
        changes: dict[str, object] = {}
        for column, name in (("audio", audio), ("picture", picture)):
            is_free = row[column] is None or (column == "audio" and row["voice"] is not None)
            if name in known and known[name] != row[column] and (replacing or is_free):
                changes[column] = known[name]
        if not changes:
            return
        if "audio" in changes:
            changes["voice"] = None
        if row["cut_from"] is None:
            changes["end_ms"] = None  # else a film that is linked later would cut out others in their place
        if is_edit:
            changes["updated_at"] = timestamp_after(row["updated_at"])
        connection.update("clips", "seq", row["seq"], changes)
        connection.execute("DELETE FROM rendered_notes WHERE clip = ?", (row["seq"],))

    def claim(self, profile: str, clip_id: str, names: Iterable[str]) -> None:
        """Let the files with these names, as far as they are there, be a clip's, and be kept as long as that is."""
        with self._connections.write() as connection:
            connection.execute(
                f"UPDATE inbox_media SET clip_id = ? WHERE profile = {PROFILE} AND name {AMONG} AND clip_id IS NOT ?",
                (clip_id, profile, as_json(names), clip_id),
            )

    def notes(self, profile: str, ids: Sequence[int]) -> dict[int, KeptNote]:
        """The notes with these numbers, as far as they are there."""
        return self._find(profile, f"n.id {AMONG} ORDER BY n.id", as_json(ids))

    def list_arrived(self, profile: str, since: int = 0, most: int = 20_000) -> dict[int, KeptNote]:
        """The newest notes that have come from ``since`` on, in milliseconds since 1970, in their order."""
        found = self._find(profile, "n.arrived AND n.id >= ? ORDER BY n.id DESC LIMIT ?", since, most)
        return dict(reversed(found.items()))

    def list_open(self, profile: str) -> list[int]:
        """The numbers of the notes for which something is still to be done."""
        query = "SELECT n.id FROM inbox_notes AS n JOIN clips AS c ON c.id = n.clip_id WHERE n.state <> 'done'"
        return self._connections.column(f"{query} AND c.profile = {PROFILE} ORDER BY n.id", profile)

    def _find(self, profile: str, condition: str, *given: object) -> dict[int, KeptNote]:
        query = "SELECT n.* FROM inbox_notes AS n JOIN clips AS c ON c.id = n.clip_id"
        with self._connections.read() as connection:
            rows = connection.rows(f"{query} WHERE c.profile = {PROFILE} AND {condition}", profile, *given)
            select = f"{self._clips.select} WHERE r.id {AMONG}"
            clips = {
                row["id"]: self._clips.build(row)
                for row in connection.rows(select, as_json({each["clip_id"] for each in rows}))
            }
        return {row["id"]: KeptNote(_build(row), clips[row["clip_id"]]) for row in rows}

    def number_clips(self, clips: Sequence[Clip], deck: str, note_type: str) -> dict[str, int]:
        """The numbers of these clips' notes; one that did not come here gets a note that stands for it."""
        with self._connections.write() as connection:
            query = f"SELECT clip_id, max(id) FROM inbox_notes WHERE clip_id {AMONG} GROUP BY clip_id"
            numbers = dict[str, int](map(tuple, connection.rows(query, as_json(clip.id for clip in clips))))
            for clip in clips:
                if clip.id not in numbers:
                    number = int(datetime.fromisoformat(clip.created_at).timestamp() * 1000)
                    while connection.row("SELECT 1 FROM inbox_notes WHERE id = ?", number):
                        number += 1
                    stands = InboxNote(number, clip.id, deck, note_type, {}, arrived=False)
                    connection.insert("inbox_notes", _columns(stands))
                    numbers[clip.id] = number
        return numbers

    def set_state(self, note: InboxNote, state: InboxState) -> None:
        """Say what is still to be done for a note, unless it has changed since: of what is new nothing is done yet."""
        known = _columns(note)
        with self._connections.write() as connection:
            connection.execute(
                "UPDATE inbox_notes SET state = :to WHERE id = :id AND fields = :fields AND addresses = :addresses",
                {**known, "to": state},
            )

    def enrich(self, profile: str, clip_id: str, before: NewClip, clip: NewClip) -> bool:
        """Complete the clip of a note that came just now; no step of undo is its own. Whether it was.

        ``before`` is what it was completed from: of one that has changed meanwhile what it has now stays. One that is
        in a deck already is left as it is: its time of change would move without anybody having changed it.
        """
        from tui.store.tables.clips import replace_contents

        with self._connections.write() as connection:
            row = self._clips.row(connection, clip_id)
            there = self._clips.build(row)
            if there.exported != "never" or there.sentence != before.sentence:
                return False
            contents = there.contents()
            whole = clip if contents == before else completed(contents, clip)
            return bool(replace_contents(connection, row, whole))

    def change_deck(self, ids: Sequence[int], deck: str) -> None:
        """Let notes be in another deck."""
        with self._connections.write() as connection:
            connection.execute(f"UPDATE inbox_notes SET deck = ? WHERE id {AMONG}", (deck, as_json(ids)))

    # Words and sentences

    def has_double(self, profile: str, clip: NewClip) -> bool:
        """Whether there is a clip of the same word and, folded, the same sentence."""
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            return seq is not None and _find_double(connection, seq, clip) is not None

    def known_words(self, profile: str, words: Iterable[str]) -> set[str]:
        """Those of these words of which there are clips, as surface or as lemma."""
        keys = {word_key(word): word for word in words}
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            found = connection.column(_KNOWN, keys=as_json(keys), profile=seq) if seq is not None else ()
            return {word for word in words if word_key(word) in set(found)}

    def clips_of_words(self, profile: str, words: Iterable[str], most: int = 500) -> tuple[Clip, ...]:
        """The newest clips of these words, oldest first."""
        with self._connections.read() as connection:
            keys = as_json(map(word_key, words))
            given = {"profile": connection.profile_seq(profile), "keys": keys, "most": most}
            ids = [row["id"] for row in connection.execute(_OF_WORD, given)]
            rows = connection.rows(f"{self._clips.select} WHERE r.id {AMONG} ORDER BY r.seq", as_json(ids))
            return tuple(map(self._clips.build, rows))

    def find_cue(self, profile: str, sentence: str) -> sqlite3.Row | None:
        """The newest cue that is this sentence, folded: its text, place and times, and the transcript that it is of."""
        with self._connections.read() as connection:
            seq, phrase = connection.profile_seq(profile), _phrase("text", sentence)
            if seq is None or not phrase:
                return None
            wanted = fold_sentence(sentence)
            rows = connection.rows(_CUE, phrase, seq)
            return next((row for row in rows if fold_sentence(row["text"]) == wanted), None)

    # Decks and note types

    def names(self, profile: str, kind: NameKind) -> dict[str, tuple[str, ...]]:
        """The decks or note types that clients have made or used, with the fields of the latter."""
        query = f"SELECT name, fields FROM inbox_names WHERE profile = {PROFILE} AND kind = ? ORDER BY rowid"
        return {row["name"]: tuple(json_value(row["fields"])) for row in self._connections.rows(query, profile, kind)}

    def add_name(self, profile: str, kind: NameKind, name: str, fields: Sequence[str] = ()) -> None:
        """Remember a deck or a note type, of which one that is known gets the fields that it lacks."""
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            known = self.names(profile, kind)
            if name not in known and len(known) >= _MAX_NAMES:
                return
            every = (*known.get(name, ()), *(field for field in fields if field not in known.get(name, ())))
            row = {"profile": seq, "kind": kind, "name": name, "fields": to_text(every)}
            if known.get(name) != every:
                connection.insert("inbox_names", row, replacing=True)


def _find_double(connection: Connection, profile: int, clip: NewClip) -> str | None:
    """Find the newest clip of the same word and, folded, the same sentence; its id."""
    focus, wanted = clip.focus, fold_sentence(clip.sentence)
    given: dict[str, object] = {"profile": profile, "most": _MAX_DOUBLES}
    if focus is not None:
        keys = {word_key(word) for word in (focus.surface, focus.lemma) if word}
        rows = connection.execute(_OF_WORD, {**given, "keys": as_json(keys)})
    elif phrase := _phrase("sentence", clip.sentence):
        rows = connection.execute(_WITHOUT_WORD, {**given, "phrase": phrase})
    else:
        return None
    return next((row["id"] for row in rows if fold_sentence(row["sentence"]) == wanted), None)


def _phrase(column: str, sentence: str) -> str:
    """The FTS5 expression for a text in which the words of a sentence stand in this order; "" for none."""
    words = split_search_words(fold_accents(sentence))[:_MAX_PHRASE]
    return f'{column} : "{" ".join(words)}"' if words else ""


def _put(connection: Connection, profile: int, name: str, content: bytes) -> str:
    """Keep a file; gives the name that it has now."""
    sha256 = hashlib.sha256(content).hexdigest()
    query = "SELECT sha256 FROM inbox_media WHERE profile = ? AND name = ?"
    if (there := connection.value(query, profile, name)) not in (None, sha256):
        name = _make_unique_name(name, sha256)
        there = connection.value(query, profile, name)
    connection.execute("INSERT OR IGNORE INTO clip_media (sha256, content) VALUES (?, ?)", (sha256, content))
    if there is None:
        row = {"profile": profile, "name": name, "sha256": sha256, "created_at": now()}
        connection.insert("inbox_media", row, replacing=True)
    return name


def _make_unique_name(name: str, sha256: str) -> str:
    """The name with what tells its content from another one of the same name: ``a.mp3`` → ``a-1f3870be.mp3``."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}-{sha256[:8]}.{ending}" if dot else f"{name}-{sha256[:8]}"


def _columns(note: InboxNote) -> dict[str, object]:
    about = {"id": note.id, "clip_id": note.clip_id, "deck": note.deck, "note_type": note.note_type}
    texts = {"fields": to_text(dict(note.fields)), "addresses": to_text(dict(note.addresses))}
    return {**about, **texts, "state": note.state, "arrived": int(note.arrived)}


def _build(row: sqlite3.Row) -> InboxNote:
    fields, addresses = json_value(row["fields"]), json_value(row["addresses"])
    about = (row["id"], row["clip_id"], row["deck"], row["note_type"])
    return InboxNote(*about, fields, addresses, row["state"], bool(row["arrived"]))
