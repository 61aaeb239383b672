from __future__ import annotations

import gzip
import os
import zipfile
from pathlib import Path

import pytest

from tests.dictionaries import making
from tests.dictionaries.making import info_of, rows_of
from tui.dictionaries.formats import FORMATS
from tui.errors import ImportRefused


def test_formats_are_told_by_content_not_by_name(tmp_path: Path) -> None:
    made = {
        "yomitan": making.yomitan(tmp_path / "a.txt", [making.term_row("Zug", "train")]),
        "kaikki": making.json_lines(tmp_path / "b.zip", [making.wiktextract_row("Zug", "train")]),
        "cedict": making.text_file(tmp_path / "c.json", "人 人 [ren2] /person/\n"),
        "dictd": making.dictd(tmp_path, {"zug": "Zug\ntrain\n"}),
    }
    assert {name: info_of(path).format for name, path in made.items()} == {each.name: each.name for each in FORMATS}


UNREAD = {
    "x.ifo": (b"StarDict's dict ifo file\nversion=2.4.2\n", "StarDict", True),
    "x.mdx": (b"\0\0\1\2<\0D\0i\0c\0t\0i\0o\0n\0a\0r\0y\0 \0", "MDict", True),
    "x.dsl": ('\ufeff#NAME "Dictionary"\n'.encode("utf-16-le"), "Lingvo", True),
    "y.dsl": (b'#NAME "Dictionary"\n', "Lingvo", True),
    "JMdict_e.xml": (b'<?xml version="1.0"?>\n<!DOCTYPE JMdict [\n', "JMdict", True),
    "JMdict_e.gz": (gzip.compress(b'<?xml version="1.0"?>\n<JMdict>\n'), "JMdict", True),
    "deu-eng.tei": (b'<?xml version="1.0"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">', "TEI", True),
    "edict": ("汽車 [きしゃ] /(n) train/(P)/\n".encode("euc-jp"), "EDICT", True),
    "x.slob": (b"!-1SLOB\x1f" + b"\0" * 40, "Slob", True),
    "x.pdf": (b"%PDF-1.7\n", "PDF", False),
    "x.db": (b"SQLite format 3\0", "SQLite", False),
    "x.7z": (b"7z\xbc\xaf\x27\x1c\0\0", "archive", False),
    "x.json": (b'[{"word": "Zug"}]', "JSON list", False),
    "x.html": (b"<!DOCTYPE html><html>", "web page", False),
    "x.txt": (b"Just a text.\n", "no dictionary that Lode knows", False),
    "x.bin": (bytes(range(256)) * 20, "no dictionary that Lode knows", False),
    "x.gz": (b"\x1f\x8b" + b"\xff" * 50, "no dictionary that Lode knows", False),
    "empty": (b"", "is empty", False),
}


def test_what_is_not_read_is_named_with_the_next_step(tmp_path: Path) -> None:
    for name, (data, said, converts) in UNREAD.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(ImportRefused) as caught:
            rows_of(path)
        assert (said in caught.value.message, name in caught.value.message) == (True, True), caught.value.message
        assert caught.value.hint
        assert ("pyglossary" in caught.value.hint) == converts


def test_what_else_is_in_an_archive_is_named(tmp_path: Path) -> None:
    others = ("x/x.ifo", "x.mdx", "x.dsl.dz", "META-INF/container.xml")
    to_unpack = ("deu-eng/deu-eng.index", "cedict_ts.u8", "German.jsonl")
    for parts, said, hint in (
        *(((part,), "which Lode does not read", "") for part in others),
        *(((part, "a.dict.dz"), "archive with a dictionary in it", "unpack it") for part in to_unpack),
        (("film.srt",), "has no index.json at its root", ""),
        (("wty/index.json",), "has its index.json in a directory", "pack the files again"),
    ):
        with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
            for part in parts:
                archive.writestr(part, "x")
        with pytest.raises(ImportRefused) as caught:
            rows_of(tmp_path / "x.zip")
        assert (said in caught.value.message, hint in caught.value.hint) == (True, True), caught.value.message


def test_definitions_of_stardict_are_told_from_those_of_dictd(tmp_path: Path) -> None:
    path = tmp_path / "x.dict.dz"
    path.write_bytes(gzip.compress(b"text"))
    with pytest.raises(ImportRefused, match=r"no \.index of its own"):
        rows_of(path)
    tmp_path.joinpath("x.ifo").write_text("StarDict's dict ifo file\n")
    with pytest.raises(ImportRefused, match="part of a StarDict dictionary"):
        rows_of(path)


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "missing.zip", tmp_path / "pipe"):
        with pytest.raises(ImportRefused, match="cannot be read"):
            rows_of(path)


def test_a_name_with_control_characters_is_shown_without(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2Jb\udcff.zip"
    path.write_bytes(b"PK\x03\x04damaged")
    with pytest.raises(ImportRefused) as caught:
        rows_of(path)
    assert caught.value.message.startswith("ab\ufffd.zip ")
