"""Which files are meant by the paths, directories and patterns that a user names."""

from __future__ import annotations

import difflib
import fnmatch
import glob
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from tui.controls import one_line
from tui.errors import ImportRefused

ENDINGS = (".srt", ".vtt", ".ass", ".ssa", ".txt")
"""What is taken from directories and patterns; a file that is named itself may end in anything."""

_KINDS = "subtitles (.srt, .vtt, .ass, .ssa) or texts (.txt)"


def find_files(paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """The files meant, absolute, each once, in the order given; what a directory or a pattern holds is sorted.

    Hidden files and directories inside a directory are passed over, links to directories not followed. Raises
    ``ImportRefused`` when a path is missing, is no ordinary file, or holds nothing to import.
    """
    found: dict[str, Path] = {}
    for given in paths:
        for path in _files(given):
            found.setdefault(os.path.realpath(path), path.absolute())
    return tuple(found.values())


def _files(given: str | Path) -> list[Path]:
    shown = one_line(str(given)) or "''"
    if not str(given).strip() or "\0" in str(given):
        raise ImportRefused(f"{shown} is no path", hint="name a file, a directory or a pattern such as 'films/*.srt'")
    path = Path(given)
    mode = _mode(path, shown)
    if mode is None and str(given).startswith("~"):
        path = _expanded(path, shown)
        mode = _mode(path, shown)
    if mode is None:
        return _matching(path, shown)
    if stat.S_ISDIR(mode):
        if inside := sorted(_inside(path, shown)):
            return inside
        raise ImportRefused(f"the directory {shown} holds no {_KINDS}", hint="name its files to import others")
    if not stat.S_ISREG(mode):
        raise ImportRefused(f"{shown} is no ordinary file", hint="save its contents to a file and add that")
    return [path]


def _mode(path: Path, shown: str) -> int | None:
    """The file's mode, None where there is none; also for a link that leads nowhere."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # no permission, a name too long, a circle of links
        raise ImportRefused(
            f"{shown} cannot be read: {error.strerror or error}", hint="check the path and its permissions"
        ) from error


def _expanded(path: Path, shown: str) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ImportRefused(f"there is no home directory for {shown}", hint="write the path out") from error


def _inside(directory: Path, shown: str) -> Iterator[Path]:
    """The importable files below a directory."""

    def refuse(error: OSError) -> None:
        if error.filename is None or Path(error.filename) == directory:
            raise ImportRefused(
                f"the directory {shown} cannot be read: {error.strerror or error}", hint="check its permissions"
            ) from error

    for folder, folders, names in os.walk(directory, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(folder, name)
            if not name.startswith(".") and path.suffix.lower() in ENDINGS and path.is_file():
                yield path


def _matching(path: Path, shown: str) -> list[Path]:
    """What a pattern matches, directories with all that is in them."""
    pattern = str(path)
    if not glob.has_magic(pattern):
        raise _missing(path, shown)
    matches = sorted(_below(path.parts) if "**" in path.parts else _matches(pattern))
    found: list[Path] = []
    for match in matches:
        if match.is_dir():
            found.extend(sorted(_inside(match, one_line(str(match)))))
        elif match.suffix.lower() in ENDINGS and match.is_file():
            found.append(match)
    if not found:
        what = f"nothing matches {shown}" if not matches else f"what matches {shown} holds no {_KINDS}"
        raise ImportRefused(what, hint="check the pattern, or name the files")
    return found


def _matches(pattern: str) -> Iterator[Path]:
    return map(Path, glob.iglob(pattern))  # noqa: PTH207 - Path.glob takes no absolute pattern


def _below(parts: tuple[str, ...]) -> Iterator[Path]:
    """The files at any depth that a pattern with ``**`` means; glob itself would follow a circle of links."""
    at = parts.index("**")
    tail = [part for part in parts[at + 1 :] if part != "**"]
    for root in _matches(str(Path(*parts[:at]))) if at else [Path()]:
        for path in _inside(root, one_line(str(root))):
            inner = path.relative_to(root).parts
            ends = inner[len(inner) - len(tail) :]
            if len(ends) == len(tail) and all(map(fnmatch.fnmatch, ends, tail)):
                yield path


def _missing(path: Path, shown: str) -> ImportRefused:
    folder = path.parent
    if not folder.is_dir():
        return ImportRefused(f"there is no file {shown}", hint=f"there is no directory {one_line(str(folder))} either")
    try:
        names = [entry.name for entry in os.scandir(folder)]
    except OSError:
        names = []
    close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.6)
    hint = f"did you mean {one_line(str(folder / close[0]))}?" if close else "check the path"
    return ImportRefused(f"there is no file {shown}", hint=hint)
