"""Blob folder: the bytes of imported files, each named by its SHA-256: ``blobs/ab/cdef…``."""

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tui.errors import NotFound, StoreError

_SHA256 = re.compile(r"[0-9a-f]{64}\Z")
_PART = re.compile(r"\.[0-9a-f]{62}\.\d+-[0-9a-f]{8}\.part\Z")


class BlobFolder:
    """A folder of files that are written once and never changed."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def put(self, data: bytes) -> str:
        """Keep the bytes and give their SHA-256; bytes that are there already are not written again.

        The file is whole and on the disk before it gets its name. Raises ``StoreError``.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        target = self.path(sha256)
        beside = target.with_name(f".{target.name}.{os.getpid()}-{os.urandom(4).hex()}.part")
        try:
            if target.exists() and target.stat().st_size == len(data):
                os.utime(target)  # it is wanted again: an older Lode that tidies up leaves new blobs alone
                return sha256
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with beside.open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                beside.replace(target)
            finally:
                beside.unlink(missing_ok=True)
            _sync_directory(target.parent)
        except OSError as error:
            raise StoreError(
                f"{target.parent} cannot be written: {error.strerror or error}",
                hint="make room on the disk, or make the directory writable",
            ) from error
        return sha256

    def get(self, sha256: str, name: str) -> bytes:
        """Read the bytes of the file called ``name``. Raises ``StoreError`` where they are missing or others by now."""
        try:
            data = self.path(sha256).read_bytes()
        except FileNotFoundError as error:
            raise _lost(name, "are not in the library any more") from error
        except OSError as error:
            raise _lost(name, f"cannot be read: {error.strerror or error}") from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise _lost(name, "are damaged: they are not those that were imported")
        return data

    def mend(self, data: bytes) -> None:
        """Keep the bytes of a file of the library again where they are missing or damaged. Raises ``StoreError``."""
        path = self.path(hashlib.sha256(data).hexdigest())
        with suppress(OSError):  # ``put`` writes it, or says why not
            if path.stat().st_size == len(data) and path.read_bytes() != data:
                path.unlink()  # what is there under the right name and size is not looked into by ``put``
        self.put(data)

    def path(self, sha256: str) -> Path:
        """Path where these bytes lie, or would."""
        if not _SHA256.match(sha256):
            raise NotFound(f"{sha256[:80]!r} is no SHA-256", code="blob_not_found")
        return self.directory / sha256[:2] / sha256[2:]

    def names(self) -> set[str]:
        """The SHA-256 of all that is kept. Raises ``OSError`` for a folder that cannot be read."""
        names = (path.parent.name + path.name for path in self._files())
        return {name for name in names if _SHA256.match(name)}

    def sweep(self, wanted: set[str]) -> None:
        """Remove what is not ``wanted``, and what a killed process left half written.

        Nobody may be putting any meanwhile.
        """
        for path in self._files():
            sha256 = path.parent.name + path.name
            if sha256 not in wanted and (_SHA256.match(sha256) or _PART.match(path.name)):
                with suppress(OSError):  # gone meanwhile, or not ours to remove
                    path.unlink()

    def _files(self) -> Iterator[Path]:
        for folder in self.directory.glob("[0-9a-f][0-9a-f]"):
            yield from folder.iterdir()


def _lost(name: str, how: str) -> StoreError:
    return StoreError(
        f"the bytes of {name} {how}",
        hint="add the file again from where you have it: lode add PATH; its transcript stays",
        code="bytes_lost",
    )


def _sync_directory(directory: Path) -> None:
    """Make a new name in the directory survive a power cut, where directories can be opened (not on Windows)."""
    if os.name == "posix":
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
