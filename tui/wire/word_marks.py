"""Marks of words on the wire: grouped by language and state, so that fifty thousand of them fit into one request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
    groups: list[tuple[tuple[str, WordState, bool], list[WordMark]]] = []
    for mark in marks:
        kind = mark.language, mark.state, bool(mark.reading)
        if not groups or groups[-1][0] != kind:
            groups.append((kind, []))
        groups[-1][1].append(mark)
    return tuple(
        MarkGroup(
            language,
            state,
            tuple(mark.lemma for mark in found),
            tuple(mark.reading for mark in found) if has_readings else (),
        )
        for (language, state, has_readings), found in groups
    )


def marks_of(groups: Iterable[MarkGroup]) -> Iterator[WordMark]:
    """The marks of groups; a reading that is missing is that of no reading."""
    for group in groups:
        for number, lemma in enumerate(group.lemmas):
            reading = group.readings[number] if number < len(group.readings) else ""
            yield WordMark(group.language, lemma, reading, group.state)
