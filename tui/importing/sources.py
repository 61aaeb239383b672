"""File search: the files meant by the paths, directories, archives and patterns that a user names."""

import asyncio
import difflib
import fnmatch
import glob
import os
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from tui.errors import ImportRefused
from tui.importing.archive import find_archive, list_contents
from tui.importing.archive_member import ARCHIVE_ENDINGS, NOTHING_TO_IMPORT, READ_ENDINGS
from tui.importing.formats import PLAIN_TEXT, SUBTITLES, is_taken
from tui.importing.series import order_last_first
from tui.system.event_loop import in_daemon_thread
from tui.text.sanitize import one_line

OnDirectory = Callable[[Path], None]
"""Callback with every directory and archive that is searched; what it raises ends the search."""

_KINDS = f"subtitles ({SUBTITLES}) or texts ({PLAIN_TEXT.ending})"
_CLOSE_LOOK = 10_000
"""Maximum names that are compared with one that is not there."""
_SILENT_SECONDS = 0.5
_TELL_SECONDS = 0.1


class _NobodyWaits(Exception):
    """Ends a search that nobody waits for any more."""


async def find(paths: Sequence[str | Path], tell: Callable[[str], None] | None = None) -> tuple[Path, ...]:
    """Do ``find_files`` in a thread that nothing waits for: a network that is gone holds whoever looks at its files.

    A search that takes longer says a few times a second to ``tell`` where it is.
    """
    loop, over, following = asyncio.get_running_loop(), threading.Event(), time.monotonic() + _SILENT_SECONDS

    def on_directory(folder: Path) -> None:
        nonlocal following
        if over.is_set():
            raise _NobodyWaits
        if tell is not None and time.monotonic() > following:
            following = time.monotonic() + _TELL_SECONDS
            loop.call_soon_threadsafe(told, str(folder))

    def told(folder: str) -> None:
        if tell is not None and not over.is_set():
            tell(folder)

    try:
        return await in_daemon_thread(lambda: find_files(paths, on_directory), name="search for files")
    finally:
        over.set()


def find_files(paths: Sequence[str | Path], on_directory: OnDirectory = lambda folder: None) -> tuple[Path, ...]:
    """Find the files meant, absolute, each once, in the order given; what a directory or pattern holds is sorted.

    A name that is there is that name, whatever characters are in it; else it may be a pattern, and so may each part of
    it. Hidden files and directories inside a directory are passed over, links to directories not followed. An archive
    is taken for a directory: its members' paths go on from its own, and one may be given too. Episodes of a series
    come last first. Raises ``ImportRefused`` when a path is missing, is no ordinary file, or holds nothing to import.
    """
    found: dict[str, Path] = {}
    for path in chain.from_iterable(_files(given, on_directory) for given in paths):
        found.setdefault(os.path.realpath(path), path.absolute())
    return order_last_first(tuple(found.values()))


def _files(given: str | Path, on_directory: OnDirectory) -> list[Path]:
    shown = one_line(str(given)) or "''"
    if not str(given).strip() or "\0" in str(given):
        raise ImportRefused(f"{shown} is no path", hint="name a file, a directory or a pattern such as 'films/*.srt'")
    path = Path(given)
    mode = _mode(path, shown)
    if mode is None and str(given).startswith("~"):
        try:
            path = path.expanduser()
        except RuntimeError as error:
            raise ImportRefused(f"there is no home directory for {shown}", hint="write the path out") from error
        mode = _mode(path, shown)
    if mode is None:
        members = _members(path, shown)
        return _matching(path, shown, on_directory) if members is None else members
    if stat.S_ISDIR(mode):
        if inside := list(_unpacked(sorted(_inside(path, shown, on_directory)), on_directory)):
            return inside
        raise ImportRefused(
            f"the directory {shown} holds no {_KINDS}", hint="name its files to import others", code=NOTHING_TO_IMPORT
        )
    if not stat.S_ISREG(mode):
        raise ImportRefused(f"{shown} is no ordinary file", hint="save its contents to a file and add that")
    inside_it = _contents(path)
    return [path] if inside_it is None else list(inside_it)


def _contents(path: Path) -> Sequence[Path] | None:
    """As ``list_contents``, and None for a file that cannot be read: its job says so, and keeps back no other."""
    try:
        return list_contents(path)
    except OSError:
        return None


def _members(path: Path, shown: str) -> list[Path] | None:
    """The members of an archive that a path or pattern into it means; None for a path that leads into none."""
    if (found := find_archive(path)) is None or (inside := _contents(found[0])) is None:
        return None
    if path in inside:
        return [path]
    if matching := [each for each in inside if fnmatch.fnmatchcase(each.relative_to(found[0]).as_posix(), found[1])]:
        return matching
    raise ImportRefused(f"there is no file {shown} in the archive", hint=f"add all of it: {one_line(str(found[0]))}")


