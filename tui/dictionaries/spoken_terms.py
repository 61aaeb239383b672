"""Pronunciations and frequencies of a term, picked out of a look-up: of its entries, and of other dictionaries."""

from __future__ import annotations

from tui.records.dictionaries import DictionaryEntry, PitchAccent, TermFrequency
from tui.records.lookups import LookUp
from tui.text.sanitize import one_line


def pronunciations_of(found: LookUp, term: str, reading: str = "") -> tuple[str, ...]:
    """Collect the IPA pronunciations of a term, each once; of any reading where none is named."""
    said = [ipa for entry in _entries(found, term, reading) for ipa in entry.pronunciations]
    said += [
        ipa
        for _, row in found.pronunciations
        if _is_of(row.term, row.reading, term, reading)
        for ipa in row.pronunciations
    ]
    return tuple(dict.fromkeys(said))


def pitches_of(found: LookUp, term: str, reading: str = "") -> tuple[PitchAccent, ...]:
    """Collect the pitch accents of a term, each once; of any reading where none is named."""
    said = [pitch for entry in _entries(found, term, reading) for pitch in entry.pitch]
    said += [
        pitch for _, row in found.pronunciations if _is_of(row.term, row.reading, term, reading) for pitch in row.pitch
    ]
    return tuple(dict.fromkeys(said))


def frequencies_of(found: LookUp, term: str, reading: str = "") -> tuple[tuple[str, TermFrequency], ...]:
    """How frequent each dictionary says that a term is, one line a dictionary, with its title."""
    said: dict[str, TermFrequency] = {}
    for title, row in found.frequencies:
        if _is_of(row.term, row.reading, term, reading):
            said.setdefault(title, row)
    return tuple(said.items())


def frequency_text(title: str, row: TermFrequency) -> str:
    """Say how common a dictionary says that a term is, in its own words: "345 in JPDB"."""
    return one_line(f"{row.shown} in {title}")


def _entries(found: LookUp, term: str, reading: str) -> list[DictionaryEntry]:
    every = (each.entry for each in found.entries)
    return [entry for entry in every if _is_of(entry.term, entry.reading, term, reading)]


def _is_of(term: str, reading: str, wanted: str, wanted_reading: str) -> bool:
    return term == wanted and (not reading or not wanted_reading or reading == wanted_reading)
