"""Search for dictionaries' files: those that somebody names, and those that the system has for other programs."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from tui.errors import ImportRefused
from tui.text.sanitize import one_line


def parts_of(path: Path) -> tuple[Path, ...]:
    """The files that a dictionary consists of: both halves of dictd's, whichever is named, its index first."""
    from tui.dictionaries.readers.dictd import pair_of

    return pair_of(path) or (path,)


def named_dictionaries(paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """The dictionaries that are meant, absolute, each once: of dictd's two files one may be named, or both.

    What is in them is for their import to say. Raises ``ImportRefused`` where there is no such file. Blocks.
    """
    found: dict[str, Path] = {}
    for given in paths:
        path = parts_of(_file(given))[0]
        found.setdefault(os.path.realpath(path), path.absolute())
    return tuple(found.values())


def _file(given: str | Path) -> Path:
    shown = one_line(str(given)) or "''"
    if not str(given).strip() or "\0" in str(given):
        raise ImportRefused(f"{shown} is no path", hint="name the file of a dictionary")
    path = Path(given)
    try:
        if not path.exists() and str(given).startswith("~"):
            path = path.expanduser()
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ImportRefused(f"there is no file {shown}", hint="check the path") from error
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ImportRefused(f"{shown} cannot be read: {reason}", hint="check the path and its permissions") from error
    if stat.S_ISDIR(mode):
        raise ImportRefused(f"{shown} is a directory", hint="name the files of the dictionaries in it")
    return path
