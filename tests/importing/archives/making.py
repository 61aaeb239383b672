"""Archives for tests: ZIP and tar files of given members, with what only hostile ones have."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
from collections.abc import Mapping
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
    data = bytearray(path.read_bytes())
    for old, new in names.items():
        new = new.ljust(len(old), b"\0")
        at = data.find(old)
        while at >= 0:
            data[at : at + len(old)] = new
            at = data.find(old, at + 1)
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            (value,) = struct.unpack_from("<H", data, at + flags)
            struct.pack_into("<H", data, at + flags, value & ~0x800)
            at = data.find(mark, at + 1)
    path.write_bytes(data)


def encrypted(path: Path) -> Path:
    """Mark all members of a ZIP file as encrypted."""
    data = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + flags] |= 1
            at = data.find(mark, at + 1)
    path.write_bytes(data)
    return path


def tarred(path: Path, members: Mapping[Any, bytes], *, mode: str = "w") -> Path:
    """Write a tar file of members by name or ``TarInfo``; ``mode`` is ``tarfile``'s, "w:gz" say."""
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]  # the modes are not spelt out here
        for member, data in members.items():
            entry = member if isinstance(member, tarfile.TarInfo) else tarfile.TarInfo(member)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path
