"""The glossaries as a dictionary, which is always there: meanings with no key, network or download.

They were written for their stories: of a sentence of one they are asked first, of all others last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tui.language.tags import base_language
from tui.language.words import fold
from tui.records.dictionaries import Dictionary, DictionaryEntry, FoundRow, Match
from tui.samples import SAMPLES, read
from tui.samples.glossaries import read_entries

TITLE = "Lode's glossary"
_LAST = 1_000_000
"""Place behind all dictionaries that anybody has."""
_FIRST = 0
"""Place of the first of these, before which a glossary's rows are given."""
_MARKUP = re.compile(r"^\d+$|^\d\d:.*-->.*$", re.M)


def find_in_glossaries(keys: Sequence[str], language: str | None, sentence: str = "") -> list[FoundRow]:
    """The rows of the language's glossary with one of these keys; nothing for a language without one.

    They have the first place where the ``sentence`` is of its story, and else the last.

    Blocks for some milliseconds when it is asked first.
    """
    base = base_language(language)
    rows = _rows(base) if base in {sample.language for sample in SAMPLES} else {}
    place = _FIRST if rows and sentence and _bare(sentence) in _story(base) else _LAST
    return [
        FoundRow(_dictionary(base), place, key, match, entry)
        for key in dict.fromkeys(keys)
        for match, entry in rows.get(key, ())
    ]


@cache
def _story(language: str) -> str:
    """The letters of the language's story."""
    sample = next(sample for sample in SAMPLES if sample.language == language)
    return _bare(sample.title) + "\n" + _bare(_MARKUP.sub("", read(sample).decode()))


def _bare(text: str) -> str:
    """A text without what cues and sentences are cut at."""
    return "".join(filter(str.isalnum, text))


@cache
def _rows(language: str) -> Mapping[str, Sequence[tuple[Match, DictionaryEntry]]]:
    rows: dict[str, list[tuple[Match, DictionaryEntry]]] = {}
    for entry in read_entries(language):
        for text, match in _texts(entry):
            rows.setdefault(fold(text, language), []).append((match, entry))
    return rows


def _texts(entry: DictionaryEntry) -> Iterator[tuple[str, Match]]:
    yield entry.term, "term"
    if entry.reading:
        yield entry.reading, "reading"
    for form in entry.forms:
        yield form, "form"


@cache
def _dictionary(language: str) -> Dictionary:
    return Dictionary(
        id=f"glossary-{language}",
        title=TITLE,
        format="glossary",
        revision="",
        source_language=language,
        target_language="en",
        author="Lode",
        url="",
        description="The words of the sample stories.",
        attribution="",
        license="free for any use",
        frequency_mode=None,
        entry_count=len(read_entries(language)),
        size_bytes=0,
        created_at="",
    )
