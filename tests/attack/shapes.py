"""Hostile shapes of files: one table, from which each reader gets those that its files can have."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tests.attack.anki_collection import collection_of, many_cards
from tests.attack.readers import READERS, Material, Reader

_LARGE, _HUGE = 1_000_000, 62_000_000
"""Bytes of a file that is read to its end, and of one as large as is taken at all."""
_MANY = 4_000_000
"""Bytes of the texts of a collection of 300 000 notes."""
_DEPTH = 100_000
_TEXT = b"1\n00:00:01,000 --> 00:00:02,000\nText.\n\n"


@dataclass(frozen=True, slots=True)
class Shape:
    """A hostile shape: ``make`` writes a file of it; ``needs`` is what a reader's files must have for it."""

    name: str
    make: Callable[[Path, Reader, random.Random], object]
    needs: Callable[[Reader], bool] = lambda reader: True


def _whole(material: Material, body: str) -> bytes:
    content = material.made(f"{material.begin}{body}{material.end}")
    return _zipped({**dict(material.others), material.part: content}) if material.part else content


def _repeated(material: Material, size: int) -> bytes:
    times = size // len(material.unit.encode())
    if "№" not in material.unit:
        return _whole(material, material.unit * times)
    return _whole(material, "".join(material.unit.replace("№", str(number)) for number in range(times)))


def _write(path: Path, material: Material, data: bytes) -> None:
    path.write_bytes(data)
    if material.beside:
        ending, text = material.beside
        path.with_suffix(ending).write_text(text, "utf-8")


def _write_repeated(path: Path, material: Material, size: int) -> None:
    _write(path, material, _repeated(material, size))


