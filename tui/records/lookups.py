"""Look-ups in dictionaries: the rows that a key finds, and the entries that fit a word as it stands in its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tui.records.dictionaries import Dictionary, DictionaryEntry, TermFrequency, TermPronunciation

DictionaryRow: TypeAlias = DictionaryEntry | TermFrequency | TermPronunciation

Match = Literal["term", "reading", "form", "bare"]
"""Text of a row that a key was made of: the term, its reading, one of its other forms, or the term without accents."""

Way = Literal["surface", "lemma", "phrase", "part", "accents"]
"""How an entry was found: as the word stands there, by its dictionary form, as a phrase that it belongs to in its
sentence ("fährt … ab", "noch nicht"), as a part of it, or by the same letters with other accents."""

OTHER = "may be meant as well"
"""Remark on the entry that is the other choice, behind its head."""


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row that was looked up: the ``key`` that it was found by, and which of its texts that is.

    ``position`` is the place of its dictionary in the order in which they are asked.
    """

    dictionary: Dictionary
    position: int
    key: str
    match: Match
    row: DictionaryRow


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """An entry that fits a word, the dictionary that it is of (without its description), and how it was found."""

    entry: DictionaryEntry
    dictionary: Dictionary
    way: Way


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry as a short text for a model, and the title and licence of its dictionary.

    Of own words there is the term and what was written that it means instead.
    """

    text: str
    dictionary: str = ""
    own_term: str = ""
    own_meaning: str = ""


@dataclass(frozen=True, slots=True)
class LookUp:
    """Result of looking a word up: entries, the likeliest first, and frequencies and pronunciations of their terms.

    Each comes with the title of the dictionary that says so. ``other`` is the place of the entry that may as well be
    meant as the first: a word of another kind that looks the same there, 0 where there is none.
    """

    word: str
    entries: tuple[FoundEntry, ...] = ()
    frequencies: tuple[tuple[str, TermFrequency], ...] = ()
    pronunciations: tuple[tuple[str, TermPronunciation], ...] = ()
    other: int = 0

    def is_other(self, found: FoundEntry) -> bool:
        """Whether it is the entry that may as well be meant, or one that ``by_dictionary`` made of it."""
        return self.other > 0 and _word_of(found) == _word_of(self.entries[self.other])


def _word_of(found: FoundEntry) -> tuple[object, ...]:
    entry = found.entry
    return found.dictionary.id, found.way, entry.term, entry.reading, entry.part_of_speech


def by_dictionary(entries: Iterable[FoundEntry]) -> list[list[FoundEntry]]:
    """The entries of each dictionary together, as they are shown: in the order in which the first of each comes.

    What one says of a word in several entries is one entry, with all their senses: FreeDict has one for each.
    """
    found: dict[str, list[list[FoundEntry]]] = {}
    for each in entries:
        of_dictionary = found.setdefault(each.dictionary.id, [])
        group = next((group for group in of_dictionary if _are_on_one_word(group[0], each)), None)
        if group is None:
            of_dictionary.append([each])
        else:
            group.append(each)
    return [[_join(group) for group in groups] for groups in found.values()]


def _are_on_one_word(one: FoundEntry, other: FoundEntry) -> bool:
    first, second = one.entry, other.entry
    is_kind = first.part_of_speech == second.part_of_speech or not (first.part_of_speech and second.part_of_speech)
    is_word = (first.term, first.reading, one.way) == (second.term, second.reading, other.way)
    return is_kind and is_word and not (first.html or second.html)


def _join(found: Sequence[FoundEntry]) -> FoundEntry:
    """One entry of several on a word; what only some are tagged with stands at their senses."""
    first, *others = (each.entry for each in found)
    if not others:
        return found[0]
    common = tuple(tag for tag in first.tags if all(tag in each.tags for each in others))
    senses = [
        replace(sense, tags=(*(tag for tag in each.tags if tag not in common), *sense.tags))
        for each in (first, *others)
        for sense in each.senses
    ]
    joined = replace(
        first,
        part_of_speech=next((each.part_of_speech for each in (first, *others) if each.part_of_speech), ()),
        senses=tuple(senses),
        tags=common,
        forms=tuple(dict.fromkeys(form for each in (first, *others) for form in each.forms)),
        pronunciations=tuple(dict.fromkeys(each for entry in (first, *others) for each in entry.pronunciations)),
        related=tuple(dict.fromkeys(term for each in (first, *others) for term in each.related)),
    )
    return replace(found[0], entry=joined)
