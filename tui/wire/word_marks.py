"""Marks of words on the wire: grouped by language and state, so that fifty thousand of them fit into one request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby, repeat

from tui.records.word_states import WordState
from tui.records.words import WordMark


@dataclass(frozen=True, slots=True)
class MarkGroup:
    """Lemmas of a language that get the same state; ``readings`` are theirs in the same order, or none of all."""

    language: str
    state: WordState
    lemmas: tuple[str, ...]
    readings: tuple[str, ...] = ()


def grouped(marks: Iterable[WordMark]) -> tuple[MarkGroup, ...]:
    """Group marks; of two for the same word the later one stays the later one."""
    groups: list[MarkGroup] = []
    kinds = groupby(marks, lambda mark: (mark.language, mark.state, bool(mark.reading)))
    for (language, state, has_readings), found in kinds:
        lemmas, readings = zip(*((mark.lemma, mark.reading) for mark in found), strict=True)
        groups.append(MarkGroup(language, state, lemmas, readings if has_readings else ()))
    return tuple(groups)


def marks_of(groups: Iterable[MarkGroup]) -> Iterator[WordMark]:
    """The marks of groups; a reading that is missing is that of no reading."""
    for group in groups:
        for lemma, reading in zip(group.lemmas, chain(group.readings, repeat("")), strict=False):
            yield WordMark(group.language, lemma, reading, group.state)
