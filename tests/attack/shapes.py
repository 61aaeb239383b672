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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from tests.attack.anki_collection import collection_of, many_cards
from tests.attack.readers import READERS, Material, Reader

_LARGE, _HUGE = 1_000_000, 62_000_000
"""Bytes of a file that is read to its end, and of one as large as is taken at all."""
_MANY = 4_000_000
"""Bytes of the texts of a collection of 300 000 notes."""
_DEPTH = 100_000
_TEXT = b"1\n00:00:01,000 --> 00:00:02,000\nText.\n\n"


def is_any(reader: Reader) -> bool:
    """What shapes need that any file can have."""
    return True


@dataclass(frozen=True, slots=True)
class Shape:
    """A hostile shape: ``content`` of a file for a reader; ``needs`` is what its files must have for it.

    ``place`` is how it comes to a path where it is no ordinary file.
    """

    name: str
    content: Callable[[Reader, random.Random], bytes] = lambda reader, chance: b""
    needs: Callable[[Reader], bool] = is_any
    place: Callable[[Path], object] | None = None

    def make(self, path: Path, reader: Reader, chance: random.Random) -> None:
        """Write a file of this shape, with what the reader's files have beside them."""
        if self.place is not None:
            self.place(path)
            return
        path.write_bytes(self.content(reader, chance))
        if reader.material is not None and reader.material.beside is not None:
            ending, text = reader.material.beside
            path.with_suffix(ending).write_text(text, "utf-8")


def _whole(material: Material, body: str) -> bytes:
    content = material.made(f"{material.begin}{body}{material.end}")
    return zipped({**dict(material.others), material.part: content}) if material.part else content


def _repeated(material: Material, size: int) -> bytes:
    times = size // len(material.unit.encode())
    if "№" not in material.unit:
        return _whole(material, material.unit * times)
    return _whole(material, "".join(material.unit.replace("№", str(number)) for number in range(times)))


def _tarred(members: Mapping[str, bytes], links: Iterable[tuple[str, str]] = ()) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for kind, (name, target) in product((tarfile.SYMTYPE, tarfile.LNKTYPE), links):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, target
            archive.addfile(entry)
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


