"""Rows of Yomitan's term banks: ``[term, reading, tags, rules, score, glossary, sequence, term tags]``.

In version 1 the glossary is all that stands behind the score. An item of it is a text, ``{"type": "text"}``,
``{"type": "image"}``, ``{"type": "structured-content"}``, or ``[lemma, [inflection, …]]`` of a form that only points to
its lemma. pyglossary writes the HTML of other formats as texts, which is their text here.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Any

import msgspec

from tui.dictionaries import fields
from tui.dictionaries.structured_content import StructuredContent
from tui.records.dictionaries import DictionaryEntry, PitchAccent, Sense, TermFrequency, TermPronunciation

_GLOSSARY = 5
"""Place of the glossary in a row."""
_MAX_ITEMS = 1_000
_MAX_GLOSSES = 100
_MAX_INFLECTIONS = 20
_HTML_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]{0,15})\b[^<>]{0,1000}>")
_BREAKING = {
    *("blockquote", "br", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p"),
    *("table", "tr", "ul"),
}


class _TermRowV1(msgspec.Struct, array_like=True):
    term: str
    reading: str | None
    definition_tags: str | None
    rules: str | None
    score: float


class _TermRow(_TermRowV1, array_like=True):
    glossary: list[Any]
    sequence: object = None
    term_tags: str | None = None


class TermReader:
    """Reads rows of term banks of a version of the format, with the names of the dictionary's tags."""

    def __init__(self, tags: TagNames, version: int, *, texts_are_html: bool = False) -> None:
        self._tags = tags
        self._texts_are_html = texts_are_html
        self._decode = msgspec.json.Decoder(_TermRow).decode if version > 1 else _decode_v1

    def row(self, raw: msgspec.Raw) -> DictionaryEntry | None:
        """The entry of a row, None for one that says nothing; raises as ``msgspec`` does for one of wrong types."""
        row = self._decode(raw)
        term = fields.clean_term(row.term)
        if not term:
            return None
        parts, tags = self._tags.of_row(row.definition_tags or "", row.rules or "", row.term_tags or "")
        texts: list[str] = []
        lemmas: list[str] = []
        inflections: list[str] = []
        content: StructuredContent | None = None
        for item in row.glossary[:_MAX_ITEMS]:
            if isinstance(item, list):  # the lemma of a form, and the names of the form
                if item and type(item[0]) is str and (lemma := fields.clean_term(item[0])):
                    lemmas.append(lemma)
                    names = item[1] if len(item) > 1 and type(item[1]) is list else []
                    inflections += (fields.clean_line(name) for name in names[:_MAX_INFLECTIONS] if type(name) is str)
                continue
            given = {"type": "text", "text": item} if isinstance(item, str) else item
            kind = given.get("type") if isinstance(given, dict) else None
            if kind == "structured-content":
                if content is None:
                    content = StructuredContent()
                    for text in texts:
                        content.add(text)
                content.add(given.get("content"))
            elif kind == "text" and isinstance(said := given.get("text"), str):
                if self._texts_are_html:
                    said = _text_of_html(said[: fields.MAX_TEXT_LENGTH])
                if content is None:
                    texts.append(said)
                else:
                    content.add(said)
        if content is None:
            glosses = fields.drop_repetitions(map(fields.clean_text, texts), _MAX_GLOSSES)
            senses: tuple[Sense, ...] = (Sense(glosses),) if glosses else ()
        else:
            senses = tuple(content.senses)
            lemmas += content.lemmas
        if not senses and not lemmas:
            return None
        reading = fields.clean_term(row.reading or "")
        return DictionaryEntry(
            term=term,
            reading="" if reading == term else reading,
            part_of_speech=parts,
            senses=senses,
            lemmas=fields.drop_repetitions(lemmas, without=term),
            score=row.score,
            tags=fields.drop_repetitions((*tags, *inflections)) if inflections else tags,
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


# Rows of Yomitan's banks of what is known of terms: ``[term, "freq" | "pitch" | "ipa", value]``.
#
# Source: yomitan's ext/data/schemas/dictionary-term-meta-bank-v3-schema.json. A frequency is a number, a text, or an
# object with ``value`` and ``displayValue``, and it may stand in an object beside a ``reading``. A pitch is the mora
# after which it falls, or its course as "LHHL", high and low for each mora and what follows the word.

_MAX_SIZE = 2**53
"""Largest frequency that is taken for one; a text of the world has fewer words."""
_MAX_PITCHES = 20
_NUMBER = re.compile(r"[0-9]{1,16}(?:,[0-9]{3}){0,5}")


class _MetaRow(msgspec.Struct, array_like=True):
    term: str
    mode: str
    value: Any


_ROW = msgspec.json.Decoder(_MetaRow)


def make_meta_row(raw: msgspec.Raw) -> TermFrequency | TermPronunciation | None:
    """Read frequency, pitch or IPA off a row, None where it has none; raises ``msgspec`` errors for wrong types."""
    row = _ROW.decode(raw)
    term, value = fields.clean_term(row.term), row.value
    said = value.get("reading") if isinstance(value, dict) else ""
    reading = fields.clean_term(said) if isinstance(said, str) else ""
    if reading == term:
        reading = ""
    if not term:
        return None
    if row.mode == "freq":
        return _frequency(term, reading, value.get("frequency", value) if isinstance(value, dict) else value)
    if not isinstance(value, dict):
        return None
    if row.mode == "pitch":
        return _pitch(term, reading, value.get("pitches"))
    if row.mode == "ipa":
        return _ipa(term, reading, value.get("transcriptions"))
    return None


def _frequency(term: str, reading: str, value: object) -> TermFrequency | None:
    number, shown = (value.get("value"), value.get("displayValue")) if isinstance(value, dict) else (value, None)
    if isinstance(number, str):
        shown = shown or number
        found = _NUMBER.search(number)
        number = int(found[0].replace(",", "")) if found else None
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= _MAX_SIZE:
        number = None
    text = fields.clean_line(shown) if isinstance(shown, str) else ""
    if number is None and not text:
        return None
    return TermFrequency(term, reading, None if number is None else int(number), text or f"{number:g}")


def _pitch(term: str, reading: str, pitches: object) -> TermPronunciation | None:
    rows = pitches[:_MAX_PITCHES] if isinstance(pitches, list) else []
    positions = [_position(each.get("position")) for each in rows if isinstance(each, dict)]
    accents = dict.fromkeys(PitchAccent(reading or term, position) for position in positions if position is not None)
    return TermPronunciation(term, reading, pitch=tuple(accents)) if accents else None


def _position(value: object) -> int | None:
    """The mora after which the pitch falls; None for what is no position of a word that can be said."""
    if isinstance(value, str) and value and set(value) <= {"H", "L"}:
        return value.find("HL") + 1
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 100:
        return value
    return None


def _ipa(term: str, reading: str, transcriptions: object) -> TermPronunciation | None:
    rows = transcriptions if isinstance(transcriptions, list) else []
    given = [each.get("ipa") for each in rows if isinstance(each, dict)]
    found = fields.drop_repetitions(fields.clean_line(each) for each in given if isinstance(each, str))
    return TermPronunciation(term, reading, found) if found else None


_PART_OF_SPEECH = "partOfSpeech"
_FORM = "non-lemma"
"""wty's tag of inflected forms."""
_MAX_NAME_LENGTH = 60
"""Longest note of a tag bank that can stand for the tag; a longer one explains it."""
_MAX_CACHED = 20_000
_RULES = fields.list_labels("any", "yomitan")
"""Rules and tags that are parts of speech where no tag bank says it."""


class TagNames:
    """The tags that a dictionary explains, by their short names."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[bool, str]] = {}
        self.of_row = lru_cache(_MAX_CACHED)(self._split)
        """The parts of speech and the other tags of a row, from its tags of the definition and term and its rules."""

    def add(self, name: str, category: str, notes: str) -> None:
        """Take a row of a tag bank."""
        full = fields.clean_line(notes.split("\n", 1)[0])
        self._names[name] = (
            category == _PART_OF_SPEECH,
            full if 0 < len(full) <= _MAX_NAME_LENGTH else fields.clean_line(name),
        )

    def _split(self, definition: str, rules: str, term: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        parts: list[str] = []
        tags: list[str] = []
        for name in f"{definition} {term}".split():
            if name.isdecimal() or name == _FORM:  # the number of the sense; what the entry's lemmas say
                continue
            if known := self._names.get(name):
                (parts if known[0] else tags).append(known[1])
            elif name in _RULES:
                parts.append(_RULES[name])
            else:
                tags.append(fields.clean_line(name))
        if not parts:
            parts = [_RULES[rule] for rule in rules.split() if rule in _RULES]
        return fields.drop_repetitions(parts), fields.drop_repetitions(tags)
