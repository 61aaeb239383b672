"""Locks on files, which say that a process lives: the kernel lets go of one when the process ends, however it ends.

It does so on a network disk too; a process id could be another's by now, or one of another machine's, and the age of a
file is only the clock's word.
"""

import os
from pathlib import Path
from types import ModuleType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be removed: that says the same
    fcntl = None

HAS_LOCKS = fcntl is not None
_ATTEMPTS = 5


def take_lock(descriptor: int, *, waiting: bool = False) -> None:
    """Lock an open file; raises ``OSError`` where the disk has no locks or, unless ``waiting``, another has it."""
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if waiting else fcntl.LOCK_NB))


def create_locked(path: Path, mode: int, *, needs_locks: bool = True) -> int:
    """Create a file that is locked until the descriptor is closed which this gives.

    One that is swept between its making and its lock, as if it had been left, is made anew. Raises ``OSError``, also
    where the disk has no locks, unless they are not needed: nobody could ask for one there.
    """
    for _ in range(_ATTEMPTS):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, mode)
        try:
            take_lock(descriptor, waiting=True)
        except OSError:
            if needs_locks:
                os.close(descriptor)
                path.unlink(missing_ok=True)
                raise
        if path.exists():
            return descriptor
        os.close(descriptor)
    raise FileNotFoundError(path)


def is_locked(path: Path) -> bool:
    """Whether a process that lives has the lock on a file; the file of a dead one is removed."""
    if fcntl is None:
        try:
            path.unlink(missing_ok=True)
        except PermissionError:
            return True
        return False
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # another user's: not ours to judge
    try:
        take_lock(descriptor)
    except OSError:
        return True
    else:
        path.unlink(missing_ok=True)
        return False
    finally:
        os.close(descriptor)