def _tarred(members: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


def _zipped(members: Mapping[str, bytes | str]) -> bytes:
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


def _is_zip(reader: Reader) -> bool:
    return reader.ending == ".zip" or (reader.material is not None and bool(reader.material.part))


def _is_collection(reader: Reader) -> bool:
    return reader.material is not None and reader.material.made is collection_of


def _huge(reader: Reader) -> int:
    if _is_collection(reader):
        return _MANY
    if reader.name == "words list":
        return 24_000_000  # and the numbers of its words
    return _HUGE // 2 if reader.way == "text" and _is_zip(reader) else _HUGE  # parts of documents may have half as much


def _bomb(text: str) -> bytes:
    return text.encode() + bytes(300_000_000)


def _looping(reader: Reader) -> Material:
    looping = _of(reader).looping
    assert looping is not None
    return looping


def _of(reader: Reader) -> Material:
    assert reader.material is not None
    return reader.material


def _some(reader: Reader) -> bytes:
    return _repeated(_of(reader), 20_000) if reader.material else packed(reader.ending, {"a.srt": 500 * _TEXT})


def _emoji(path: Path, reader: Reader, chance: random.Random) -> None:
    """Text of which Python holds four bytes for each character where it holds all of it."""
    material = _of(reader)
    _write(path, material, _repeated(replace(material, end=f"😀{material.end}"), _huge(reader)))


def _cut(path: Path, reader: Reader, chance: random.Random) -> None:
    whole = _some(reader)
    _write(path, reader.material or Material(), whole[: chance.randrange(len(whole) // 4, len(whole) - 1)])


def _flipped(path: Path, reader: Reader, chance: random.Random) -> None:
    whole = bytearray(_some(reader))
    for _ in range(20):
        whole[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    _write(path, reader.material or Material(), bytes(whole))


def _nested(path: Path, reader: Reader, chance: random.Random) -> None:
    material = _of(reader)
    assert material.nest is not None
    opens, closes = material.nest
    _write(path, material, _whole(material, _DEPTH * opens + material.unit.rstrip(",\n") + _DEPTH * closes))


def _nested_note_types(path: Path, reader: Reader, chance: random.Random) -> None:
    _write_repeated(path, replace(_of(reader), begin=f"{_DEPTH * '['}1{_DEPTH * ']'}\n"), 20_000)


def _looping_tar(path: Path, reader: Reader, chance: random.Random) -> None:
    """Links that lead to themselves, to each other, and all to one member."""
    links = [("a.srt", "a.srt"), ("b.srt", "c.srt"), ("c.srt", "b.srt")]
    links += [(f"{number}.srt", "d.srt") for number in range(1_000)]
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            for name, target in links:
                entry = tarfile.TarInfo(name)
                entry.type, entry.linkname = kind, target
                archive.addfile(entry)
        entry = tarfile.TarInfo("d.srt")
        entry.size = len(_TEXT)
        archive.addfile(entry, io.BytesIO(_TEXT))
    path.write_bytes(_PACKERS.get(f".{reader.ending.rsplit('.', 1)[-1]}", bytes)(file.getvalue()))


def _looping_zip(path: Path, reader: Reader, chance: random.Random) -> None:
    """Fifty thousand entries of the list that lead to the one member, of a megabyte."""
    whole = _repeated(_of(reader), _LARGE) if reader.material else _zipped({"a.srt": _LARGE // len(_TEXT) * _TEXT})
    end = whole.rindex(b"PK\5\6")
    listed = int.from_bytes(whole[end + 16 : end + 20], "little")
    last = whole.rindex(b"PK\1\2", listed, end)
    entries = whole[listed:end] + 50_000 * whole[last:end]
    count = (50_000 + whole.count(b"PK\1\2", listed)).to_bytes(2, "little")
    path.write_bytes(
        whole[:listed] + entries + whole[end : end + 8] + 2 * count + struct.pack("<LLH", len(entries), listed, 0)
    )


SHAPES = (
    Shape("empty", lambda path, reader, chance: path.write_bytes(b"")),
    Shape("a FIFO", lambda path, reader, chance: os.mkfifo(path)),
    Shape("noise", lambda path, reader, chance: path.write_bytes(chance.randbytes(1_000_000))),
    Shape("zeros", lambda path, reader, chance: path.write_bytes(bytes(_HUGE))),
    Shape("another type: SQLite", lambda path, *_: path.write_bytes(b"SQLite format 3\0" + bytes(5_000))),
    Shape("another type: ZIP", lambda path, *_: path.write_bytes(_zipped({"x.bin": bytes(100)}))),
    Shape("another type: gzip", lambda path, *_: path.write_bytes(gzip.compress(bytes(200_000_000), 1))),
    Shape("one long line", lambda path, *_: path.write_bytes(_HUGE * b"a")),
    Shape("one emoji at the end", _emoji, lambda reader: _material(reader) and not _is_zip(reader)),
    Shape("cut", _cut, lambda reader: _material(reader) or _is_archive(reader)),
    Shape("damaged", _flipped, lambda reader: _material(reader) or _is_archive(reader)),
    Shape("large", lambda path, reader, _: _write_repeated(path, _of(reader), _LARGE), _material),
    Shape("huge", lambda path, reader, _: _write_repeated(path, _of(reader), _huge(reader)), _material),
    Shape("nested", _nested, lambda reader: reader.material is not None and reader.material.nest is not None),
    Shape("nested note types", _nested_note_types, _is_collection),
    Shape(
        "a note of 45 MB",
        lambda path, reader, _: path.write_bytes(_whole(_of(reader), f"Wort\x1f{45_000_000 * 'x'}\n")),
        _is_collection,
    ),
    Shape(
        "many cards of a note",
        lambda path, reader, _: _write_repeated(path, replace(_of(reader), made=many_cards), 30),
        _is_collection,
    ),
    Shape("a link to itself", lambda path, *_: path.symlink_to(path)),
    Shape(
        "looping",
        lambda path, reader, _: _write_repeated(path, _looping(reader), _LARGE),
        lambda reader: reader.material is not None and reader.material.looping is not None,
    ),
    Shape("looping links", _looping_tar, lambda reader: reader.ending.startswith(".tar")),
    Shape("looping list", _looping_zip, _is_zip),
    Shape(
        "a bomb in it",
        lambda path, reader, _: path.write_bytes(_whole(replace(_of(reader), made=_bomb), "")),
        lambda reader: reader.material is not None and bool(reader.material.part),
    ),
    Shape(
        "a bomb of it",
        lambda path, reader, _: _write(path, _of(reader), gzip.compress(_repeated(_of(reader), 2 * _HUGE), 1)),
        lambda reader: _material(reader) and not _is_zip(reader) and reader.way in ("dictionary", "note_lines"),
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


ATTACKS = tuple((reader, shape) for reader in READERS for shape in SHAPES if shape.needs(reader))