def zipped(members: Mapping[str, bytes | str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


_PACKERS: Mapping[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lambda data: lzma.compress(data, preset=0),
}


def _packed(reader: Reader, members: Mapping[str, bytes], links: Iterable[tuple[str, str]] = ()) -> bytes:
    """An archive with the reader's ending; a packed file has the first of the members only."""
    if reader.ending == ".zip":
        return zipped(members)
    data = _tarred(members, links) if reader.ending.startswith(".tar") else next(iter(members.values()))
    return _PACKERS.get(reader.ending.rpartition(".")[2], bytes)(data)


def _has_material(reader: Reader) -> bool:
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


def _of(reader: Reader) -> Material:
    assert reader.material is not None
    return reader.material


def _looping(reader: Reader) -> Material:
    looping = _of(reader).loop()
    assert looping is not None
    return looping


def _some(reader: Reader) -> bytes:
    return _repeated(_of(reader), 20_000) if reader.material else _packed(reader, {"a.srt": 500 * _TEXT})


def _cut(reader: Reader, chance: random.Random) -> bytes:
    whole = _some(reader)
    return whole[: chance.randrange(len(whole) // 4, len(whole) - 1)]


def _flip(reader: Reader, chance: random.Random) -> bytes:
    whole = bytearray(_some(reader))
    for _ in range(20):
        whole[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    return bytes(whole)


def _nest(reader: Reader, chance: random.Random) -> bytes:
    material = _of(reader)
    assert material.nest is not None
    opens, closes = material.nest
    return _whole(material, _DEPTH * opens + material.unit.rstrip(",\n") + _DEPTH * closes)


def _loop_list(reader: Reader, chance: random.Random) -> bytes:
    whole = _repeated(_of(reader), _LARGE) if reader.material else zipped({"a.srt": _LARGE // len(_TEXT) * _TEXT})
    return list_often(whole, 50_000)


def list_often(whole: bytes, times: int) -> bytes:
    """The ZIP file whose list has its last entry so many times more."""
    end = whole.rindex(b"PK\5\6")
    listed = int.from_bytes(whole[end + 16 : end + 20], "little")
    entries = whole[listed:end] + times * whole[whole.rindex(b"PK\1\2", listed, end) : end]
    count = min(0xFFFF, times + whole.count(b"PK\1\2", listed))
    return (
        whole[:listed] + entries + whole[end : end + 8] + struct.pack("<HHLLH", count, count, len(entries), listed, 0)
    )


_LINKS = (("a.srt", "a.srt"), ("b.srt", "c.srt"), ("c.srt", "b.srt"), *((f"{at}.srt", "d.srt") for at in range(1_000)))
"""Links that lead to themselves, to each other, and all to one member."""
_PATHS = ("../../a.srt", "/tmp/a.srt", "C:\\a.srt", "a/../../b.srt")

SHAPES = (
    Shape("empty"),
    Shape("a FIFO", place=os.mkfifo),
    Shape("a link to itself", place=lambda path: path.symlink_to(path)),
    Shape("noise", lambda _, chance: chance.randbytes(1_000_000)),
    Shape("zeros", lambda *_: bytes(_HUGE)),
    Shape("another type: SQLite", lambda *_: b"SQLite format 3\0" + bytes(5_000)),
    Shape("another type: ZIP", lambda *_: zipped({"x.bin": bytes(100)})),
    Shape("another type: gzip", lambda *_: gzip.compress(bytes(200_000_000), 1)),
    Shape("one long line", lambda *_: _HUGE * b"a"),
    Shape(
        "one emoji at the end",  # Python holds four bytes for each character of such a text where it holds all of it
        lambda reader, _: _repeated(replace(_of(reader), end=f"😀{_of(reader).end}"), _huge(reader)),
        lambda reader: _has_material(reader) and not _is_zip(reader),
    ),
    Shape("cut", _cut, lambda reader: _has_material(reader) or _is_archive(reader)),
    Shape("damaged", _flip, lambda reader: _has_material(reader) or _is_archive(reader)),
    Shape("large", lambda reader, _: _repeated(_of(reader), _LARGE), _has_material),
    Shape("huge", lambda reader, _: _repeated(_of(reader), _huge(reader)), _has_material),
    Shape("nested", _nest, lambda reader: reader.material is not None and reader.material.nest is not None),
    Shape(
        "nested note types",
        lambda reader, _: _repeated(replace(_of(reader), begin=f"{_DEPTH * '['}1{_DEPTH * ']'}\n"), 20_000),
        _is_collection,
    ),
    Shape("a note of 45 MB", lambda reader, _: _whole(_of(reader), f"Wort\x1f{45_000_000 * 'x'}\n"), _is_collection),
    Shape(
        "many cards of a note", lambda reader, _: _repeated(replace(_of(reader), made=many_cards), 30), _is_collection
    ),
    Shape(
        "looping",
        lambda reader, _: _repeated(_looping(reader), _LARGE),
        lambda reader: reader.material is not None and reader.material.loop() is not None,
    ),
    Shape(
        "looping links",
        lambda reader, _: _packed(reader, {"d.srt": _TEXT}, _LINKS),
        lambda reader: reader.ending.startswith(".tar"),
    ),
    Shape("looping list", _loop_list, _is_zip),
    Shape(
        "a bomb in it",
        lambda reader, _: _whole(replace(_of(reader), made=_bomb), ""),
        lambda reader: reader.material is not None and bool(reader.material.part),
    ),
    Shape(
        "a bomb of it",
        lambda reader, _: gzip.compress(_repeated(_of(reader), 2 * _HUGE), 1),
        lambda reader: _has_material(reader) and not _is_zip(reader) and reader.way in ("dictionary", "note_lines"),
    ),
    Shape("a bomb", lambda reader, _: _packed(reader, {"a.srt": bytes(300_000_000)}), _is_archive),
    Shape(
        "names with paths",
        lambda reader, _: _packed(reader, dict.fromkeys(_PATHS, _TEXT)),
        lambda reader: reader.ending.startswith((".zip", ".tar")),
    ),
    Shape(
        "many members",
        lambda reader, _: _packed(reader, {f"{number}.srt": b"" for number in range(100_001)}),
        lambda reader: reader.ending in (".zip", ".tar.gz"),
    ),
    Shape(
        "an archive within one",
        lambda reader, _: _packed(reader, {"a.zip": zipped({"b.zip": zipped({"c.srt": _TEXT})})}),
        _is_archive,
    ),
)
ATTACKS = tuple((reader, shape) for reader in READERS for shape in SHAPES if shape.needs(reader))
