"""Process locks: a process that runs jobs holds a lock on a file named after its token for as long as it lives.

The kernel lets go of the lock when the process ends, however it ends.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import ModuleType

from tui.errors import StoreError
from tui.store.rows import new_id

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be removed: that says the same
    fcntl = None

_ATTEMPTS = 5


class ProcessLock:
    """Lock on a file named after this store's token, which tells others that it lives; taken when first needed."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.token = new_id()
        self._descriptor: int | None = None
        self._taking = threading.Lock()

    def hold(self) -> str:
        """Take the lock, where that is not done yet; gives the token. Raises ``StoreError``."""
        with self._taking:
            if self._descriptor is None:
                try:
                    self._descriptor = self._take()
                except OSError as error:
                    raise StoreError(
                        f"{self.directory} cannot be written: {error.strerror or error}",
                        hint=f"make {self.directory.parent} writable",
                    ) from error
        return self.token

    def release(self) -> None:
        with self._taking:
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None
                self._path(self.token).unlink(missing_ok=True)

    def is_held(self, token: str) -> bool:
        """Whether some process holds this token. The lock file of a dead one is removed."""
        if token == self.token:
            return self._descriptor is not None
        return self._is_locked(self._path(token))

    def _is_locked(self, path: Path) -> bool:
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
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        else:
            path.unlink(missing_ok=True)
            return False
        finally:
            os.close(descriptor)

    def sweep(self) -> None:
        """Remove the lock files of processes that are gone."""
        for path in self.directory.glob("*.lock"):
            self.is_held(path.stem)
        for path in self.directory.glob("*.new"):  # killed before it was renamed
            self._is_locked(path)

    def _take(self) -> int:
        self.directory.mkdir(parents=True, exist_ok=True)
        path = self._path(self.token)
        if fcntl is None:
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
        # Locked before it has its name: nobody can find it in between and think its owner dead.
        for attempt in range(_ATTEMPTS):
            beside = self.directory / f"{self.token}-{attempt}.new"
            descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                beside.rename(path)
                return descriptor
            except (BlockingIOError, FileNotFoundError):  # swept before it was locked, as if it had been left
                os.close(descriptor)
                if attempt == _ATTEMPTS - 1:
                    raise
            except OSError:
                os.close(descriptor)
                beside.unlink(missing_ok=True)
                raise
        raise AssertionError

    def _path(self, token: str) -> Path:
        return self.directory / f"{token}.lock"
