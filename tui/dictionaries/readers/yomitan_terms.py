"""Rows of Yomitan's term banks: ``[term, reading, tags, rules, score, glossary, sequence, term tags]``.

In version 1 the glossary is all that stands behind the score. An item of it is a text, ``{"type": "text"}``,
``{"type": "image"}``, ``{"type": "structured-content"}``, or ``[lemma, [inflection, …]]`` of a form that only points to
its lemma. pyglossary writes the HTML of other formats as texts, which is their text here.
"""

from __future__ import annotations

import html
import re
from typing import Any

import msgspec

from tui.dictionaries.dictionary_file import LONGEST_TEXT, clean_line, clean_term, clean_text, distinct
from tui.dictionaries.readers.yomitan_tags import TagNames
from tui.dictionaries.structured_content import StructuredContent
from tui.records.dictionaries import DictionaryEntry, Sense

_GLOSSARY = 5
"""Place of the glossary in a row."""
_MOST_ITEMS = 1_000
_MOST_GLOSSES = 100
_MOST_INFLECTIONS = 20
_HTML_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]{0,15})\b[^<>]{0,1000}>")
_BREAKING = frozenset(
    (
        *("blockquote", "br", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p"),
        *("table", "tr", "ul"),
    )
)


class _TermRow(msgspec.Struct, array_like=True):
    term: str
    reading: str | None
    definition_tags: str | None
    rules: str | None
    score: float
    glossary: list[Any]
    sequence: object = None
    term_tags: str | None = None


class _TermRowV1(msgspec.Struct, array_like=True):
    term: str
    reading: str | None
    definition_tags: str | None
    rules: str | None
    score: float


class TermReader:
    """Reads rows of term banks of a version of the format, with the names of the dictionary's tags."""

    def __init__(self, tags: TagNames, version: int, *, texts_are_html: bool = False) -> None:
        self._tags = tags
        self._texts_are_html = texts_are_html
        self._decode = msgspec.json.Decoder(_TermRow).decode if version > 1 else _decode_v1

    def row(self, raw: msgspec.Raw) -> DictionaryEntry | None:
        """The entry of a row, None for one that says nothing; raises as ``msgspec`` does for one of wrong types."""
        row = self._decode(raw)
        term = clean_term(row.term)
        if not term:
            return None
        parts, tags = self._tags.of_row(row.definition_tags or "", row.rules or "", row.term_tags or "")
        texts: list[str] = []
        lemmas: list[str] = []
        inflections: list[str] = []
        content: StructuredContent | None = None
        for item in row.glossary[:_MOST_ITEMS]:
            if isinstance(item, list):
                if lemma := _lemma(item):
                    lemmas.append(lemma)
                    inflections += _inflections(item)
                continue
            fields = {"type": "text", "text": item} if isinstance(item, str) else item
            kind = fields.get("type") if isinstance(fields, dict) else None
            if kind == "structured-content":
                if content is None:
                    content = StructuredContent()
                    for text in texts:
                        content.add_text(text)
                content.add(fields.get("content"))
            elif kind == "text" and isinstance(said := fields.get("text"), str):
                if self._texts_are_html:
                    said = _text_of_html(said[:LONGEST_TEXT])
                if content is None:
                    texts.append(said)
                else:
                    content.add_text(said)
        if content is None:
            glosses = distinct(map(clean_text, texts), _MOST_GLOSSES)
            senses: tuple[Sense, ...] = (Sense(glosses),) if glosses else ()
        else:
            senses = tuple(content.senses)
            lemmas += content.lemmas
        if not senses and not lemmas:
            return None
        reading = clean_term(row.reading or "")
        return DictionaryEntry(
            term=term,
            reading="" if reading == term else reading,
            part_of_speech=parts,
            senses=senses,
            lemmas=distinct(lemmas, without=term) if lemmas else (),
            score=row.score,
            tags=distinct((*tags, *inflections)) if inflections else tags,
            html=content.html() if content is not None else "",
        )


def _decode_v1(raw: msgspec.Raw) -> _TermRow:
    row = msgspec.json.decode(raw, type=_TermRowV1)
    items = msgspec.json.decode(raw, type=list[Any])
    return _TermRow(row.term, row.reading, row.definition_tags, row.rules, row.score, items[_GLOSSARY:])


def _text_of_html(text: str) -> str:
    """The text of HTML, in lines as its elements break it."""
    broken = _HTML_TAG.sub(lambda tag: "\n" if tag[1].lower() in _BREAKING else "", text)
    return "\n".join(line for each in html.unescape(broken).split("\n") if (line := each.strip()))


def _lemma(item: list[Any]) -> str:
    return clean_term(item[0]) if item and type(item[0]) is str else ""


def _inflections(item: list[Any]) -> list[str]:
    """The names of the form, "third-person singular" say, that stand behind its lemma."""
    names = item[1] if len(item) > 1 and type(item[1]) is list else []
    return [clean_line(name) for name in names[:_MOST_INFLECTIONS] if type(name) is str]
