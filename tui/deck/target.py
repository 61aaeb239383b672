"""The target file of a deck: what may be replaced there, and what to do about errors."""

from __future__ import annotations

import sqlite3
import zipfile
from pathlib import Path

from tui.errors import DeckError, LodeError
from tui.exporting.target_file import TargetFile

_SQLITE_FULL = ("SQLITE_FULL", "SQLITE_IOERR_WRITE")
_COLLECTIONS = {"collection.anki2", "collection.anki21", "collection.anki21b"}
"""Names that Anki looks for in a package, in the order of its own versions."""


class DeckFile(TargetFile):
    """A deck on its way to its target; raises ``DeckError``, with the code ``not_a_deck`` for a file that is none."""

    KIND = DeckError
    NOUN = "deck"
    EXAMPLE = "lode.apkg"

    def check_replaceable(self, target: Path, shown: str) -> None:
        if not _may_be_replaced(target):
            raise DeckError(
                f"{shown} exists and is no Anki deck",
                hint="name another file, or move that one away",
                code="not_a_deck",
            )

    def failed(self, error: OSError | sqlite3.Error) -> LodeError:
        if isinstance(error, sqlite3.Error):
            return self.unwritable(str(error), is_full=getattr(error, "sqlite_errorname", "") in _SQLITE_FULL)
        return super().failed(error)


def _may_be_replaced(path: Path) -> bool:
    """Whether the file is a deck, which another export replaces, or has nothing in it that could be lost."""
    if path.stat().st_size == 0:
        return True
    try:
        with zipfile.ZipFile(path) as archive:
            return not _COLLECTIONS.isdisjoint(archive.namelist())
    except (OSError, zipfile.BadZipFile, NotImplementedError):
        return False
