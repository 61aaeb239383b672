"""Rows of dictionaries as texts of JSON, and the keys under which a row is found."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

from tui.language.folding import fold_accents
from tui.language.word import fold
from tui.records import dictionaries as records

_MAX_KEY = 200
"""Maximum characters of a key: nobody looks up a paragraph."""
_MAX_FORMS = 200
"""Maximum forms by which one entry is found: the verbs of Finnish and Turkish have thousands, most of them regular."""
_KINDS: Mapping[type, str] = {
    records.DictionaryEntry: "entry",
    records.TermFrequency: "frequency",
    records.TermPronunciation: "pronunciation",
}


def kind_of(row: records.DictionaryRow) -> str:
    """Name of the kind of a row, as the table has it."""
    return _KINDS[type(row)]


_values_of = {
    kind: attrgetter(*(field.name for field in fields(kind)))
    for kind in (*_KINDS, records.Sense, records.Example, records.PitchAccent)
}


def _values(record: Any) -> tuple[Any, ...]:
    """The fields of a row, or of a record in one, in their order."""
    values: tuple[Any, ...] = _values_of[type(record)](record)
    return values


_to_text = json.JSONEncoder(default=_values, ensure_ascii=False, separators=(",", ":")).encode


def pack(row: records.DictionaryRow) -> str:
    """A row as JSON: the fields in their order, those at the end left out that are empty."""
    values = list(_values(row))
    while values and not values[-1]:
        values.pop()
    return _to_text(values)


def unpack(kind: str, data: str) -> records.DictionaryRow:
    """The row of such a JSON."""
    values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in json.loads(data)]
    if kind == "frequency":
        return records.TermFrequency(*values, *("", "", None, "")[len(values) :])
    values += ("", "")[len(values) :]
    pitch = 3 if kind == "pronunciation" else 6
    if len(values) > pitch:
        values[pitch] = tuple(records.PitchAccent(*each) for each in values[pitch])
    if kind == "pronunciation":
        return records.TermPronunciation(*values)
    if len(values) > 3:
        values[3] = tuple(
            records.Sense(tuple(glosses), tuple(tags), tuple(records.Example(*each) for each in examples))
            for glosses, tags, examples in values[3]
        )
    return records.DictionaryEntry(*values)


def keys(row: records.DictionaryRow, language: str | None) -> Iterator[tuple[str, records.Match]]:
    """The keys of a row, each with what it stands for; a key may come more than once."""
    key = term_key(row.term, language)
    yield key, "term"
    if (bare := fold_accents(key)) != key:
        yield bare, "bare"
    if row.reading:
        yield term_key(row.reading, language), "reading"
    if isinstance(row, records.DictionaryEntry):
        for form in row.forms[:_MAX_FORMS]:
            yield term_key(form, language), "form"


def term_key(text: str, language: str | None) -> str:
    """Key of a text that is looked up: as words are counted under, so that case and signs make no difference."""
    return fold(text.strip()[:_MAX_KEY], language)
