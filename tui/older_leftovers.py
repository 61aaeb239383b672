"""What killed processes of earlier versions left, whose temporary files were neither marked nor locked.

They go where it is certain that they are Lode's, by their names and by what is in them, and that nobody uses them any
more: their process is gone as far as can be seen from here, and they have not been touched for long.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_DAY = 86400.0
_HOUR = 3600.0
_COPY = re.compile(r"\..+\.(?P<pid>\d+)\.part\Z", re.DOTALL)
_DOWNLOAD = re.compile(r"\.[0-9a-f]{32}\.part\Z")
_DECK = re.compile(r"\.lode-export-[a-z0-9_]{8}\Z")
_DIRECTORIES = (
    (_DECK, re.compile(r"collection\.anki2(-journal)?\Z|deck\.apkg\Z")),
    (re.compile(r"lode-export-[a-z0-9_]{8}\Z"), re.compile(r"deck\.apkg\Z|" + _DECK.pattern)),
    (re.compile(r"\.backup-[a-z0-9_]{8}\Z"), re.compile(r"lode\.db\Z|\.lode\.db\.\d+\.part(-journal)?\Z")),
    (re.compile(r"\.unpacking-[a-z0-9_]{8}\Z"), re.compile(r"[a-z]+\.dic\Z")),
)
"""The name of a directory, and the names of what may be in it."""
_SENT = re.compile(r"[0-9a-f]{16}\Z")
_DATABASE, _PACKAGE = b"SQLite format 3\0", b"PK"


def sweep_older(place: Path) -> None:
    """Remove what is left in ``place`` of copies, decks and dictionaries in the making. Raises ``OSError``."""
    for path in [path for path in place.iterdir() if path.name.startswith((".", "lode-export-"))]:
        with suppress(OSError):
            if path.is_symlink():
                continue
            if path.is_dir():
                if _is_known(path) and _untouched(path, _DAY):
                    shutil.rmtree(path, ignore_errors=True)
            elif _is_part(path):
                path.unlink()
                path.with_name(f"{path.name}-journal").unlink(missing_ok=True)


def older_uploads(place: Path) -> Iterator[Path]:
    """The directories of files that were sent to an earlier version, and that it does not write any more."""
    with suppress(OSError):
        for path in list(place.iterdir()):
            if _SENT.match(path.name) and path.is_dir() and not path.is_symlink() and _untouched(path, _DAY):
                yield path


def _is_known(directory: Path) -> bool:
    for name, within in _DIRECTORIES:
        if name.match(directory.name):
            return all(within.match(path.name) for path in directory.iterdir())
    return False


def _is_part(path: Path) -> bool:
    if copy := _COPY.match(path.name):
        journal = path.with_name(f"{path.name}-journal")
        is_ours = journal.exists() or _begins(path, _DATABASE)
        return is_ours and not _runs(int(copy["pid"])) and _untouched(path, _HOUR)
    if _DOWNLOAD.match(path.name):
        return _begins(path, _DATABASE) and _untouched(path, _DAY)
    return bool(_DECK.match(path.name)) and _begins(path, _PACKAGE) and _untouched(path, _DAY)


def _begins(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        beginning = file.read(len(mark))
    return beginning in (mark, b"")


def _runs(pid: int) -> bool:
    if os.name != "posix":
        return False  # asking would end it; a file that is open cannot be removed there anyway
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _untouched(path: Path, seconds: float) -> bool:
    """Neither it nor anything in it: also by a clock that was wrong then, or is now, or runs behind another's."""
    now = time.time()
    within = path.rglob("*") if path.is_dir() else ()
    return all(abs(now - each.lstat().st_mtime) > seconds for each in (path, *within))
