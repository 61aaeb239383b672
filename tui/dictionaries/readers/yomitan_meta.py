"""Rows of Yomitan's banks of what is known of terms: ``[term, "freq" | "pitch" | "ipa", value]``.

Source: yomitan's ext/data/schemas/dictionary-term-meta-bank-v3-schema.json. A frequency is a number, a text, or an
object with ``value`` and ``displayValue``, and it may stand in an object beside a ``reading``. A pitch is the mora
after which it falls, or its course as "LHHL", high and low for each mora and what follows the word.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tui.dictionaries.dictionary_file import clean_line, clean_term, distinct
from tui.records.dictionaries import PitchAccent, TermFrequency, TermPronunciation

_LARGEST = 2**53
"""Largest frequency that is taken for one; a text of the world has fewer words."""
_MOST_PITCHES = 20
_NUMBER = re.compile(r"[0-9]{1,16}(?:,[0-9]{3}){0,5}")


class _MetaRow(msgspec.Struct, array_like=True):
    term: str
    mode: str
    value: Any


_ROW = msgspec.json.Decoder(_MetaRow)


def meta_row(raw: msgspec.Raw) -> TermFrequency | TermPronunciation | None:
    """Read frequency, pitch or IPA off a row, None where it has none; raises ``msgspec`` errors for wrong types."""
    row = _ROW.decode(raw)
    term, value = clean_term(row.term), row.value
    reading = value.get("reading") if isinstance(value, dict) else ""
    reading = clean_term(reading) if isinstance(reading, str) else ""
    if not term:
        return None
    if row.mode == "freq":
        inner = value["frequency"] if isinstance(value, dict) and "frequency" in value else value
        return _frequency(term, reading if reading != term else "", inner)
    if not isinstance(value, dict):
        return None
    if row.mode == "pitch":
        return _pitch(term, reading, value.get("pitches"))
    if row.mode == "ipa":
        return _ipa(term, reading, value.get("transcriptions"))
    return None


def _frequency(term: str, reading: str, value: object) -> TermFrequency | None:
    shown = value.get("displayValue") if isinstance(value, dict) else None
    number = value.get("value") if isinstance(value, dict) else value
    if isinstance(number, str):
        shown = shown or number
        found = _NUMBER.search(number)
        number = int(found[0].replace(",", "")) if found else None
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= _LARGEST:
        number = None
    text = clean_line(shown) if isinstance(shown, str) else ""
    if number is None and not text:
        return None
    return TermFrequency(term, reading, None if number is None else int(number), text or f"{number:g}")


def _pitch(term: str, reading: str, pitches: object) -> TermPronunciation | None:
    reading = reading or term
    rows = pitches[:_MOST_PITCHES] if isinstance(pitches, list) else []
    positions = [_position(each.get("position")) for each in rows if isinstance(each, dict)]
    accents = dict.fromkeys(PitchAccent(reading, position) for position in positions if position is not None)
    return TermPronunciation(term, "" if reading == term else reading, pitch=tuple(accents)) if accents else None


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
    found = distinct(clean_line(each) for each in given if isinstance(each, str))
    return TermPronunciation(term, "" if reading == term else reading, found) if found else None
