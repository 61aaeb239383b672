"""Temporary directories that are swept: what a killed process leaves in one goes with the next start or export there.

Each is called ``.lode-tmp-`` and twelve letters, and holds a file that says whose it is and that its process keeps
locked (``file_lock``).
"""

import os
import re
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tui.system.file_lock import HAS_LOCKS, create_locked, take_lock

_PREFIX = ".lode-tmp-"
_NAME = re.compile(r"\.lode-tmp-[a-z2-7]{12}\Z")
_LETTERS = b"abcdefghijklmnopqrstuvwxyz234567" * 8
_LOCK = ".lode"
"""Begins with a dot, which no name of a sent file does."""
_MARK = b"A temporary directory of Lode's. It goes by itself once no Lode uses it.\n"
_ATTEMPTS = 5


class TemporaryDirectory:
    """A new directory in ``place``, locked by this process and removed at the end of the block or by ``remove``.

    What earlier processes left in ``place`` goes first; not ``sweeping`` leaves it, where some of it is still needed.
    Raises ``OSError`` where it cannot be made.
    """

    def __init__(self, place: Path, *, sweeping: bool = True) -> None:
        if sweeping:
            sweep(place)
        for attempt in range(_ATTEMPTS):
            self.path = place / (_PREFIX + os.urandom(12).translate(_LETTERS).decode("ascii"))
            try:
                self._descriptor: int | None = _mark(self.path)
                return
            except FileNotFoundError:  # swept between its making and its lock, as if it had been left
                if attempt == _ATTEMPTS - 1 or not place.is_dir():
                    raise

    def remove(self) -> None:
        """Remove it with all that is still in it; done already, nothing happens."""
        if self._descriptor is not None:
            _remove(self.path, self._descriptor)
            self._descriptor = None

    def leave(self) -> None:
        """Let go of it without removing it: it goes with the next sweep that does not spare it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *raised: object) -> None:
        self.remove()


def replace_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all, instead of one that may be there. Raises ``OSError``.

    Its directory is made where there is none. It is written beside its place: a disk that is full leaves the old one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, "utf-8")
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


async def make_in_thread(make: Callable[[], TemporaryDirectory]) -> TemporaryDirectory:
    """Make a file with ``make`` in a thread; where nobody waits for it any more, it is removed again."""
    import asyncio

    making = asyncio.ensure_future(asyncio.to_thread(make))
    try:
        return await asyncio.shield(making)
    except asyncio.CancelledError:
        with suppress(Exception):  # then there is none
            (await making).remove()
        raise


@asynccontextmanager
async def make_lasting(make: Callable[[], TemporaryDirectory]) -> AsyncIterator[TemporaryDirectory]:
    """Make a directory as ``make_in_thread`` does, for a block after which it stays, unless that raises."""
    place = await make_in_thread(make)
    try:
        yield place
    except BaseException:
        place.remove()
        raise


def sweep(place: Path, spare: Callable[[Path], bool] = lambda directory: False) -> int:
    """Remove the temporary directories in ``place`` whose process is gone; gives how many there were.

    Nothing is touched that does not bear the mark, belongs to another user, or that ``spare`` wants to stay, which is
    asked when it is certain that the process is gone.
    """
    swept = 0
    with suppress(OSError), os.scandir(place) as entries:
        left = [Path(entry) for entry in entries if _NAME.match(entry.name) and entry.is_dir(follow_symlinks=False)]
        for directory in left:
            with suppress(OSError):
                swept += _swept(directory, spare)
    return swept


def _swept(directory: Path, spare: Callable[[Path], bool]) -> bool:
    if hasattr(os, "geteuid") and directory.lstat().st_uid != os.geteuid():
        return False
    try:
        descriptor = os.open(directory / _LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        directory.rmdir()  # killed before it was marked, or after all but itself was removed: only if it is empty
        return True
    try:
        take_lock(descriptor)
        mark = os.read(descriptor, len(_MARK) + 1)
        unmarked = mark == b"" and os.listdir(directory) == [_LOCK]  # noqa: PTH208 - killed before it was marked
        if (mark != _MARK and not unmarked) or spare(directory):
            os.close(descriptor)
            return False
    except BaseException:
        os.close(descriptor)
        raise
    _remove(directory, descriptor)
    return True


def _mark(directory: Path) -> int:
    """Make a new directory and mark it; gives the descriptor of its lock."""
    directory.mkdir(mode=0o700)
    try:
        descriptor = create_locked(directory / _LOCK, 0o600, needs_locks=False)
    except OSError:
        with suppress(OSError):
            directory.rmdir()
        raise
    try:
        os.write(descriptor, _MARK)
    except OSError:
        _remove(directory, descriptor)
        raise
    return descriptor


def _remove(directory: Path, descriptor: int) -> None:
    if not HAS_LOCKS:  # an open file cannot be removed there either
        os.close(descriptor)
        discard(directory)
        return
    try:
        discard(directory)
    finally:
        os.close(descriptor)


def discard(directory: Path) -> None:
    """Remove a temporary directory, its mark last: what a kill leaves of it can be told still."""
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in [entry for entry in entries if entry.name != _LOCK]:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with suppress(OSError):
                    os.unlink(entry.path)  # noqa: PTH108 - it is a string already
    with suppress(OSError):
        (directory / _LOCK).unlink(missing_ok=True)
        directory.rmdir()
