"""dictd's dictionaries, FreeDict's among them: an index of words and a file of definitions, which dictzip may pack.

Source: dictd's dictfmt(1) and dictzip(1). A line of the index is ``word TAB offset TAB length``, numbers in digits of
base 64; dictzip's file is a gzip file. The words that begin with 00database (or 00-database-) are headers. The
definitions are read in the order in which they stand, so that no part of the file is unpacked twice or held.
"""

from __future__ import annotations

import re
import tempfile
import zipfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tui import bounds
from tui.dictionaries.dictionary_file import (
    MAX_NOTE_LENGTH,
    MAX_ROW_LENGTH,
    MAX_TEXT_LENGTH,
    ROWS_A_STEP,
    Progress,
    clean_line,
    clean_term,
    clean_text,
    find_pair_in_name,
    find_pair_in_title,
    guess_language_of,
    refused,
    show_name,
    too_many_rows,
)
from tui.dictionaries.freedict_text import is_freedict, read_freedict
from tui.dictionaries.text_lines import UnpackedFile, read_lines
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, DictionaryRow, Sense
from tui.system import regular_file
from tui.system.temporary import TemporaryDirectory
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise

INDEX_ENDING = ".index"
DEFINITIONS_ENDINGS = (".dict.dz", ".dict", ".dict.gz")
INDEX_LINE = re.compile(rb"[^\t\n]{0,2000}\t([A-Za-z0-9+/]{1,10})\t([A-Za-z0-9+/]{1,7})(?:\t[^\n]*)?\Z")
_HEADER = re.compile(rb"00-?database-?([a-z0-9]+)")
_DIGITS = {
    digit: value for value, digit in enumerate(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_MAX_INDEX, _MAX_WORDS = bounds.DICTD.bytes_in, bounds.DICTD.entries
"""Maximum bytes and words of an index, which is held in memory; that of German–English, with 520 000 words, has 13
million bytes."""
_MAX_WORDS_OF_ONE = 1_000
"""Maximum words that lead to one definition, as far as they are read; most have one or two."""
_PIECE = 1 << 20
_SAMPLE_DEFINITIONS, _SAMPLE_CHARACTERS = 300, 2_000
_LICENCE = re.compile(
    r"(?:under the terms of|licen[sc]ed under|Licen[sc]e:)\s+(?:both\s+)?(?:the\s+)?(.{3,200}?)"
    r"(?:, where |(?<!ver)\.\s|\.?\Z| as published| This |;)",
    re.S,
)
_GNU = re.compile(
    r"(?:the )?GNU (Affero )?(?:General )?Public Licen[sc]e,?(?: ver(?:sion|\.)? ?(\d)(?:\.0)?)?(?: \(A?GPLv\d\))?"
)
_OR_LATER = re.compile(r",? (?:and|or)(?: \(at your option\))? any later version")
_COPYRIGHT = re.compile(r"Copyright \(C\) (.{3,200}?)(?: Available | This |\Z)", re.S)


def find_pair(path: Path) -> tuple[Path, Path] | None:
    """The index and the definitions of which one is named; None where the other does not lie beside it."""
    name = path.name
    ending = next((each for each in (*DEFINITIONS_ENDINGS, INDEX_ENDING) if name.lower().endswith(each)), None)
    if ending is None:
        return None
    stem = name[: -len(ending)]
    index = path if ending == INDEX_ENDING else path.with_name(stem + INDEX_ENDING)
    beside = (path.with_name(stem + each) for each in DEFINITIONS_ENDINGS)
    definitions = next((each for each in beside if each.is_file()), None) if index == path else path
    return (index, definitions) if definitions is not None and index.is_file() else None


class DictdFile:
    """A dictd dictionary that is open; raises ``ImportRefused`` for a pair of files that do not belong together."""

    def __init__(self, index: Path, definitions: Path, shown: str) -> None:
        self._definitions, self._shown = definitions, shown
        self.skipped = 0
        self._lines, self._order = self._read_index(index)
        self._file: UnpackedFile | None = None
        self.info = self._described(index.name.removesuffix(INDEX_ENDING))

    def rows(self, progress: Progress) -> Iterator[DictionaryRow]:
        made = 0
        for at, (words, text) in enumerate(self._read_definitions()):
            if at % ROWS_A_STEP == 0:
                progress(self._file.fraction() if self._file else 0.0)
            if any(_HEADER.match(word) for word in words):
                continue
            entry = _entry(words, text) if text else None
            if entry is None:
                self.skipped += 1
            else:
                made += 1
                yield entry
        if not made:
            raise refused(self._shown, "has no definition that can be understood")
        progress(1.0)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _read_index(self, path: Path) -> tuple[list[bytes], list[int]]:
        """The lines of the index, and their numbers in the order of their definitions."""
        file = UnpackedFile(path, self._shown)
        lines: list[bytes] = []
        places = array("Q")
        size = 0
        try:
            for line in read_lines(file):
                match = INDEX_LINE.match(line) if line else None
                if line is None or match is None:
                    self.skipped += line is None or bool(line)
                    continue
                size += len(line)
                if len(lines) == _MAX_WORDS:
                    raise too_many_rows(self._shown, _MAX_WORDS)
                if size > _MAX_INDEX:
                    raise refused(
                        self._shown,
                        f"has an index of more than {_MAX_INDEX / 1e6:g} MB",
                        "check that it is the dictionary you meant",
                    )
                lines.append(line)
                places.append(_number(match[1]))
        finally:
            file.close()
        if not lines:
            raise refused(self._shown, "has an index without a line of word, offset and length")
        return lines, sorted(range(len(lines)), key=places.__getitem__)

    def _described(self, name: str) -> DictionaryInfo:
        headers, texts = self._sample()
        short = clean_line(headers.get("short", "")) or clean_line(name)
        info = clean_text(headers.get("info", ""))
        url = clean_line(headers.get("url", ""))
        pair = find_pair_in_title(short) or find_pair_in_name(name) or (None, guess_language_of(texts))
        plain = " ".join(info.split())
        licence = _LICENCE.search(plain)
        copyright_ = _COPYRIGHT.search(plain)
        title, _, revision = short.partition(" ver. ")
        return DictionaryInfo(
            title=title,
            format="dictd",
            revision=revision,
            source_language=pair[0],
            target_language=pair[1],
            url=url if "://" in url else "",
            description=info.partition("\nChangelog:")[0][:MAX_NOTE_LENGTH].strip(),
            attribution=f"{title}, © {clean_line(copyright_[1])}" if copyright_ else title,
            license=_licence_name(clean_line(licence[1])) if licence else "",
        )

    def _sample(self) -> tuple[dict[str, str], list[str]]:
        """The headers by their names, and some definitions: the headers stand at the beginning of the file."""
        headers: dict[str, str] = {}
        texts: list[str] = []
        for words, text in self._read_definitions():
            header = next((match for word in words if (match := _HEADER.match(word))), None)
            if header is not None:
                headers[header[1].decode()] = (
                    (text or "")[:MAX_TEXT_LENGTH].removeprefix(words[0].decode("utf-8", "replace")).strip()
                )
            elif text:
                texts.append(text[: 2 * _SAMPLE_CHARACTERS].partition("\n")[2][:_SAMPLE_CHARACTERS])
            if len(texts) == _SAMPLE_DEFINITIONS:
                break
        return headers, texts

    def _read_definitions(self) -> Iterator[tuple[list[bytes], str | None]]:
        """Each definition once with all words that lead to it; None for one that is longer than any, or elsewhere."""
        self.close()
        self._file = UnpackedFile(self._definitions, self._shown)
        held, start, given = bytearray(), 0, 0
        for words, offset, length in self._places():
            if length > MAX_ROW_LENGTH:
                yield words, None
                continue
            while start + len(held) < offset + length:
                if len(held) > MAX_ROW_LENGTH or offset > start + len(held):  # what lies before it is no longer needed
                    gone = min(len(held), offset - start)
                    del held[:gone]
                    start += gone
                piece = self._file.read(_PIECE)
                if not piece:
                    raise refused(self._shown, "has an index that leads beyond the end of its definitions")
                held += piece
            given += length
            if given > bounds.DICTD.most_out(start + len(held)):
                raise refused(
                    self._shown, "has an index that leads to the same text over and over", "look for another copy of it"
                )
            data = bytes(held[offset - start : offset - start + length]) if offset >= start else b""
            yield words, _decode(data) if data else None

    def _places(self) -> Iterator[tuple[list[bytes], int, int]]:
        """The places of the definitions in their order, with the words that lead to each."""
        words: list[bytes] = []
        place = (-1, -1)
        for number in self._order:
            word, offset, length = self._lines[number].split(b"\t")[:3]
            here = _number(offset), _number(length)
            if here != place:
                if words:
                    yield words, *place
                words, place = [], here
            if len(words) < _MAX_WORDS_OF_ONE:
                words.append(word)
        if words:
            yield words, *place


def _entry(words: list[bytes], text: str) -> DictionaryEntry | None:
    names = [name for word in words if (name := clean_term(_decode(word)))]
    if is_freedict(text, names):
        return read_freedict(text, names)
    gloss = clean_text(text)
    if not names or not gloss:
        return None
    return DictionaryEntry(term=names[0], senses=(Sense((gloss,)),), forms=tuple(names[1:]))


def _licence_name(text: str) -> str:
    """The name of a licence as it stands on a card: "GPL 2+" for GNU's, which these files write out in a sentence."""
    named = _GNU.sub(lambda match: " ".join(filter(None, ("AGPL" if match[1] else "GPL", match[2]))), text)
    return _OR_LATER.sub("+", named).replace(" and ", ", ")


def _number(digits: bytes) -> int:
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS[digit]
    return value


def _decode(data: bytes) -> str:
    """The text of a definition: UTF-8, or in dictionaries from before it Latin-1."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


_MAX_STEM_LENGTH = 60
_DAMAGED = "is damaged, or cannot be unpacked here"


def is_pair(names: Sequence[str]) -> bool:
    """Whether these are the two files of a dictionary, and nothing else."""
    index = next((name for name in names if name.lower().endswith(INDEX_ENDING)), "")
    stem = index[: -len(INDEX_ENDING)]
    others = [name for name in names if name != index]
    return (
        bool(stem)
        and not any(sign in stem for sign in "/\\")
        and len(others) == 1
        and others[0].startswith(stem)
        and others[0][len(stem) :].lower() in DEFINITIONS_ENDINGS
    )


def zip_pair(parts: Sequence[Path], target: Path) -> None:
    """Write the two files of a dictionary into a ZIP file, the same each time. Blocks; raises ``OSError``."""
    with zipfile.ZipFile(target, "w") as archive:
        for part in parts:
            with (
                regular_file.open_file(part) as file,
                archive.open(zipfile.ZipInfo(show_name(part.name)), "w") as member,
            ):
                while piece := regular_file.piece_of(file, _PIECE):
                    member.write(piece)


class ZippedDictdFile:
    """A dictd dictionary out of a ZIP file, unpacked as long as it is open; raises ``ImportRefused`` as it does."""

    def __init__(self, path: Path, shown: str) -> None:
        with _writing(shown):
            self._unpacked = TemporaryDirectory(Path(tempfile.gettempdir()))
        try:
            self._file = self._open_pair(path, shown)
        except BaseException:
            self._unpacked.remove()
            raise
        self.info = self._file.info

    @property
    def skipped(self) -> int:
        return self._file.skipped

    def rows(self, progress: Progress) -> Iterator[DictionaryRow]:
        return self._file.rows(progress)

    def close(self) -> None:
        self._file.close()
        self._unpacked.remove()

    def _open_pair(self, path: Path, shown: str) -> DictdFile:
        places: dict[bool, Path] = {}
        with regular_file.open_file(path) as raw:
            left = bounds.ZIPPED_DICTD.most_out(raw.seek(0, 2))
            try:
                with zipfile.ZipFile(raw) as archive:
                    for member in archive.infolist():
                        if member.flag_bits & IS_ENCRYPTED:
                            raise refused(shown, "is locked with a password", "save it without one and add that")
                        if is_packed_otherwise(member):
                            raise refused(shown, "is packed in a way that is not read", "pack both files again")
                        is_index = member.filename.lower().endswith(INDEX_ENDING)
                        stem = member.filename.split(".", 1)[0][:_MAX_STEM_LENGTH]
                        place = places[is_index] = self._unpacked.path / (
                            stem + (INDEX_ENDING if is_index else ".dict")
                        )
                        with archive.open(member) as file, _writing(shown), place.open("wb") as unpacked:
                            while piece := _piece(file, shown):
                                left -= len(piece)
                                if left < 0:
                                    raise refused(shown, "unpacks to many times its size", "pack both files again")
                                unpacked.write(piece)
            except ZIP_FAULTS as error:
                raise refused(shown, _DAMAGED) from error
        return DictdFile(places[True], places[False], shown)


def _piece(file: IO[bytes], shown: str) -> bytes:
    try:
        return file.read(_PIECE)
    except ZIP_FAULTS as error:
        raise refused(shown, _DAMAGED) from error


@contextmanager
def _writing(shown: str) -> Iterator[None]:
    """Tell of an ``OSError`` of the block that what is unpacked cannot be written: it is not of the file."""
    try:
        yield
    except OSError as error:
        place = tempfile.gettempdir()
        raise refused(
            shown,
            f"cannot be unpacked in {place}: {error.strerror or error}",
            f"make room in {place}, or name another place in TMPDIR",
        ) from error
