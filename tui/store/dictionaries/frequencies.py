"""Frequency lists of dictionaries: the terms of a language in the order of how common they are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from tui.language.scripts import is_word_of
from tui.language.tags import base_language
from tui.language.words import fold
from tui.records.dictionaries import Dictionary, TermFrequency
from tui.store.dictionaries.packing import unpack

if TYPE_CHECKING:
    from tui.store.dictionaries.dictionary_store import DictionaryStore

_SAMPLE = 50
_MAX_TERMS = 1_000_000
"""Maximum terms of a list that are ranked: nobody learns what comes behind."""


def frequency_dictionary(store: DictionaryStore, language: str) -> Dictionary | None:
    """The first dictionary with frequencies of this language, None where there is none.

    One that doesn't say its language is taken where its terms are written as the language is.
    """
    base = base_language(language)
    counting = [each for each in store.all() if each.frequency_mode is not None]
    named = (each for each in counting if each.source_language and base_language(each.source_language) == base)
    unnamed = (each for each in counting if not each.source_language and _looks_like(store, each, base))
    return next(named, None) or next(unnamed, None)


def ranked_terms(store: DictionaryStore, dictionary: Dictionary) -> list[TermFrequency]:
    """The terms of a list, the commonest first; those that have no number are left out.

    Takes some seconds for half a million.
    """
    rows = islice(_frequencies(store, dictionary), _MAX_TERMS)
    found = [row for row in rows if row.value is not None]
    is_rank = dictionary.frequency_mode == "rank-based"
    found.sort(key=lambda row: (row.value or 0) if is_rank else -(row.value or 0))
    return found


def ranks(terms: Iterable[TermFrequency], language: str) -> dict[tuple[str, str], int]:
    """Rank, from 1 on, of each folded term, and of each with the reading where one is given."""
    found: dict[tuple[str, str], int] = {}
    for term in terms:
        rank = len(found) + 1
        folded = fold(term.term, language)
        found.setdefault((folded, ""), rank)
        if term.reading:
            found.setdefault((folded, term.reading), rank)
    return found


def _looks_like(store: DictionaryStore, dictionary: Dictionary, language: str) -> bool:
    terms = [row.term for row in islice(_frequencies(store, dictionary), _SAMPLE)]
    return sum(is_word_of(language, term) for term in terms) > len(terms) / 2


def _frequencies(store: DictionaryStore, dictionary: Dictionary) -> Iterator[TermFrequency]:
    for kind, data in store.rows_of(dictionary.id, "frequency"):
        try:
            row = unpack(kind, data)
        except (json.JSONDecodeError, TypeError, ValueError):
            continue
        if isinstance(row, TermFrequency):
            yield row
