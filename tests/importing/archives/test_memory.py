"""Archives made to fill the memory: what is unpacked, listed and said of members is counted."""

from __future__ import annotations

import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from struct import pack
from zlib import crc32

import pytest

from tests.watching import MAX_MB, watch

pytestmark = pytest.mark.exhaustive

_READ = """
import sys
from pathlib import Path
from tui.errors import ImportRefused
from tui.importing.archive import MemberReader, list_contents
from tui.importing.parse import MAX_BYTES, parse
from tui.dictionaries.formats import open_dictionary
from tui.vocabulary.formats import open_vocabulary
path = Path(sys.argv[1])
def told(read):
    try:
        print(read())
    except ImportRefused as error:
        print(error.message[:300])
def member():
    found = list_contents(path)
    if found is None:
        return parse(path.name, path.read_bytes()).format
    return len(MemberReader().read(found[0], MAX_BYTES))
def dictionary():
    with open_dictionary(path) as file:
        return sum(1 for _ in file.rows(lambda share: None))
def words():
    with open_vocabulary(path, path.parent) as file:
        return file.offer()
for read in (member, dictionary, words):
    told(read)
"""


def zipped(path: Path, kind: int, *names: str) -> None:
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name in names:
            archive.writestr(name, 400_000_000 * b" ")


def listing(path: Path, start: tuple[str, ...] = ()) -> None:
    """A ZIP file that lists one empty member a million times, in 62 MB."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in start:
            archive.writestr(name, b"")
        archive.writestr("a", b"")
    data = file.getvalue()
    at, end = data.rfind(b"PK\x01\x02"), data.rfind(b"PK\x05\x06")
    listed = data[data.find(b"PK\x01\x02") : at] + 1_000_000 * data[at:end]
    path.write_bytes(
        data[: data.find(b"PK\x01\x02")]
        + listed
        + pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 2, 2, len(listed), data.find(b"PK\x01\x02"), 0)
    )


def pax(path: Path) -> None:
    """A tar archive of 10 000 members of which 60 kB are said each."""
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for number in range(10_000):
            entry = tarfile.TarInfo(f"{number}.srt")
            entry.pax_headers = {"comment": 60_000 * "x"}
            archive.addfile(entry)


def xz(path: Path) -> None:
    """An xz file that says it needs a gigabyte and a half, of 300 MB that no earlier byte of comes again soon."""
    packed = bytearray(lzma.compress(300_000_000 * b"x", filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]))
    header = packed[12 : 12 + (packed[12] + 1) * 4]
    at = header.index(b"\x21\x01") + 2  # the filter's id and the size of its properties
    header[at] = 37
    header[-4:] = pack("<L", crc32(header[:-4]))
    packed[12 : 12 + len(header)] = header
    path.write_bytes(packed)


_EPUB = ("mimetype", "META-INF/container.xml")
_ARCHIVES: dict[str, Callable[[Path], None]] = {
    "bzip2.zip": lambda path: zipped(path, zipfile.ZIP_BZIP2, "a.srt"),
    "lzma.zip": lambda path: zipped(path, zipfile.ZIP_LZMA, "a.srt"),
    "bzip2.epub": lambda path: zipped(path, zipfile.ZIP_BZIP2, *_EPUB),
    "deflated.epub": lambda path: zipped(path, zipfile.ZIP_DEFLATED, *_EPUB),
    "bzip2 dictionary.zip": lambda path: zipped(path, zipfile.ZIP_BZIP2, "index.json", "term_bank_1.json"),
    "bzip2.apkg": lambda path: zipped(path, zipfile.ZIP_BZIP2, "collection.anki2", "meta"),
    "listing.zip": listing,
    "listing.epub": lambda path: listing(path, _EPUB),
    "listing dictionary.zip": lambda path: listing(path, ("index.json", "term_bank_1.json")),
    "pax.tar.gz": pax,
    "large.xz": xz,
}


@pytest.mark.parametrize("name", _ARCHIVES)
def test_no_archive_takes_more_than_it_may(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    _ARCHIVES[name](path)
    found = watch(_READ, path, seconds=120)
    assert found.code == 0, found.out
    assert found.megabytes < MAX_MB, found.out
    assert not [each for each in tmp_path.iterdir() if each != path]
