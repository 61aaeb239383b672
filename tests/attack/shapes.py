"""Hostile shapes of files: one table, from which each reader gets those that its files can have."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.attack.readers import READERS, Material, Reader

_LARGE, _HUGE = 1_000_000, 62_000_000
"""Bytes of a file that is read to its end, and of one as large as is taken at all."""
_DEPTH = 100_000
_TEXT = b"1\n00:00:01,000 --> 00:00:02,000\nText.\n\n"


@dataclass(frozen=True, slots=True)
class Shape:
    """A hostile shape: ``make`` writes a file of it; ``needs`` is what a reader's files must have for it."""

    name: str
    make: Callable[[Path, Reader, random.Random], object]
    needs: Callable[[Reader], bool] = lambda reader: True


def _whole(material: Material, body: str) -> bytes:
    content = f"{material.begin}{body}{material.end}"
    if not material.part:
        return content.encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, other in (*material.others, (material.part, content)):
            archive.writestr(name, other)
    return file.getvalue()


def _repeated(material: Material, size: int) -> bytes:
    return _whole(material, material.unit * (size // len(material.unit.encode())))


def _tarred(members: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


def _zipped(members: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


_PACKERS: Mapping[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lambda data: lzma.compress(data, preset=0),
}


def packed(ending: str, members: Mapping[str, bytes]) -> bytes:
    """An archive with this ending; a packed file has the first of the members only."""
    if ending == ".zip":
        return _zipped(members)
    data = _tarred(members) if ending.startswith(".tar") else next(iter(members.values()))
    pack = _PACKERS.get(f".{ending.rsplit('.', 1)[-1]}")
    return pack(data) if pack else data


def _material(reader: Reader) -> bool:
    return reader.material is not None


def _is_archive(reader: Reader) -> bool:
    return reader.way == "archive"


def _of(reader: Reader) -> Material:
    assert reader.material is not None
    return reader.material


def _cut(path: Path, reader: Reader, chance: random.Random) -> None:
    whole = _repeated(_of(reader), 20_000) if reader.material else packed(reader.ending, {"a.srt": 500 * _TEXT})
    path.write_bytes(whole[: chance.randrange(len(whole) // 4, len(whole) - 1)])


def _flipped(path: Path, reader: Reader, chance: random.Random) -> None:
    whole = bytearray(
        _repeated(_of(reader), 20_000) if reader.material else packed(reader.ending, {"a.srt": 500 * _TEXT})
    )
    for _ in range(20):
        whole[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    path.write_bytes(whole)


SHAPES = (
    Shape("empty", lambda path, reader, chance: path.write_bytes(b"")),
    Shape("a FIFO", lambda path, reader, chance: os.mkfifo(path)),
    Shape("noise", lambda path, reader, chance: path.write_bytes(chance.randbytes(1_000_000))),
    Shape("zeros", lambda path, reader, chance: path.write_bytes(bytes(_HUGE))),
    Shape("another type: SQLite", lambda path, *_: path.write_bytes(b"SQLite format 3\0" + bytes(5_000))),
    Shape("another type: ZIP", lambda path, *_: path.write_bytes(_zipped({"x.bin": bytes(100)}))),
    Shape("another type: gzip", lambda path, *_: path.write_bytes(gzip.compress(bytes(200_000_000), 1))),
    Shape("one long line", lambda path, *_: path.write_bytes(_HUGE * b"a")),
    Shape("cut", _cut, lambda reader: _material(reader) or _is_archive(reader)),
    Shape("damaged", _flipped, lambda reader: _material(reader) or _is_archive(reader)),
    Shape("large", lambda path, reader, _: path.write_bytes(_repeated(_of(reader), _LARGE)), _material),
    Shape("huge", lambda path, reader, _: path.write_bytes(_repeated(_of(reader), _HUGE)), _material),
    Shape(
        "nested",
        lambda path, reader, _: path.write_bytes(_nested(_of(reader))),
        lambda reader: reader.material is not None and reader.material.nest is not None,
    ),
    Shape(
        "a bomb",
        lambda path, reader, _: path.write_bytes(packed(reader.ending, {"a.srt": bytes(300_000_000)})),
        _is_archive,
    ),
    Shape(
        "names with paths",
        lambda path, reader, _: path.write_bytes(
            packed(reader.ending, dict.fromkeys(("../../a.srt", "/tmp/a.srt", "C:\\a.srt", "a/../../b.srt"), _TEXT))
        ),
        lambda reader: reader.ending.startswith((".zip", ".tar")),
    ),
    Shape(
        "many members",
        lambda path, reader, _: path.write_bytes(
            packed(reader.ending, {f"{number}.srt": b"" for number in range(100_001)})
        ),
        lambda reader: reader.ending in (".zip", ".tar.gz"),
    ),
    Shape(
        "an archive within one",
        lambda path, reader, _: path.write_bytes(
            packed(reader.ending, {"a.zip": packed(".zip", {"b.zip": packed(".zip", {"c.srt": _TEXT})})})
        ),
        _is_archive,
    ),
)


def _nested(material: Material) -> bytes:
    assert material.nest is not None
    opens, closes = material.nest
    return _whole(material, _DEPTH * opens + material.unit.rstrip(",\n") + _DEPTH * closes)


ATTACKS = tuple((reader, shape) for reader in READERS for shape in SHAPES if shape.needs(reader))
