"""Dictionary formats: how a file in them is recognised by its content, how it is read, and what others it may be in.

A format is one reader and one row here. What is not read is told by its marks too, with what converts
it: pyglossary, which is GPL and so only ever a command that somebody runs, never a part of Lode.
"""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tui.bounds import CEDICT, DICTD, DICTIONARY_MEMBERS, KAIKKI, YOMITAN, ZIPPED_DICTD, Bounds
from tui.dictionaries import cedict
from tui.dictionaries.dictd import (
    DEFINITIONS_ENDINGS,
    INDEX_LINE,
    PAIR_HINT,
    DictdFile,
    ZippedDictdFile,
    find_pair,
    is_pair,
)
from tui.dictionaries.dictionary_file import GZIP_SIGNATURE, DictionaryFile, refused, show_name
from tui.dictionaries.kaikki import KaikkiFile
from tui.dictionaries.yomitan import INDEX, YomitanFile
from tui.errors import ImportRefused
from tui.language.word_lists import read_lists
from tui.system import regular_file
from tui.system.zip_bounds import ZIP_FAULTS, lists_more_than

_BEGINNING = 1 << 16
_ZIP = b"PK\x03\x04"
_UNPACK_HINT = "unpack it, and add what is in it"
_TO_UNPACK = (".index", ".u8", ".jsonl", ".jsonl.gz")
"""Endings of files that are read, but not out of an archive."""
READ = "Yomitan (.zip), kaikki.org (.jsonl), dictd and FreeDict (.index with .dict.dz), CC-CEDICT (.u8)"
"""The formats that are read, as people see them."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """Beginning of a file, by which its format is recognised: first bytes, and those unpacked if gzip packed them.

    ``parts`` are the names of what is in a ZIP file; none of a broken one, of which its reader says what is wrong.
    """

    path: Path
    raw: bytes
    text: bytes
    parts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class DictionaryFormat:
    """One format; ``opened`` gets a path and the name that is shown, and raises ``ImportRefused``."""

    name: str
    title: str
    recognises: Callable[[Beginning], bool]
    opened: Callable[[Path, str], DictionaryFile]
    bounds: Bounds


def _is_kaikki(file: Beginning) -> bool:
    """An object that has the fields of a word; which of them come first is not said anywhere."""
    text = file.text.lstrip(b"\xef\xbb\xbf \r\n")
    return text.startswith(b"{") and (b'"lang_code"' in text or b'"senses"' in text or b'"word"' in text)


def _is_dictd(file: Beginning) -> bool:
    if _is_index(file.text):
        return True
    pair = find_pair(file.path) if file.path.name.lower().endswith(DEFINITIONS_ENDINGS) else None
    return pair is not None and _is_index(_beginning(pair[0]).text)


def _is_index(text: bytes) -> bool:
    lines = text.split(b"\n")
    whole = [line for line in (lines[:20] if len(lines) > 20 else lines[:-1] or lines) if line]
    return bool(whole) and all(INDEX_LINE.match(line) for line in whole)


def _is_cedict(file: Beginning) -> bool:
    lines = file.text.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return cedict.LINE.match(first[:10_000].rstrip()) is not None


FORMATS = (
    DictionaryFormat("dictd", "dictd, FreeDict", lambda file: is_pair(file.parts), ZippedDictdFile, ZIPPED_DICTD),
    DictionaryFormat("yomitan", "Yomitan", lambda file: file.raw.startswith(_ZIP), YomitanFile, YOMITAN),
    DictionaryFormat("kaikki", "Wiktionary (kaikki.org)", _is_kaikki, KaikkiFile, KAIKKI),
    DictionaryFormat("dictd", "dictd, FreeDict", _is_dictd, DictdFile, DICTD),
    DictionaryFormat("cedict", "CC-CEDICT", _is_cedict, cedict.CedictFile, CEDICT),
)
"""Formats in the order in which they are asked."""


@contextmanager
def open_dictionary(path: Path, name: str = "") -> Iterator[DictionaryFile]:
    """Open a dictionary, whatever its format; ``name`` is that of the file where it is kept under another one.

    Raises ``ImportRefused``, naming file, reason and next step, for all that is no dictionary which is read.
    """
    shown = show_name(name or path.name)
    try:
        file = _beginning(path)
        found = next((each for each in FORMATS if each.recognises(file)), None)
        if found is None:
            raise _unread(file, shown)
        if found.name == "yomitan":
            _refuse_other_zips(file.parts, shown)
        dictionary = found.opened(path, shown)
    except OSError as error:
        raise refused(shown, f"cannot be read: {error.strerror or error}", "name a file that can be") from error
    try:
        yield dictionary
    finally:
        dictionary.close()


def _beginning(path: Path) -> Beginning:
    with regular_file.open_file(path) as file:
        raw = regular_file.piece_of(file, _BEGINNING)
    text = raw
    if raw.startswith(GZIP_SIGNATURE):
        try:
            text = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(raw, _BEGINNING)
        except zlib.error:
            text = b""
    return Beginning(path, raw, text, _parts_of(path) if raw.startswith(_ZIP) else ())


def _unread(file: Beginning, shown: str) -> ImportRefused:
    if not file.raw:
        return refused(shown, "is empty")
    if file.path.name.lower().endswith((".dict.dz", ".dict", ".idx", ".idx.gz", ".syn")):
        if file.path.with_name(file.path.name.split(".")[0] + ".ifo").exists():
            return _refuse_unread(shown, "a part of a StarDict dictionary", "convert")
        if file.path.name.lower().endswith((".dict.dz", ".dict")):
            return refused(shown, "has no .index of its own beside it", PAIR_HINT)
    for step in ("convert", "unpack", "pass_over"):
        for name, mark in _unread_formats()[step].items():
            if re.match(mark.encode(), file.text, re.DOTALL):
                return _refuse_unread(shown, name, step)
    return refused(shown, "is no dictionary that Lode knows", f"these are read: {READ}")


def _refuse_other_zips(names: Sequence[str], shown: str) -> None:
    """Raise ``ImportRefused`` for a ZIP file that says by its parts what else it is."""
    if INDEX in names:
        return
    for step in ("convert", "pass_over"):
        for name, mark in _unread_formats()[f"{step}_parts"].items():
            if any(re.search(mark, part) for part in names):
                raise _refuse_unread(shown, f"{name} in an archive", step)
    if any(part.lower().endswith(_TO_UNPACK) for part in names):
        raise refused(shown, "is an archive with a dictionary in it", _UNPACK_HINT)
    if any(part.endswith(f"/{INDEX}") for part in names):
        hint = "pack the files again, without the directory that they lie in"
        raise refused(shown, f"has its {INDEX} in a directory", hint)


def _parts_of(path: Path) -> list[str]:
    try:
        with regular_file.open_file(path) as raw:
            if lists_more_than(raw, DICTIONARY_MEMBERS):
                return []
            with zipfile.ZipFile(raw) as archive:
                return archive.namelist()
    except ZIP_FAULTS:
        return []


def _unread_formats() -> Mapping[str, Mapping[str, str]]:
    """Formats that are not read, by the next step: what such a file is, and how it begins."""
    return read_lists("unread_formats", __file__)


def _refuse_unread(shown: str, kind: str, step: str) -> ImportRefused:
    hint = _UNPACK_HINT if step == "unpack" else f"these are read: {READ}"
    if step == "convert":
        stem = shown.rsplit(".", 1)[0]
        hint = f'convert it, for example with: pyglossary "{shown}" "{stem}.zip" --write-format=Yomichan'
    return refused(shown, f"is {kind}, which Lode does not read", hint)
