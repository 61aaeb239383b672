"""Copies of a library: consistent ones while it is used, and the ones kept from before a migration or a repair."""

import filecmp
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from tui.errors import StoreError
from tui.store.database import Connections, as_store_error
from tui.store.sqlite_checks import file_damage, primary_code
from tui.system.temporary import TemporaryDirectory

_KEPT_COPIES = 3


def keep_backup(connections: Connections, reason: str) -> None:
    """Keep a copy of the database as it is now beside it, and no more than the last few of such copies.

    The last are found by the migrations that they came before: the clock that named them may have been wrong.
    """
    path = connections.path
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    made = path.with_name(f"{path.name}.before-{reason}-{moment}")
    with consistent_copy(connections, made) as copy:
        damage = file_damage(copy)
        copy.replace(made)
    if damage:
        connections.damaged = True
        return  # an older copy may be worth more than this one

    def place(copy: Path) -> tuple[str, str]:
        before, _, moment = copy.name.removeprefix(f"{path.name}.before-").rpartition("-")
        return before if before.startswith("m") else "", moment

    others = sorted({*path.parent.glob(f"{path.name}.before-*")} - {made}, key=place)
    # Each attempt at a migration that is cut off makes a copy of the same: they would push out the others.
    same = [copy for copy in others if place(copy)[0] == place(made)[0] and filecmp.cmp(copy, made, shallow=False)]
    for old in {*same, *[copy for copy in others if copy not in same][: 1 - _KEPT_COPIES]}:
        old.unlink(missing_ok=True)


@contextmanager
def consistent_copy(connections: Connections, target: Path) -> Iterator[Path]:
    """Write a consistent copy of the database beside ``target``, until the block moves it there; else it goes again.

    Raises ``StoreError`` where it cannot be written, in the block too.
    """
    source = connections.connect()
    try:
        with closing(source), TemporaryDirectory(target.parent) as place:
            beside = place / "lode.db"
            with closing(sqlite3.connect(beside)) as copy:
                source.backup(copy)
                connections.check_unchanged()
                # A copy is one file that can be carried about; the log comes back when Lode opens it.
                copy.execute("PRAGMA journal_mode = DELETE")
            with beside.open("rb+") as written:
                os.fsync(written.fileno())
            yield beside
    except sqlite3.DatabaseError as error:
        is_read = primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        raise as_store_error(error, connections.path if is_read else target) from error
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror or error}", hint="name another place") from error
