"""Process locks: a process that runs jobs holds a lock on a file named after its token for as long as it lives."""

import os
import threading
from pathlib import Path

from tui.errors import StoreError
from tui.store.rows import new_id
from tui.system.file_lock import create_locked, is_locked


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
                    self.directory.mkdir(parents=True, exist_ok=True)
                    self._descriptor = create_locked(self._path(self.token), 0o644)
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
        return is_locked(self._path(token))

    def sweep(self) -> None:
        """Remove the lock files of processes that are gone."""
        for path in self.directory.glob("*.lock"):
            self.is_held(path.stem)

    def _path(self, token: str) -> Path:
        return self.directory / f"{token}.lock"
