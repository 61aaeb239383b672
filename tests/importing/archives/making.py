"""Archives for tests: ZIP and tar files of given members, with what only hostile ones have."""

from __future__ import annotations

import io
import re
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

STORY = "1\n00:00:01,000 --> 00:00:02,500\nDer Zug fährt ab.\n\n2\n00:00:03,000 --> 00:00:05,000\n{}\n"


def story(name: str) -> bytes:
    """A subtitle file that no other name has."""
    return STORY.format(name).encode()


def zipped(path: Path, members: Mapping[str, bytes], *, encoding: str = "") -> Path:
    """Write a ZIP file; with an ``encoding`` its names are in that one, and it does not say so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    if encoding:
        rename(path, {name.encode(): name.encode(encoding) for name in members})
    return path


def rename(path: Path, names: Mapping[bytes, bytes]) -> None:
    """Put other bytes in the place of names, without the flag for UTF-8; both have to be of the same length."""
    data = path.read_bytes()
    for old, new in names.items():
        data = data.replace(old, new.ljust(len(old), b"\0"))
    path.write_bytes(_with_flags(data, lambda flags: flags & ~0x800))


def encrypted(path: Path) -> Path:
    """Mark all members of a ZIP file as encrypted."""
    path.write_bytes(_with_flags(path.read_bytes(), lambda flags: flags | 1))
    return path


def _with_flags(data: bytes, change: Callable[[int], int]) -> bytes:
    changed = bytearray(data)
    for header in re.finditer(b"PK\x03\x04..(?=..)|PK\x01\x02....(?=..)", data, re.DOTALL):
        (flags,) = struct.unpack_from("<H", data, header.end())
        struct.pack_into("<H", changed, header.end(), change(flags))
    return bytes(changed)


def tarred(path: Path, members: Mapping[Any, bytes], *, mode: str = "w") -> Path:
    """Write a tar file of members by name or ``TarInfo``; ``mode`` is ``tarfile``'s, "w:gz" say."""
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]  # the modes are not spelt out here
        for member, data in members.items():
            entry = member if isinstance(member, tarfile.TarInfo) else tarfile.TarInfo(member)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path
