"""Dictionaries for tests, made in each format that Lode reads, and read all at once."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

from tests.waiting import HANGS
from tui.dictionaries.formats import open_dictionary
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, DictionaryRow
from tui.service.jobs.dictionary_import import DictionaryProcess, DictionaryRequest

Json = Any
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
INDEX = {"title": "Test", "revision": "1", "format": 3, "sourceLanguage": "de", "targetLanguage": "en"}


def term_row(
    term: str,
    *glossary: Json,
    reading: str = "",
    tags: str | None = "",
    rules: str = "",
    score: float = 0,
    term_tags: str = "",
) -> list[Json]:
    """A row of a term bank, version 3."""
    return [term, reading, tags, rules, score, list(glossary), 0, term_tags]


def structured(content: Json) -> Json:
    """An item of a glossary with structured content."""
    return {"type": "structured-content", "content": content}


def yomitan(
    path: Path,
    terms: Sequence[Json] = (),
    *,
    metas: Sequence[Json] = (),
    tags: Sequence[Json] = (),
    index: Mapping[str, Json] = INDEX,
    rows_a_bank: int = 10_000,
    more: Mapping[str, bytes] | None = None,
) -> Path:
    """Write a Yomitan dictionary of these rows; ``more`` are further members, which may take the place of its own."""
    members = {"index.json": json.dumps(index).encode()}
    for kind, rows in (("term", terms), ("term_meta", metas), ("tag", tags)):
        for at in range(0, len(rows), rows_a_bank):
            text = json.dumps(rows[at : at + rows_a_bank], ensure_ascii=False)
            members[f"{kind}_bank_{at // rows_a_bank + 1}.json"] = text.encode("utf-8", "surrogatepass")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (members | dict(more or {})).items():
            archive.writestr(name, data)
    return path


def wiktionary_content(gloss: str, *, tags: Sequence[str] = (), example: str = "", translation: str = "") -> Json:
    """Structured content of one sense as wty writes it: labels, a gloss, a folded example, a link back."""
    labels = [{"tag": "span", "data": {"content": "tag"}, "title": tag, "content": tag} for tag in tags]
    item: list[Json] = [{"tag": "div", "data": {"content": "tags"}, "content": labels}, gloss] if tags else [gloss]
    if example:
        sentence = [
            {"tag": "div", "data": {"content": "example-sentence-a"}, "content": example},
            {"tag": "div", "data": {"content": "example-sentence-b"}, "content": translation},
        ]
        box = {"tag": "div", "data": {"content": "example-sentence"}, "content": sentence}
        folded = [
            {"tag": "summary", "data": {"content": "summary-entry"}, "content": "1 example"},
            {"tag": "div", "data": {"content": "extra-info"}, "content": box},
        ]
        item.append({"tag": "details", "data": {"content": "details-entry-examples"}, "content": folded})
    link = {"tag": "a", "href": "https://en.wiktionary.org/", "content": "Wiktionary"}
    return [
        {"tag": "ol", "data": {"content": "glosses"}, "content": [{"tag": "li", "content": item}]},
        {"tag": "div", "data": {"content": "backlink"}, "content": link},
    ]


def json_lines(path: Path, rows: Iterable[Json]) -> Path:
    """Write one object a line, as kaikki does, packed where the name ends in .gz."""
    return text_file(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def wiktextract_row(word: str, *glosses: str, **more: Json) -> dict[str, Json]:
    """A row of German words out of the English Wiktionary."""
    senses = [{"glosses": [gloss]} for gloss in glosses]
    return {"word": word, "lang": "German", "lang_code": "de", "pos": "noun", "senses": senses} | more


def text_file(path: Path, text: str) -> Path:
    """Write a text, packed where the name ends in .gz."""
    data = text.encode("utf-8", "surrogatepass")
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def dictd(folder: Path, definitions: Mapping[str, str], *, name: str = "freedict-deu-eng", packed: bool = True) -> Path:
    """Write a dictd dictionary and return its index; definitions by the words that its index has for them.

    Headers are definitions too, of words such as 00databaseshort.
    """
    text = b""
    lines = []
    for word, definition in definitions.items():
        data = definition.encode()
        lines.append(f"{word}\t{base64_number(len(text))}\t{base64_number(len(data))}\n")
        text += data
    definitions_path = folder / f"{name}.dict{'.dz' if packed else ''}"
    definitions_path.write_bytes(gzip.compress(text) if packed else text)
    index = folder / f"{name}.index"
    index.write_text("".join(sorted(lines)), encoding="utf-8")
    return index


def base64_number(number: int) -> str:
    """A number as dictd's indexes write it."""
    digits = BASE64[number % 64]
    while number := number // 64:
        digits = BASE64[number % 64] + digits
    return digits


def rows_of(path: Path) -> list[DictionaryRow]:
    with open_dictionary(path) as dictionary:
        return list(dictionary.rows(lambda share: None))


def entries_of(path: Path) -> list[DictionaryEntry]:
    return [row for row in rows_of(path) if isinstance(row, DictionaryEntry)]


def entry_of(path: Path, term: str) -> DictionaryEntry:
    """The only entry of a term."""
    [entry] = [entry for entry in entries_of(path) if entry.term == term]
    return entry


def info_of(path: Path) -> DictionaryInfo:
    with open_dictionary(path) as dictionary:
        return dictionary.info


def skipped_of(path: Path) -> int:
    with open_dictionary(path) as dictionary:
        list(dictionary.rows(lambda share: None))
        return dictionary.skipped


READ = """
import sys
from pathlib import Path
from tui.dictionaries.formats import open_dictionary
from tui.errors import ImportRefused
try:
    with open_dictionary(Path(sys.argv[1])) as file:
        print(sum(1 for _ in file.rows(lambda share: None)))
except ImportRefused as error:
    print(error.message)
"""
"""A program that prints how many rows a file has, or why it is refused."""
CEDICT_HEADER = """# CC-CEDICT
# Community maintained free Chinese-English dictionary.
#! publisher=MDBG
#! license=https://creativecommons.org/licenses/by-sa/4.0/
#! date=2026-11-01T00:00:00Z
"""


@contextmanager
def held_dictionary() -> Iterator[Event]:
    """Imports of dictionaries begin to read only once the event is set, or the block ends."""
    go_on, start = Event(), DictionaryProcess.__init__

    def held_start(process: DictionaryProcess, request: DictionaryRequest) -> None:
        go_on.wait(HANGS)
        start(process, request)

    with patch.object(DictionaryProcess, "__init__", held_start):
        try:
            yield go_on
        finally:
            go_on.set()
