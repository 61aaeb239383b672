"""Fingerprint of a film: what it is known again by, without reading all of its gigabytes."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from tui.errors import MediaError
from tui.system import regular_file
from tui.text.sanitize import one_line

_PARTS = 3
_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Size in bytes, time of change in nanoseconds since 1970, and the SHA-256 of parts of a file."""

    size_bytes: int
    modified_ns: int
    parts_sha256: str


def fingerprint(path: Path, known: Fingerprint | None = None) -> Fingerprint:
    """Take the fingerprint of a file; nothing of it is read where size and time are those that are ``known``.

    The parts are its first quarter of a megabyte, one in its middle and its last, and its size. Raises ``MediaError``
    (``media_missing``, ``media_unreadable``).
    """
    shown = one_line(path.name)[:100]
    try:
        with regular_file.open_file(path) as file:
            status = os.fstat(file.fileno())
            size, modified = status.st_size, status.st_mtime_ns
            if known is not None and (known.size_bytes, known.modified_ns) == (size, modified):
                return known
            digest = hashlib.sha256(str(size).encode())
            for part in range(_PARTS):
                file.seek(max(0, size - _BYTES) * part // (_PARTS - 1))
                digest.update(regular_file.piece_of(file, _BYTES))
    except FileNotFoundError as error:
        raise MediaError(
            f"{shown} is not where it was",
            hint="say where it is now: lode files link TRANSCRIPT FILM",
            code="media_missing",
        ) from error
    except OSError as error:
        raise MediaError(
            f"{shown} cannot be read: {one_line(error.strerror or str(error))}",
            hint="look at its path and its rights",
            code="media_unreadable",
        ) from error
    return Fingerprint(size, modified, digest.hexdigest())
