"""Yomitan dictionaries: a ZIP file with ``index.json`` and banks of terms, of what is known of terms, and of tags.

Source: yomitan's ext/data/schemas/dictionary-index-schema.json, dictionary-term-bank-v3-schema.json and -v1-, and
docs/making-yomitan-dictionaries.md. A bank is a list of rows; its rows are split first and understood one by one, so
that the objects of a whole bank, ten times its bytes, are never in memory.
"""

import codecs
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast, get_args

import msgspec

from tui import bounds
from tui.dictionaries import fields
from tui.dictionaries.dictionary_file import ROWS_A_STEP, DictionaryFile, Progress, refused
from tui.dictionaries.yomitan_terms import TagNames, TermReader, make_meta_row
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, DictionaryRow, FrequencyMode
from tui.system import regular_file
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise, lists_more_than

INDEX = "index.json"
_BANK = re.compile(r"(term|term_meta|tag)_bank_([0-9]{1,9})\.json\Z")
_MAX_BANK, _MAX_BANK_ROWS = bounds.YOMITAN_BANK.bytes_in, bounds.YOMITAN_BANK.entries
"""Maximum bytes and rows of a bank, which is held in memory; those that Yomitan's authors make have 10 000 rows, 20 MB.
"""
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[\]{},]', re.S)
_SAMPLE_ROWS = 300
_MAX_TAGS = 20_000
_NEWEST = 3
_PYGLOSSARY = "PyGlossary export"
"""Revision of the dictionaries that pyglossary makes out of other formats."""
_NO_DICTIONARY = "check that it is a dictionary for Yomitan, as it was downloaded"
_ROW_FAULTS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Exceptions of rows that are no JSON, or not of the types that they should have."""


_RowReader = Callable[[msgspec.Raw], DictionaryRow | None]


class _TagMeta(msgspec.Struct):
    category: str = ""
    notes: str = ""


class _Index(msgspec.Struct):
    """Contents of ``index.json``, the fields that are read; all but the title may be missing."""

    title: str
    revision: str | int | float | None = None
    format: int | None = None
    version: int | None = None
    author: str | None = None
    url: str | None = None
    description: str | None = None
    attribution: str | None = None
    sourceLanguage: str | None = None
    targetLanguage: str | None = None
    frequencyMode: str | None = None
    tagMeta: dict[str, _TagMeta] | None = None


class _TagRow(msgspec.Struct, array_like=True):
    name: str
    category: str = ""
    order: float = 0
    notes: str = ""


_INDEX = msgspec.json.Decoder(_Index, strict=False)
_TAG = msgspec.json.Decoder(_TagRow)
_ROWS = msgspec.json.Decoder(list[msgspec.Raw])


class YomitanFile(DictionaryFile):
    """A Yomitan dictionary that is open; raises ``ImportRefused`` for a ZIP file that is none, or broken."""

    without_rows = ("has banks without a row that can be understood", _NO_DICTIONARY)

    def __init__(self, path: Path, shown: str) -> None:
        super().__init__(shown)
        with ExitStack() as stack:
            raw = stack.enter_context(regular_file.open_file(path))
            file = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, raw)))
            if lists_more_than(file, bounds.DICTIONARY_MEMBERS):
                reason = f"holds more than {bounds.DICTIONARY_MEMBERS:,} files"
                raise refused(shown, reason, "check that it is a dictionary")
            try:
                self._zip = stack.enter_context(zipfile.ZipFile(file))
            except ZIP_FAULTS as error:
                raise refused(shown, "is damaged") from error
            self._left = bounds.YOMITAN.most_out(file.seek(0, 2))
            self._banks = self._listed()
            index = self._index()
            version, is_html = index.format or index.version or _NEWEST, index.revision == _PYGLOSSARY
            terms = TermReader(self._tag_names(index), version, texts_are_html=is_html)
            self._readers: dict[str, _RowReader] = {"term": terms.row, "term_meta": make_meta_row}
            """Kinds of banks with rows for a dictionary, and what reads those."""
            self.info = self._described(index)
            self._stack = stack.pop_all()

    def _read(self, progress: Progress) -> Iterator[DictionaryRow | None]:
        total = sum(bank.compress_size for banks in self._banks.values() for bank in banks) or 1
        read = count = 0
        for kind, understood in self._readers.items():
            for bank in self._banks[kind]:
                rows = self._rows_of(bank)
                count += len(rows)
                if count > bounds.YOMITAN.entries:
                    raise self._too_many_rows(bounds.YOMITAN.entries)
                for at, raw in enumerate(rows):
                    if at % ROWS_A_STEP == 0:
                        progress(min((read + bank.compress_size * at / len(rows)) / total, 1.0))
                    yield _understood(understood, raw)
                read += bank.compress_size

    def close(self) -> None:
        self._stack.close()

    def _listed(self) -> dict[str, list[zipfile.ZipInfo]]:
        """The banks of each kind, in the order of their numbers; what is not at the root is none."""
        if INDEX not in self._zip.namelist():
            raise refused(self._shown, f"has no {INDEX} at its root", _NO_DICTIONARY)
        numbered: dict[str, dict[int, zipfile.ZipInfo]] = {"term": {}, "term_meta": {}, "tag": {}}
        for member in self._zip.infolist():
            if match := _BANK.match(member.filename):
                numbered[match[1]][int(match[2])] = member
        banks = {kind: [bank for _, bank in sorted(found.items())] for kind, found in numbered.items()}
        if not banks["term"] and not banks["term_meta"]:
            no_terms = "has no bank of terms; those of single kanji are not read"
            raise refused(self._shown, no_terms, "look for one with terms")
        return banks

    def _described(self, index: _Index) -> DictionaryInfo:
        title = fields.clean_line(index.title) or self._shown
        source, target = fields.find_tag(index.sourceLanguage or ""), fields.find_tag(index.targetLanguage or "")
        if source is None or target is None:
            named = fields.find_pair_in_name(index.title) or (None, None)
            terms, texts = self._sample()
            source = source or named[0] or fields.guess_language_of(terms)
            target = target or named[1] or fields.guess_language_of(texts)
        mode = index.frequencyMode
        return DictionaryInfo(
            title=title,
            format="yomitan",
            revision=fields.clean_line(str(index.revision if index.revision is not None else "")),
            source_language=source,
            target_language=target,
            author=fields.clean_line(index.author or ""),
            url=fields.clean_line(index.url or ""),
            description=fields.clean_text(index.description or "", fields.MAX_NOTE_LENGTH),
            attribution=fields.clean_text(index.attribution or "", fields.MAX_NOTE_LENGTH),
            frequency_mode=cast(FrequencyMode, mode) if mode in get_args(FrequencyMode) else None,
        )

    def _sample(self) -> tuple[list[str], list[str]]:
        """Terms with their readings, and explanations, from the beginning of the first bank."""
        terms: list[str] = []
        texts: list[str] = []
        kind, understood = next(each for each in self._readers.items() if self._banks[each[0]])
        for raw in self._rows_of(self._banks[kind][0])[:_SAMPLE_ROWS]:
            row = _understood(understood, raw)
            if row is not None:
                terms += [row.term, row.reading]
            if isinstance(row, DictionaryEntry):
                texts += [gloss for sense in row.senses for gloss in sense.glosses]
        return terms, texts

    def _tag_names(self, index: _Index) -> TagNames:
        names = TagNames()
        for name, meta in islice((index.tagMeta or {}).items(), _MAX_TAGS):
            names.add(name, meta.category, meta.notes)
        for bank in self._banks["tag"]:
            for raw in self._rows_of(bank)[:_MAX_TAGS]:
                try:
                    row = _TAG.decode(raw)
                except _ROW_FAULTS:
                    continue  # its tag is shown as it is written
                names.add(row.name, row.category, row.notes)
        return names

    def _index(self) -> _Index:
        data = self._bytes_of(self._zip.getinfo(INDEX), bounds.YOMITAN.entry_bytes)
        try:
            index = _INDEX.decode(data)
        except _ROW_FAULTS as error:
            said = fields.clean_line(str(error))
            raise refused(self._shown, f"has an {INDEX} that is none of a dictionary: {said}") from error
        if (index.format or index.version or _NEWEST) > _NEWEST:
            raise refused(self._shown, f"is of a later version than {_NEWEST}", "look for an update of Lode")
        return index

    def _rows_of(self, bank: zipfile.ZipInfo) -> list[msgspec.Raw]:
        data = self._bytes_of(bank, _MAX_BANK)
        if _has_more_rows(data, _MAX_BANK_ROWS):
            raise refused(self._shown, f"has more than {_MAX_BANK_ROWS:,} rows in one bank", "divide it into several")
        try:
            try:
                return _ROWS.decode(data)
            except msgspec.DecodeError:
                return _ROWS.decode(fields.drop_half_characters(data))
        except RecursionError as error:
            raise refused(self._shown, f"has a bank that is nested too deeply: {bank.filename}") from error
        except _ROW_FAULTS as error:
            said = fields.clean_line(str(error))
            raise refused(self._shown, f"has a bank that is no list of rows, {bank.filename}: {said}") from error

    def _bytes_of(self, member: zipfile.ZipInfo, most: int) -> bytes:
        """The bytes of a member; it may say a wrong size, so that what comes out is counted."""
        if member.flag_bits & IS_ENCRYPTED:
            raise refused(self._shown, "is locked with a password", "save it without one and add that")
        if is_packed_otherwise(member):
            raise refused(self._shown, "is packed in a way that no dictionary is", "pack its files again, as usual")
        most = min(most, self._left)
        try:
            with self._zip.open(member) as file:
                data = file.read(most + 1)
        except ZIP_FAULTS as error:
            raise refused(self._shown, f"is damaged in {member.filename}") from error
        if len(data) > most:
            raise refused(self._shown, f"holds more in {member.filename} than a dictionary of its size can")
        self._left -= len(data)
        return data.removeprefix(codecs.BOM_UTF8)


def _has_more_rows(data: bytes, most: int) -> bool:
    """Whether a list in JSON has more rows, each of which takes 70 bytes once it is split from the others."""
    if data.count(b",") < most:  # as nearly always, which is told at once
        return False
    depth = rows = 0
    for found in _TOKEN.finditer(data):
        token = found[0]
        if token in b"[{":
            depth += 1
        elif token in b"]}":
            depth -= 1
        elif token == b"," and depth == 1:
            rows += 1
            if rows >= most:
                return True
    return False


def _understood(reader: _RowReader, raw: msgspec.Raw) -> DictionaryRow | None:
    """The row as this reader understands it, None where it does not."""
    if len(memoryview(raw)) > bounds.YOMITAN.entry_bytes:
        return None
    try:
        return reader(raw)
    except _ROW_FAULTS:
        return None