def _unpacked(paths: Iterable[Path], on_directory: OnDirectory) -> Iterator[Path]:
    """The paths, in the place of archives those of what they hold; one that cannot be read has a job that says so."""
    for path in paths:
        members: Sequence[Path] | None = None
        if path.name.lower().endswith(READ_ENDINGS):
            on_directory(path)
            try:
                members = _contents(path)
            except ImportRefused as error:
                members = () if error.code == NOTHING_TO_IMPORT else None
        yield from (path,) if members is None else members


def _mode(path: Path, shown: str) -> int | None:
    """The file's mode, None where there is none; raises ``ImportRefused`` for a link that leads nowhere too."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            raise _dangling(path) from error
        return None
    except OSError as error:  # no permission, a name too long, a circle of links
        raise ImportRefused(
            f"{shown} cannot be read: {error.strerror or error}", hint="check the path and its permissions"
        ) from error


def _inside(directory: Path, shown: str, on_directory: OnDirectory) -> Iterator[Path]:
    """The importable files below a directory, and the archives."""

    def refuse(error: OSError) -> None:
        if error.filename is None or Path(error.filename) == directory:
            raise ImportRefused(
                f"the directory {shown} cannot be read: {error.strerror or error}", hint="check its permissions"
            ) from error

    for folder, folders, names in os.walk(directory, onerror=refuse):
        on_directory(Path(folder))
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(folder, name)
            if not name.startswith(".") and _may_be_imported(path) and path.is_file():
                yield path


def _matching(path: Path, shown: str, on_directory: OnDirectory) -> list[Path]:
    """The files that match a pattern, directories with all that is in them."""
    if not glob.has_magic(str(path)):
        raise _missing(path, shown)
    find_matches = _below if "**" in path.parts else _matches
    matches = sorted(find_matches(path.parts, on_directory))
    found: list[Path] = []
    for match in matches:
        if match.is_dir():
            found.extend(sorted(_inside(match, one_line(str(match)), on_directory)))
        elif _may_be_imported(match) and match.is_file():
            found.append(match)
    found = list(_unpacked(found, on_directory))
    if not found:
        if dangling := next((match for match in matches if match.is_symlink() and not match.exists()), None):
            raise _dangling(dangling)
        what = f"nothing matches {shown}" if not matches else f"what matches {shown} holds no {_KINDS}"
        raise ImportRefused(what, hint="check the pattern, or name the files")
    return found


def _may_be_imported(path: Path) -> bool:
    return is_taken(path.name) or path.name.lower().endswith(ARCHIVE_ENDINGS)


def _matches(parts: Sequence[str], on_directory: OnDirectory, place: Path = Path()) -> Iterator[Path]:
    """The paths that the parts of a pattern match below a place; a part that is there as it is written is just that."""
    if not parts:
        yield place
        return
    part, rest = parts[0], parts[1:]
    if not glob.has_magic(part) or os.path.lexists(place / part):
        if os.path.lexists(place / part):
            yield from _matches(rest, on_directory, place / part)
        return
    on_directory(place)
    try:
        names = [entry.name for entry in os.scandir(place)]
    except OSError:  # as in a shell: what is no directory, or none that can be read, holds no match
        return
    for name in names:
        if fnmatch.fnmatch(name, part) and (part.startswith(".") or not name.startswith(".")):
            yield from _matches(rest, on_directory, place / name)


def _below(parts: Sequence[str], on_directory: OnDirectory) -> Iterator[Path]:
    """The files at any depth that a pattern with ``**`` means; glob itself would follow a circle of links."""
    at = parts.index("**")
    tail = [part for part in parts[at + 1 :] if part != "**"]
    for root in _matches(parts[:at], on_directory):
        for path in _inside(root, one_line(str(root)), on_directory):
            ends = [path, *path.parents][: len(tail)][::-1]
            if len(path.relative_to(root).parts) >= len(tail) and all(map(_is_meant, ends, tail)):
                yield path


def _is_meant(path: Path, part: str) -> bool:
    """Whether a part of a pattern means the last part of this path; one that is there as it is written is just that."""
    return path.name == part or (fnmatch.fnmatch(path.name, part) and not os.path.lexists(path.parent / part))


def _dangling(path: Path) -> ImportRefused:
    try:
        target = str(path.readlink())
    except OSError:
        target = ""
    if os.path.lexists(path.parent / target):
        target = os.path.realpath(path)  # a link to a link: the end of the chain is what is missing
    return ImportRefused(
        f"{one_line(str(path))} is a link to {one_line(target)}, which does not exist",
        hint="mend the link, or name the file itself",
    )


def _missing(path: Path, shown: str) -> ImportRefused:
    folder = path.parent
    if not folder.is_dir():
        return ImportRefused(f"there is no file {shown}", hint=f"there is no directory {one_line(str(folder))} either")
    try:
        names = [entry.name for entry in islice(os.scandir(folder), _CLOSE_LOOK)]
    except OSError:
        names = []
    close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.6)
    hint = f"did you mean {one_line(str(folder / close[0]))}?" if close else "check the path"
    return ImportRefused(f"there is no file {shown}", hint=hint)
