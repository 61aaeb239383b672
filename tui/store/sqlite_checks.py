"""SQLite's own checks of a whole database: pages, rows, indexes and full-text tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_MOST = 3
"""Sentences of SQLite's about a damaged file; the first ones tell it all."""
_STEPS = 200_000
"""Instructions of SQLite's between two looks whether to go on: some milliseconds."""
_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors that SQLite raises in place of a sentence: its own, or one about words that are no text."""


def database_damage(
    connection: sqlite3.Connection, check: Callable[[], None] = lambda: None, *, indexes: bool = True
) -> tuple[str, ...]:
    """Run SQLite's integrity check; gives what it finds wrong, at most a few sentences; takes a second for some 50 MB.

    With ``indexes`` each row is looked for in each index as well. ``check`` is called often and may raise to end it.
    """
    with _interruptible(connection, check):
        try:
            rows = connection.execute(f"PRAGMA {'integrity' if indexes else 'quick'}_check({_MOST})").fetchall()
        except _ERRORS as error:
            check()
            return (str(error),)
    lines = [line for row in rows for line in str(row[0]).splitlines()]
    return tuple(line for line in lines if line != "ok" and not line.startswith("***"))


def search_tables(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The names of the full-text tables."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'")
    return tuple(row[0] for row in rows)


def search_table_damage(connection: sqlite3.Connection, table: str, check: Callable[[], None] = lambda: None) -> str:
    """Compare a full-text table with the texts that it indexes; gives what is wrong; "" for nothing.

    FTS5 wants the right to write for that, and writes nothing.
    """
    with _interruptible(connection, check):
        try:
            connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
        except _ERRORS as error:
            check()
            return f"the search table {table} does not match its texts ({error})"
    return ""


@contextmanager
def _interruptible(connection: sqlite3.Connection, check: Callable[[], None]) -> Iterator[None]:
    """Let ``check`` interrupt SQLite in the block: it ends with an error, and the caller calls ``check`` again."""

    def ends() -> bool:
        try:
            check()
        except BaseException:  # noqa: BLE001 - raised again by the next call, outside of SQLite
            return True
        return False

    check()
    connection.set_progress_handler(ends, _STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def file_damage(path: Path, check: Callable[[], None] = lambda: None) -> tuple[str, ...]:
    """Check a database file that nobody else uses; gives what is wrong."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            return database_damage(connection, check)
    except sqlite3.Error as error:
        return (str(error),)
