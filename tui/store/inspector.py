"""Inspection of a library for ``lode doctor``: every question may fail by itself, and the others still work."""

import hashlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tui.errors import StoreError
from tui.records.settings import ProfileSettings
from tui.store.backup import consistent_copy, keep_backup
from tui.store.blobs import BlobFolder
from tui.store.database import Connections, as_store_error, size_bytes, traceless_access
from tui.store.process_lock import ProcessLock
from tui.store.schema.migrations import SCHEMA, pending
from tui.store.sqlite_checks import database_damage, search_table_damage, search_tables
from tui.store.tables.settings import SettingsTable
from tui.store.tables.templates import Templates


class LibraryInspector:
    """A library on the disk, opened for reading and, by ``repair`` only, changed. All may raise ``StoreError``.

    ``exists`` tells whether there is a database file at all; without one there is nothing to ask.
    """

    def __init__(self, directory: Path, *, busy_seconds: float = 1.0) -> None:
        self.path = directory / "lode.db"
        self._directory = directory
        self._busy_seconds = busy_seconds
        self._opened: Connections | None = None

    def exists(self) -> bool:
        return os.path.lexists(self.path)

    def is_open(self) -> bool:
        """Whether ``open`` found something to ask: an empty file holds nothing."""
        return self._opened is not None

    def size_bytes(self) -> int:
        """Bytes of the database and its log."""
        return size_bytes(self.path)

    def open(self) -> None:
        """Open the library; raises ``StoreError`` for no database, a damaged one, or one held by another program."""
        if not self.path.is_file():
            raise StoreError(f"{self.path} is no file", hint="move it away")
        if self.path.stat().st_size == 0:
            return  # SQLite takes an empty file for a new database, and so does Lode
        connections = Connections(self.path, traceless_access(self.path), busy_seconds=self._busy_seconds)
        try:
            with closing(connections.connect()) as probe:
                probe.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            raise as_store_error(error, self.path) from error
        self._opened = connections

    def pending(self) -> tuple[str, ...]:
        """The migrations that the next opening applies; raises for a database that is newer, or not Lode's."""
        with self._connections.read() as connection:
            waiting = tuple(migration.__name__ for migration in pending(connection, self.path))
        self._connections.schema = None if waiting else SCHEMA
        return waiting

    def damage(self, check: Callable[[], None] = lambda: None, *, indexes: bool = False) -> tuple[str, ...]:
        """Run SQLite's checks over the whole file; gives what they find wrong, at most a few sentences.

        With ``indexes`` every index is held against its rows. ``check`` is called often and may raise to end it.
        """
        with self._connections.read() as connection:
            return database_damage(connection, check, indexes=indexes)

    def search_table_damage(self, check: Callable[[], None]) -> tuple[str, ...]:
        """Check the search tables; gives those that do not match their texts, each with what is wrong.

        They are looked at in a copy, since that wants the right to write, and would hold up everybody who writes.
        Raises ``StoreError`` where there is no room for one.
        """
        places = (self._directory, Path(tempfile.gettempdir()))
        place = next((place for place in places if shutil.disk_usage(place).free > 2 * self.size_bytes()), places[1])
        with (
            consistent_copy(self._connections, place / "lode.db") as copy,
            closing(sqlite3.connect(copy)) as connection,
        ):
            try:
                found = (search_table_damage(connection, table, check) for table in search_tables(connection))
                return tuple(filter(None, found))
            except (sqlite3.Error, UnicodeDecodeError) as error:
                return (str(error),)

    def changed_blobs(self, check: Callable[[int, int], None]) -> int:
        """Count the imported files whose bytes are not those that were imported.

        ``check`` gets the number of the file and of all, and may raise to end it. Raises ``OSError`` too.
        """
        folder = BlobFolder(self._directory / "blobs")
        names = sorted(folder.names())
        changed = 0
        for number, sha256 in enumerate(names):
            check(number, len(names))
            changed += hashlib.sha256(folder.path(sha256).read_bytes()).hexdigest() != sha256
        return changed

    def repair(self) -> None:
        """Rebuild all indexes and search tables from the rows, with a copy of the library as it was beside it."""
        with closing(Connections(self.path, "write", busy_seconds=self._busy_seconds)) as connections:
            keep_backup(connections, "repair")
            with connections.write() as connection:
                connection.execute("REINDEX")
                for table in search_tables(connection):
                    connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")
        self.close()
        self.open()

    def dangling_references(self) -> int:
        """Count the rows that refer to others that are not there."""
        return len(self._connections.rows("PRAGMA foreign_key_check"))

    def orphaned_jobs(self) -> int:
        """Count the jobs that are queued or running in a process that is gone."""
        owner = ProcessLock(self._directory / "run")
        query = "SELECT owner, count(*) FROM jobs WHERE state IN ('queued', 'running') GROUP BY owner"
        return sum(count for token, count in self._connections.rows(query) if not owner.is_held(token))

    def missing_blobs(self) -> int:
        """Count the imported files without their bytes; raises ``OSError`` too."""
        wanted = set(self._connections.column("SELECT sha256 FROM files WHERE path IS NULL"))
        return len(wanted - BlobFolder(self._directory / "blobs").names())

    def languages(self) -> tuple[str, ...]:
        """The languages of the transcripts, as they were given, sorted."""
        query = "SELECT DISTINCT language FROM transcripts WHERE language IS NOT NULL ORDER BY language"
        return tuple(self._connections.column(query))

    def template(self, profile: str) -> tuple[str, str]:
        """The selector and the prompt in the profile's template, both "" where it has none."""
        template = Templates(self._connections).get(profile)
        return ("", "") if template is None else (template.model, template.prompt)

    def settings(self, profile: str) -> ProfileSettings:
        """The profile's settings, the usual ones where it has none."""
        return SettingsTable(self._connections).get(profile)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    @property
    def _connections(self) -> Connections:
        if self._opened is None:
            raise StoreError(f"the database {self.path} is not open")
        return self._opened
