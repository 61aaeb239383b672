"""Rows of dictionaries as texts of JSON, and the keys under which a row is found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tui.language.folding import fold_accents
from tui.language.words import fold
from tui.records.dictionaries import (
    DictionaryEntry,
    DictionaryRow,
    Example,
    Match,
    PitchAccent,
    Sense,
    TermFrequency,
    TermPronunciation,
)

_MAX_KEY = 200
"""Maximum characters of a key: nobody looks up a paragraph."""
_MAX_FORMS = 200
"""Maximum forms by which one entry is found: the verbs of Finnish and Turkish have thousands, most of them regular."""


def kind_of(row: DictionaryRow) -> str:
    """Name of the kind of a row, as the table has it."""
    return _KINDS[type(row)]


def pack(row: DictionaryRow) -> str:
    """A row as JSON: the fields in their order, those at the end left out that are empty."""
    match row:
        case DictionaryEntry():
            senses = [
                [sense.glosses, sense.tags, [[each.text, each.translation] for each in sense.examples]]
                for sense in row.senses
            ]
            values: list[Any] = [
                *(row.term, row.reading, row.part_of_speech, senses, row.forms, row.pronunciations),
                *([[each.reading, each.position] for each in row.pitch], row.lemmas, row.related),
                *(row.score, row.tags, row.html),
            ]
        case TermFrequency():
            values = [row.term, row.reading, row.value, row.shown]
        case TermPronunciation():
            pitch = [[each.reading, each.position] for each in row.pitch]
            values = [row.term, row.reading, row.pronunciations, pitch]
    while values and not values[-1]:
        values.pop()
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def unpack(kind: str, data: str) -> DictionaryRow:
    """The row of such a JSON."""
    values = json.loads(data)
    if kind == "frequency":
        term, reading, value, shown = values + ["", "", None, ""][len(values) :]
        return TermFrequency(term, reading, value, shown)
    if kind == "pronunciation":
        term, reading, pronunciations, pitch = values + ["", "", [], []][len(values) :]
        return TermPronunciation(term, reading, tuple(pronunciations), _pitch(pitch))
    empty: list[Any] = ["", "", [], [], [], [], [], [], [], 0.0, [], ""]
    term, reading, part, senses, forms, pronunciations, pitch, lemmas, related, score, tags, html = (
        values + empty[len(values) :]
    )
    return DictionaryEntry(
        term,
        reading,
        tuple(part),
        tuple(
            Sense(tuple(glosses), tuple(of_sense), tuple(Example(*each) for each in examples))
            for glosses, of_sense, examples in senses
        ),
        tuple(forms),
        tuple(pronunciations),
        _pitch(pitch),
        tuple(lemmas),
        tuple(related),
        score,
        tuple(tags),
        html,
    )


def keys(row: DictionaryRow, language: str | None) -> Iterator[tuple[str, Match]]:
    """The keys of a row, each with what it stands for; a key may come more than once."""
    key = term_key(row.term, language)
    yield key, "term"
    if (bare := fold_accents(key)) != key:
        yield bare, "bare"
    if row.reading:
        yield term_key(row.reading, language), "reading"
    if isinstance(row, DictionaryEntry):
        for form in row.forms[:_MAX_FORMS]:
            yield term_key(form, language), "form"


def term_key(text: str, language: str | None) -> str:
    """Key of a text that is looked up: as words are counted under, so that case and signs make no difference."""
    return fold(text.strip()[:_MAX_KEY], language)


def _pitch(values: list[Any]) -> tuple[PitchAccent, ...]:
    return tuple(PitchAccent(*each) for each in values)


_KINDS: Mapping[type[DictionaryRow], str] = {
    DictionaryEntry: "entry",
    TermFrequency: "frequency",
    TermPronunciation: "pronunciation",
}
