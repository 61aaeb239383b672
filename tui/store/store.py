"""Store: opens the library, one database file and one folder of imported bytes, and has all its tables."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.errors import InvalidInput, StoreError, damaged
from tui.store import trash_entry
from tui.store.backup import consistent_copy
from tui.store.blobs import BlobFolder
from tui.store.database import Access, Connections, as_store_error, size_bytes
from tui.store.process_lock import ProcessLock
from tui.store.schema.migrations import SCHEMA, migrate
from tui.store.sqlite_checks import file_damage
from tui.store.tables.expiry import Expiry
from tui.store.tables.jobs import Jobs
from tui.store.tables.profiles import Profiles
from tui.store.tables.requests import Requests

if TYPE_CHECKING:  # the first list is shown without them, and their records take a while to make
    from tui.store.known_words.new_words import NewWords
    from tui.store.known_words.own_words import OwnWords
    from tui.store.known_words.transcript_words import TranscriptWords
    from tui.store.known_words.word_states import WordStates
    from tui.store.tables.answers import Answers
    from tui.store.tables.bookmarks import Bookmarks
    from tui.store.tables.clips import Clips
    from tui.store.tables.cue_edit import CueEdits
    from tui.store.tables.decks import Exports, RenderedNotes, SentNotes
    from tui.store.tables.files import Files
    from tui.store.tables.inbox import Inbox
    from tui.store.tables.media import Media
    from tui.store.tables.mining_marks import MiningMarks
    from tui.store.tables.moving import Moving
    from tui.store.tables.reviews import Reviews
    from tui.store.tables.sentences import Sentences
    from tui.store.tables.settings import SettingsTable
    from tui.store.tables.templates import Templates
    from tui.store.tables.transcription import Transcriptions
    from tui.store.tables.transcripts import Transcripts
    from tui.store.tables.trash import TakeOut, Trash
    from tui.store.tables.views import Views
    from tui.store.tables.word_list import WordList
    from tui.store.tables.words import Words

OLDEST_SQLITE = (3, 38, 0)
"""Oldest SQLite that will do: STRICT tables came with 3.37, JSON functions in every build with 3.38."""


class Store:
    """Everything Lode keeps. All calls block; each thread gets a connection of its own.

    Every method may raise ``StoreError``. ``read_only`` tells that the library can be read but not changed.
    """

    def __init__(self, connections: Connections) -> None:
        directory = connections.path.parent
        self._connections = connections
        self._owner = ProcessLock(directory / "run")
        self.path = connections.path
        self.read_only = connections.access != "write"
        self.blobs = BlobFolder(directory / "blobs")
        self.profiles = Profiles(connections)
        self.jobs = Jobs(connections, self._owner)
        self.expiry = Expiry(connections, self.blobs)
        self.requests = Requests(connections)

    @classmethod
    def open(cls, directory: Path, *, busy_seconds: float = 5.0) -> Store:
        """Open the library in this directory, creating or migrating it where that is needed.

        ``busy_seconds`` is how long to wait for another program. Raises ``StoreError`` for a database that is damaged,
        no database, locked, from a newer Lode, or that cannot be written although it must be.
        """
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise StoreError(
                f"SQLite {sqlite3.sqlite_version} is too old", hint="use a Python with SQLite 3.38 or newer"
            )
        path = directory / "lode.db"
        access: Access = "write" if _can_be_written(path) else "read"
        connections = Connections(path, access, busy_seconds=busy_seconds)
        try:
            migrate(connections)
            connections.schema = SCHEMA
        except sqlite3.Error as error:
            connections.close()
            raise as_store_error(error, path) from error
        except StoreError:
            connections.close()
            raise
        return cls(connections)

    @cached_property
    def transcripts(self) -> Transcripts:
        from tui.store.tables.transcripts import Transcripts

        return Transcripts(self._connections)

    @cached_property
    def cue_edits(self) -> CueEdits:
        from tui.store.tables.cue_edit import CueEdits

        return CueEdits(self._connections)

    @cached_property
    def reviews(self) -> Reviews:
        from tui.store.tables.reviews import Reviews

        return Reviews(self._connections, self.clips)

    @cached_property
    def files(self) -> Files:
        from tui.store.tables.files import Files

        return Files(self._connections, self.blobs, self.transcripts)

    @cached_property
    def trash(self) -> Trash:
        from tui.store.tables.trash import Trash

        return Trash(self._connections, self._find_take_out)

    @cached_property
    def bookmarks(self) -> Bookmarks:
        from tui.store.tables.bookmarks import Bookmarks

        return Bookmarks(self._connections)

    @cached_property
    def inbox(self) -> Inbox:
        from tui.store.tables.inbox import Inbox

        return Inbox(self._connections, self.clips)

    @cached_property
    def mining_marks(self) -> MiningMarks:
        from tui.store.tables.mining_marks import MiningMarks

        return MiningMarks(self._connections)

    @cached_property
    def clips(self) -> Clips:
        from tui.store.tables.clips import Clips

        return Clips(self._connections)

    @cached_property
    def rendered_notes(self) -> RenderedNotes:
        from tui.store.tables.decks import RenderedNotes

        return RenderedNotes(self._connections, self.clips)

    @cached_property
    def exports(self) -> Exports:
        from tui.store.tables.decks import Exports

        return Exports(self._connections, self.clips)

    @cached_property
    def sent_notes(self) -> SentNotes:
        from tui.store.tables.decks import SentNotes

        return SentNotes(self._connections)

    @cached_property
    def media(self) -> Media:
        from tui.store.tables.media import Media

        return Media(self._connections)

    @cached_property
    def transcriptions(self) -> Transcriptions:
        from tui.store.tables.transcription import Transcriptions

        return Transcriptions(self._connections, self.jobs, self.media)

    @cached_property
    def moving(self) -> Moving:
        from tui.store.tables.moving import Moving

        return Moving(self._connections)

    @cached_property
    def views(self) -> Views:
        from tui.store.tables.views import Views

        return Views(self._connections)

    @cached_property
    def templates(self) -> Templates:
        from tui.store.tables.templates import Templates

        return Templates(self._connections)

    @cached_property
    def settings(self) -> SettingsTable:
        from tui.store.tables.settings import SettingsTable

        return SettingsTable(self._connections)

    @cached_property
    def answers(self) -> Answers:
        from tui.store.tables.answers import Answers

        return Answers(self._connections)

    @cached_property
    def words(self) -> Words:
        from tui.store.tables.words import Words

        return Words(self._connections)

    @cached_property
    def own_words(self) -> OwnWords:
        from tui.store.known_words.own_words import OwnWords

        return OwnWords(self._connections)

    @cached_property
    def word_states(self) -> WordStates:
        from tui.store.known_words.word_states import WordStates

        return WordStates(self._connections)

    @cached_property
    def word_list(self) -> WordList:
        from tui.store.tables.word_list import WordList

        return WordList(self._connections)

    @cached_property
    def sentences(self) -> Sentences:
        from tui.store.tables.sentences import Sentences

        return Sentences(self._connections, self.new_words, self.settings)

    @cached_property
    def transcript_words(self) -> TranscriptWords:
        from tui.store.known_words.transcript_words import TranscriptWords

        return TranscriptWords(self._connections, self.word_states.states)

    @cached_property
    def new_words(self) -> NewWords:
        from tui.store.known_words.new_words import NewWords

        return NewWords(self._connections, self.word_states.states, self.transcript_words)

    def _find_take_out(self, table: str) -> TakeOut:
        take_out: TakeOut = getattr(self, table).take_out
        return take_out

    def search_values(self, profile: str, listed: str, field: str) -> tuple[str, ...]:
        """Values that a field of a list's queries has; those of the newest records, the most frequent first."""
        from tui.store.field_values import field_values

        with self._connections.read() as connection:
            return field_values(connection, profile, listed, field)

    @property
    def trouble(self) -> str:
        """Reason in a few words why a library that is usually written cannot be; "" for none."""
        return self._connections.trouble

    def write_batch(self, works: Sequence[Callable[[Store], Any]]) -> list[Any]:
        """Do all of them in one transaction, which flushes the disk once.

        Gives what each of them gave, or the exception with which it wrote nothing. Raises ``StoreError`` when the
        transaction cannot be kept: then none of them wrote anything.
        """
        with self._connections.write() as connection:
            return [self._in_savepoint(connection, work) for work in works]

    def _in_savepoint(self, connection: sqlite3.Connection, work: Callable[[Store], Any]) -> Any:
        connection.execute("SAVEPOINT single")
        try:
            outcome = work(self)
        except Exception as error:  # noqa: BLE001 - it is raised where its outcome is awaited
            connection.execute("ROLLBACK TO single")
            outcome = error
        connection.execute("RELEASE single")
        return outcome

    def remove_expired(self) -> None:
        """Housekeeping: record that the library is open on this date, and forget what was kept for its time."""
        with self._connections.write() as connection:
            trash_entry.record_opening(connection)
            self.expiry.forget_steps()
            self.requests.empty()
            trash_entry.forget_old_openings(connection)

    def size_bytes(self) -> int:
        """Bytes of the database and its log."""
        return size_bytes(self.path)

    def backup(self, target: Path, check: Callable[[], None] = lambda: None) -> Path:
        """Write a consistent copy of the whole database, and check it.

        ``check`` is called often and may raise to end it. Raises ``InvalidInput`` where the target exists, and
        ``StoreError`` (``library_damaged``) for a library that is damaged: a file that is called a backup can be
        relied on, so then there is none.
        """
        if os.path.lexists(target):
            raise InvalidInput(f"{target} exists already", hint="name a new file for the backup")
        if not os.path.isdir(target.parent):  # noqa: PTH112 - the one that never raises, whatever the name
            raise InvalidInput(f"there is no directory {target.parent}", hint="make it first, or name another place")
        try:
            with consistent_copy(self._connections, target) as copy:
                if damage := file_damage(copy, check):
                    raise damaged(f"no backup is written: {self.path}", "; ".join(damage))
                copy.replace(target)
        except (OSError, ValueError) as error:  # a name that is too long, a NUL in it
            raise InvalidInput(f"{target} is no place for a file ({error})", hint="name another place") from error
        return target

    def close(self) -> None:
        """Mark this process's unfinished jobs as interrupted and let go of everything; any later call fails."""
        with suppress(StoreError):
            self.jobs.release_owner()
        self._connections.close()


def _can_be_written(path: Path) -> bool:
    """Whether the database can be written; its directory is made where it is missing. Raises ``StoreError``."""
    directory = path.parent
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the directory {directory} cannot be made: {error.strerror or error}",
            hint="check the path, or name another with --home DIR or LODE_HOME",
        ) from error
    if path.is_dir():
        raise StoreError(f"{path} is a directory, not a database", hint="move it away")
    exists = path.exists()
    writable = os.access(directory, os.W_OK | os.X_OK) and (not exists or os.access(path, os.W_OK))
    if not writable and not exists:
        raise StoreError(
            f"the directory {directory} cannot be written", hint="make it writable, or name another with --home DIR"
        )
    return writable
