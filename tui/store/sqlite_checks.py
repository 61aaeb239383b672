"""SQLite's own checks of a whole database: pages, rows, indexes and full-text tables."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_MAX_FOUND = 3
"""Sentences of SQLite's about a damaged file; the first ones tell it all."""
_STEPS = 200_000
"""Instructions of SQLite's between two looks whether to go on: some milliseconds."""
_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors that SQLite raises in place of a sentence: its own, or one about words that are no text."""
_UNREACHED = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
}
"""Codes of SQLite's that say nothing about what stands in a file."""
_JSON = {"clips": ("focus", "tags"), "trash": ("bundle", "blobs")}
"""Columns that SQLite itself reads as JSON."""


def primary_code(error: sqlite3.Error) -> int:
    """The primary code (https://sqlite.org/rescode.html) of an error, 0 for one of Python's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def has_log(path: Path) -> bool:
    """Whether a database has a log: a file without one is used by nobody, and nothing need be laid beside it."""
    return any(path.with_name(path.name + ending).exists() for ending in ("-wal", "-journal"))


def database_damage(
    connection: sqlite3.Connection, check: Callable[[], None] = lambda: None, *, indexes: bool = True
) -> tuple[str, ...]:
    """Run SQLite's integrity check; gives what it finds wrong, at most a few sentences; takes a second for some 50 MB.

    With ``indexes`` each row is looked for in each index as well. ``check`` is called often and may raise to end it.
    """
    with _interruptible(connection, check):
        try:
            rows = connection.execute(f"PRAGMA {'integrity' if indexes else 'quick'}_check({_MAX_FOUND})").fetchall()
        except _ERRORS as error:
            check()
            return (str(error),)
    lines = [line for row in rows for line in str(row[0]).splitlines()]
    return tuple(line for line in lines if line != "ok" and not line.startswith("***"))


def found_damage(path: Path, schema: Path | None) -> str:
    """Look for the damage of a database of which a statement failed; gives what is wrong, "" where it is whole.

    ``schema`` is the file of the statements that a new one is made of, None where it may have been made of others.
    Everything is read: seconds for some hundred MB, and only after an error that no whole library should give.
    """
    # What only reads a file that nobody uses would leave a log beside it.
    uri = f"{path.absolute().as_uri()}?mode=ro{'' if has_log(path) else '&immutable=1'}"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            found = "; ".join(database_damage(connection))
            return found or _schema_damage(connection, schema) or _unreadable_rows(connection)
    except UnicodeDecodeError:
        return "its schema is no text"
    except sqlite3.Error as error:
        return "" if primary_code(error) in _UNREACHED else str(error)


def _schema_damage(connection: sqlite3.Connection, schema: Path | None) -> str:
    """Compare the tables, indexes, triggers and views with those of a new database."""
    if schema is None:
        return ""
    with closing(sqlite3.connect(":memory:")) as new:
        new.executescript(schema.read_text("utf-8"))
        other = _definitions(new) ^ _definitions(connection)
    return f"its schema is not what it was: {sorted(name for name, _ in other)[0]}" if other else ""


def _definitions(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """The names of what a schema defines, each with its SQL, in which spaces and the ends of statements vary."""
    rows = connection.execute(
        "SELECT name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    )
    return {(name, re.sub(r"[\s;]+", "", sql)) for name, sql in rows}


def _unreadable_rows(connection: sqlite3.Connection) -> str:
    """Read every row; gives what is wrong with the first one whose texts are no UTF-8 or no JSON."""
    tables = connection.execute(
        "SELECT name, sql LIKE 'CREATE VIRTUAL%' FROM sqlite_master WHERE type = 'table'"
    ).fetchall()
    for table, is_virtual in tables:
        try:
            for _ in connection.execute(f'SELECT * FROM "{table}"{" LIMIT 1" if is_virtual else ""}'):
                pass
            for column in _JSON.get(table, ()):
                if connection.execute(
                    f"SELECT 1 FROM {table} WHERE {column} IS NOT NULL AND NOT json_valid({column})"
                ).fetchone():
                    return f"{column} of {table} is no JSON"
        except sqlite3.OperationalError as error:
            if primary_code(error) in _UNREACHED:
                raise
            return f"the table {table} cannot be read"  # SQLite's words may quote what stands there
    return ""


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
