"""Archives as directories: told by their content, names in any encoding; hostile are refused, none fills memory."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest

from tests.attack import shapes
from tests.importing.archives.making import encrypted, rename, story, tarred, zipped
from tests.watching import MAX_MB, watch
from tui.errors import ImportRefused
from tui.importing import archive_member
from tui.importing.archive import MemberReader, list_contents
from tui.importing.sources import find_files

MOST = 64_000_000
SEASON = {f"Dark/Season 1/{number:02}.srt": story(str(number)) for number in (1, 2, 3)}


def inside(path: Path) -> list[str]:
    found = list_contents(path)
    assert found is not None
    return [each.relative_to(path).as_posix() for each in found]


def read(path: Path) -> bytes:
    reader = MemberReader()
    try:
        return reader.read(path, MOST)
    finally:
        reader.close()


def refusal(path: Path) -> str:
    with pytest.raises(ImportRefused) as caught:
        read(path)
    assert path.name in caught.value.message
    assert caught.value.hint
    return caught.value.message


PACKERS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.tar.bz2", "a.tar.xz", "without ending"])
def test_an_archive_holds_its_subtitles_and_texts_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    members = {**SEASON, "Dark/cover.jpg": b"\xff\xd8\xff", "Dark/.hidden.srt": b"x", "__MACOSX/._01.srt": b"x"}
    path = tmp_path / name
    if ".tar" in name:
        tarred(path, members, mode=f"w:{name.partition('.tar')[2][1:]}")
    else:
        zipped(path, members)
    assert inside(path) == sorted(SEASON)
    reader = MemberReader()
    for place, data in reversed(SEASON.items()):
        assert reader.read(path / place, MOST) == data, "in any order"
    reader.close()
    assert os.listdir(tmp_path) == [name], "nothing of it is written outside"


def test_a_single_compressed_file_is_an_archive_of_one(tmp_path: Path) -> None:
    for ending, pack in PACKERS.items():
        path = tmp_path / f"film.de.srt{ending}"
        path.write_bytes(pack(story("a")))
        assert inside(path) == ["film.de.srt"]
        assert read(path / "film.de.srt") == story("a")


def test_an_epub_or_a_docx_is_a_document_and_no_archive(tmp_path: Path) -> None:
    for document in ("mimetype", "[Content_Types].xml", "META-INF/container.xml"):
        assert list_contents(zipped(tmp_path / "book.zip", {document: b"x", "text/a.txt": b"x"})) is None
    (tmp_path / "plain.srt").write_bytes(story("a"))
    assert list_contents(tmp_path / "plain.srt") is None


def test_names_are_read_in_the_encoding_of_the_system_that_wrote_them(tmp_path: Path) -> None:
    for encoding, name in {
        "cp932": "孤独のグルメ 第３話 東京都豊島区.srt",
        "cp866": "Диверсант 3 серия Конец войны.srt",
        "gb18030": "琅琊榜第三集风起金陵.srt",
        "cp949": "시그널 제삼회 과거에서 온 무전.srt",
        "utf-8": "Dix pour cent Épisode 3.srt",
    }.items():
        written = name.encode(encoding)
        path = zipped(tmp_path / "a.zip", {"x" * len(written): story("a"), "b.srt": story("b")})
        rename(path, {b"x" * len(written): written})
        assert inside(path) == sorted(["b.srt", name])
        assert read(path / name) == story("a")
        entry = tarfile.TarInfo(os.fsdecode(written))
        assert inside(tarred(tmp_path / "a.tar", {entry: story("a"), "b.srt": story("b")})) == sorted(["b.srt", name])


def test_a_flagged_name_is_utf_8_and_an_unflagged_one_that_is_nothing_else_is_code_page_437(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"字幕.srt": story("a")})
    assert inside(path) == ["字幕.srt"]
    rename(zipped(path, {"Caf?.srt": story("a")}), {b"Caf?": "Café".encode("cp437")})
    assert len(inside(path)) == 1


def test_a_name_is_one_line_and_of_two_of_the_same_name_the_last_counts(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a\nb\x1b[31m.srt": story("a"), "c.srt": story("1"), "./c.srt": story("2")})
    assert inside(path) == ["a b.srt", "c.srt"]
    assert read(path / "c.srt") == story("2")
    assert inside(zipped(path, {"Dark\\Season 1\\03.srt": story("a")})) == ["Dark/Season 1/03.srt"]


def test_a_path_that_leaves_the_archive_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "out.srt").write_bytes(story("secret"))
    for name in ("../out.srt", "a/../../out.srt", "/etc/out.srt", "C:\\out.srt", "..\\out.srt"):
        members = {name: story("a"), "good.srt": story("b")}
        for path in (zipped(tmp_path / "a" / "a.zip", members), tarred(tmp_path / "a" / "a.tar", members)):
            (bad,) = [place for place in inside(path) if place != "good.srt"]
            assert ".." not in Path(bad).parts, name
            assert "leads out of the archive" in refusal(path / bad)
            assert read(path / "good.srt") == story("b"), "it keeps no other back"


def test_a_name_longer_than_any_files_is_refused(tmp_path: Path) -> None:
    members = {" _" * 20_000 + ".srt": story("a"), "x" * 300 + ".zip": b"", "b.srt": story("b")}
    path = zipped(tmp_path / "a.zip", members)
    good, *bad = sorted(inside(path), key=len)
    assert (good, len(bad)) == ("b.srt", 2)
    for place in bad:
        assert "longer than that of any file" in refusal(path / place)


def test_links_and_devices_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "secret.srt").write_bytes(story("secret"))
    link, device = tarfile.TarInfo("link.srt"), tarfile.TarInfo("zero.srt")
    link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path / "secret.srt")
    device.type = tarfile.CHRTYPE
    path = tarred(tmp_path / "a.tar", {link: b"", device: b"", "good.srt": story("b")})
    for name in ("link.srt", "zero.srt"):
        assert "a link or a device" in refusal(path / name)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        entry = zipfile.ZipInfo("link.srt")
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, str(tmp_path / "secret.srt"))
        archive.writestr("good.srt", story("b"))
    assert "a link or a device" in refusal(tmp_path / "a.zip" / "link.srt")


def test_an_archive_that_is_encrypted_or_packed_otherwise_is_refused_as_a_whole(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=r"a\.zip .*it is encrypted"):
        list_contents(encrypted(zipped(tmp_path / "a.zip", SEASON)))
    for kind in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with zipfile.ZipFile(tmp_path / "b.zip", "w", kind) as archive:
            archive.writestr("a.srt", story("a"))
        with pytest.raises(ImportRefused, match=r"b\.zip .*it is packed in a way that Lode does not unpack"):
            list_contents(tmp_path / "b.zip")


def test_an_archive_in_an_archive_is_named_and_not_opened(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", SEASON).read_bytes()
    path = zipped(tmp_path / "outer.zip", {"inner.zip": inner, "inner.rar": b"Rar!", "good.srt": story("b")})
    assert inside(path) == ["good.srt", "inner.rar", "inner.zip"]
    for name in ("inner.zip", "inner.rar"):
        assert "an archive within an archive" in refusal(path / name)


def test_a_dictionary_is_told_apart_and_how_it_is_added(tmp_path: Path) -> None:
    for bank in ("term_bank_1.json", "term_meta_bank_1.json"):
        with pytest.raises(ImportRefused, match=r"wty\.zip is a dictionary") as refused:
            list_contents(zipped(tmp_path / "wty.zip", {"index.json": b"{}", bank: b"[]"}))
        assert "lode dictionaries add" in refused.value.hint
    assert list_contents(zipped(tmp_path / "texts.zip", {"index.json": b"{}", "a.txt": b"Ein Satz."})) is not None


def test_an_archive_with_nothing_to_import_says_so(tmp_path: Path) -> None:
    for members in ({"cat.png": b"x"}, {}):
        with pytest.raises(ImportRefused, match=r"a\.zip holds no subtitles"):
            list_contents(zipped(tmp_path / "a.zip", members))


def test_a_member_that_was_made_to_fill_the_disk_is_refused_without_being_unpacked(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"bomb.srt": b"\0" * 30_000_000, "good.srt": story("b")})
    assert "times its size" in refusal(path / "bomb.srt")
    assert read(path / "good.srt") == story("b")


def test_a_member_of_two_gigabytes_is_refused_before_a_byte_of_it_is_read(tmp_path: Path) -> None:
    entry = tarfile.TarInfo("huge.srt")
    entry.size = 2_000_000_000
    path = tmp_path / "a.tar"
    path.write_bytes(entry.tobuf())
    os.truncate(path, 512 + entry.size)
    with pytest.raises(ImportRefused, match=r"a\.tar unpacks to more than 1 GB"):
        list_contents(path)
    assert "more than 64 MB" in refusal(path / "huge.srt")


def test_an_archive_of_more_than_anyone_has_is_refused_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = zipped(tmp_path / "a.zip", {f"{number}.srt": os.urandom(400_000) for number in range(3)})
    monkeypatch.setattr(archive_member, "MAX_UNPACKED", 1_000_000)
    with pytest.raises(ImportRefused, match=r"a\.zip unpacks to more than") as caught:
        list_contents(path)
    assert caught.value.code == "too_large"
    monkeypatch.setattr(archive_member, "MAX_WANTED", 2)
    with pytest.raises(ImportRefused, match=r"a\.zip holds more than 2 files"):
        list_contents(path)
    monkeypatch.setattr(archive_member, "MAX_MEMBERS", 2)
    with pytest.raises(ImportRefused, match=r"a\.zip holds more than"):
        list_contents(path)


def test_a_compressed_stream_is_unpacked_no_further_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_member, "MAX_UNPACKED", 300_000)
    for ending, pack in PACKERS.items():
        path = tmp_path / f"bomb.srt{ending}"
        path.write_bytes(pack(b"\0" * 1_000_000))
        with pytest.raises(ImportRefused, match="unpacks to more than"):
            list_contents(path)
    monkeypatch.setattr(archive_member, "MAX_PACKED", 100)
    with pytest.raises(ImportRefused, match="too much to look into"):
        list_contents(path)


def test_a_list_of_members_that_would_fill_the_memory_is_not_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", SEASON)
    data = bytearray(path.read_bytes())
    struct.pack_into("<L", data, data.rfind(b"PK\x05\x06") + 12, 500_000_000)
    path.write_bytes(data)
    with pytest.raises(ImportRefused, match=r"a\.zip holds more than"):
        list_contents(path)


def test_a_header_that_claims_gigabytes_or_leads_back_is_no_endless_one(tmp_path: Path) -> None:
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 2_000_000_000
    path = tmp_path / "a.tar"
    path.write_bytes(header.tobuf(tarfile.GNU_FORMAT) + b"\0" * 4096)
    with pytest.raises(ImportRefused, match=r"a\.tar is damaged"):
        list_contents(path)
    entry = tarfile.TarInfo("a.srt")
    block = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    block[124:136] = b"\xff" * 4 + struct.pack(">q", -512)
    checksum = sum(block[:148]) + sum(block[156:512]) + 8 * 32
    block[148:156] = f"{checksum:06o}\0 ".encode()
    path.write_bytes(bytes(block) + b"\0" * 4096)
    with pytest.raises(ImportRefused, match=r"a\.tar"):
        list_contents(path)


@pytest.mark.parametrize("mode", ["", "w", "w:gz", "w:bz2", "w:xz"], ids=["zip", "tar", "gz", "bz2", "xz"])
def test_a_damaged_archive_is_refused_wherever_it_was_cut_or_changed(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "a.archive"
    good = (tarred(path, SEASON, mode=mode) if mode else zipped(path, SEASON)).read_bytes()
    for at in range(0, len(good), max(1, len(good) // 30)):
        for broken in (good[:at], good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :]):
            path.write_bytes(broken)
            try:
                for place in list_contents(path) or ():
                    read(place)
            except ImportRefused as error:
                assert "a.archive" in error.message


def test_an_archive_that_goes_or_changes_between_is_named(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", SEASON)
    reader = MemberReader()
    first, second, third = [path / place for place in SEASON]
    assert reader.read(first, MOST) == SEASON["Dark/Season 1/01.srt"]
    zipped(path, {"other.srt": story("other"), "Dark/Season 1/03.srt": story("new")})
    with pytest.raises(ImportRefused, match=r"02\.srt in a\.zip cannot be imported: it is no longer there"):
        reader.read(second, MOST)
    assert reader.read(third, MOST) == story("new")
    path.write_bytes(b"plain text")
    with pytest.raises(ImportRefused, match=r"a\.zip is no archive any more"):
        reader.read(third, MOST)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        reader.read(third, MOST)


def test_an_archive_that_is_not_read_says_what_to_do(tmp_path: Path) -> None:
    for signature in (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x01\x00"):
        (tmp_path / "a.archive").write_bytes(signature + bytes(100))
        with pytest.raises(ImportRefused, match="which Lode does not read") as caught:
            list_contents(tmp_path / "a.archive")
        assert "unpack it" in caught.value.hint


def test_a_search_goes_into_archives_and_a_broken_one_keeps_nothing_back(tmp_path: Path) -> None:
    folder = tmp_path / "films"
    zipped(folder / "dark.zip", SEASON)
    zipped(folder / "pictures.zip", {"a.png": b"x"})
    (folder / "broken.zip").write_bytes(b"PK\x03\x04 no")
    (folder / "a.srt").write_bytes(story("a"))
    (folder / "log.gz").write_bytes(gzip.compress(b"x"))

    def found(*given: str) -> list[str]:
        return [str(path.relative_to(folder)) for path in find_files([folder / each for each in given])]

    episodes = [f"dark.zip/Dark/Season 1/{number:02}.srt" for number in (3, 2, 1)]
    for given, its in {
        "": ["a.srt", "broken.zip", *episodes],
        "*.zip": ["broken.zip", *episodes],
        "**/d*.zip": episodes,
        "**/*.srt": ["a.srt"],  # a pattern means what is there by name
        "dark.zip": episodes,
        "dark.zip/Dark/Season 1/02.srt": [episodes[1]],
        "dark.zip/Dark/*/0[12].srt": [episodes[1], episodes[2]],
    }.items():
        assert found(given) == its, given
    for given, said in {
        "dark.zip/99.srt": r"no file .*99\.srt in the archive",
        "a.srt/b.srt": r"there is no file .*a\.srt/b\.srt",
        "broken.zip": r"broken\.zip is damaged",
        "pictures.zip": r"pictures\.zip holds no subtitles",
    }.items():
        with pytest.raises(ImportRefused, match=said):
            found(given)


_READ = """
import sys
from tests.attack.reading import main
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
    path.write_bytes(shapes.list_often(shapes.zipped(dict.fromkeys((*names, "a"), "")), 1_000_000))


def xz(path: Path) -> None:
    """An xz file that says it needs a gigabyte and a half, of 230 MB that no earlier byte of comes again soon."""
    packed = bytearray(lzma.compress(_BOMB * b"x", filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]))
    header = packed[12 : 12 + (packed[12] + 1) * 4]
    at = header.index(b"\x21\x01") + 2  # the filter's id and the size of its properties
    header[at] = 37
    header[-4:] = struct.pack("<L", crc32(header[:-4]))
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
