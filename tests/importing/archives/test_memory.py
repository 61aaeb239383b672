"""Archives made to fill the memory: what is unpacked, listed and said of members is counted."""

from __future__ import annotations

import io
import lzma
import tarfile
import tracemalloc
import zipfile
from functools import cache
from pathlib import Path
from struct import pack
from zlib import crc32

import pytest

from tests.attack.shapes import list_often, zipped
from tests.watching import MAX_MB, watch
from tui.importing.archive import list_contents

_READ = """
import sys
from tests.attack.reading import main
from tests.attack.shapes import list_often, zipped
from tests.watching import peak_megabytes
for path in sys.argv[1:]:
    for way in ("text", "archive", "dictionary", "words"):
        print(way, path, main(way, path), f"{peak_megabytes('self'):.0f} MB so far")
"""
_BOMB = 230_000_000
"""Bytes, more than any reader may take."""


@cache
def _packed(kind: int) -> tuple[bytes, int]:
    """So many spaces as ZIP files have them, and their checksum."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as archive:
        archive.writestr("x", _BOMB * b" ")
        (entry,) = archive.infolist()
    return file.getvalue()[31 : 31 + entry.compress_size], entry.CRC


def bombs(path: Path, kind: int, *names: str) -> None:
    packed, checksum = _packed(kind)
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, packed)
            entry = archive.getinfo(name)  # whose list is written at last
            entry.compress_type, entry.file_size, entry.CRC = kind, _BOMB, checksum


def listing(path: Path, *names: str) -> None:
    """A ZIP file that lists one empty member a million times, in 62 MB."""
    path.write_bytes(list_often(zipped(dict.fromkeys((*names, "a"), "")), 1_000_000))


def xz(path: Path) -> None:
    """An xz file that says it needs a gigabyte and a half, of 230 MB that no earlier byte of comes again soon."""
    packed = bytearray(lzma.compress(_BOMB * b"x", filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]))
    header = packed[12 : 12 + (packed[12] + 1) * 4]
    at = header.index(b"\x21\x01") + 2  # the filter's id and the size of its properties
    header[at] = 37
    header[-4:] = pack("<L", crc32(header[:-4]))
    packed[12 : 12 + len(header)] = header
    path.write_bytes(packed)


@pytest.mark.exhaustive
def test_no_archive_takes_more_than_it_may(tmp_path: Path) -> None:
    """One process reads all of them, in every way."""
    epub = ("mimetype", "META-INF/container.xml")
    bombs(tmp_path / "bzip2.zip", zipfile.ZIP_BZIP2, "a.srt")
    bombs(tmp_path / "bzip2.epub", zipfile.ZIP_BZIP2, *epub)
    bombs(tmp_path / "deflated.epub", zipfile.ZIP_DEFLATED, *epub)
    bombs(tmp_path / "bzip2 dictionary.zip", zipfile.ZIP_BZIP2, "index.json", "term_bank_1.json")
    bombs(tmp_path / "bzip2.apkg", zipfile.ZIP_BZIP2, "collection.anki2", "meta")
    listing(tmp_path / "listing.zip")
    listing(tmp_path / "listing.epub", *epub)
    listing(tmp_path / "listing dictionary.zip", "index.json", "term_bank_1.json")
    xz(tmp_path / "large.xz")
    made = sorted(tmp_path.iterdir())
    found = watch(_READ, *made, seconds=240)
    assert found.code == 0, found.out
    assert found.megabytes < MAX_MB, found.out
    assert sorted(tmp_path.iterdir()) == made


def test_what_a_tar_archive_says_of_its_members_is_not_kept(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w", format=tarfile.PAX_FORMAT) as archive:
        for number in range(200):
            entry = tarfile.TarInfo(f"{number}.srt")
            entry.pax_headers = {"comment": 60_000 * "x"}
            archive.addfile(entry)
    tracemalloc.start()
    try:
        assert len(list_contents(tmp_path / "a.tar") or ()) == 200
        assert tracemalloc.get_traced_memory()[1] < 3_000_000, "of twelve million characters"
    finally:
        tracemalloc.stop()
