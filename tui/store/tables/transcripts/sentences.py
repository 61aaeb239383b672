"""Sentences of a transcript, page by page; none is kept: cues are joined and cut as they are read.

What cuts them is imported when it is asked for: the store is opened while the first rows are waited for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from tui.records.transcripts import Cue, Sentence

if TYPE_CHECKING:
    from tui.language.cue_sentences import CueSentence


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """Place of a sentence: its index out of ``total``, the cue and the offset in it where it begins.

    ``is_whole`` is 0 in a sentence that has too many cues and is left in them.
    """

    index: int
    cue: int
    begin: int
    is_whole: int
    total: int


@dataclass(frozen=True, slots=True)
class SentenceRows:
    """Sentences of a transcript in their order, how many there are in all, and where the next one is, if any is."""

    items: tuple[Sentence, ...]
    total: int
    next: SentencePlace | None


def sentences_from_offset(
    connection: sqlite3.Connection, transcript: int, language: str | None, offset: int, limit: int
) -> SentenceRows:
    """The sentences from a number on; takes as long as reading all cues, as sentences are counted so."""
    from tui.language.cue_sentences import each_sentence

    found: list[CueSentence] = []
    rest, total = None, 0
    cutting = _cutting(connection, transcript)
    for sentence in each_sentence(_cues(connection, transcript, 0), language, cutting=cutting):
        if offset <= total < offset + limit:
            found.append(sentence)
        elif total == offset + limit:
            rest = sentence
        total += 1
    return _rows(found, min(offset, total), rest, total)


def sentences_from(
    connection: sqlite3.Connection, transcript: int, language: str | None, place: SentencePlace, limit: int
) -> SentenceRows:
    """The sentences from a place on."""
    from tui.language.cue_sentences import each_sentence

    sentences = each_sentence(
        _cues(connection, transcript, place.cue),
        language,
        cutting=_cutting(connection, transcript),
        begin=place.begin,
        is_whole=bool(place.is_whole),
    )
    found = list(islice(sentences, limit))
    return _rows(found, place.index, next(sentences, None), place.total)


def _rows(found: list[CueSentence], first: int, rest: CueSentence | None, total: int) -> SentenceRows:
    items = tuple(_sentence(first + number, each) for number, each in enumerate(found))
    if rest is None:
        return SentenceRows(items, total, None)
    part = rest.parts[0]
    return SentenceRows(
        items, total, SentencePlace(first + len(items), part.cue, part.start, int(rest.is_whole), total)
    )


def _cutting(connection: sqlite3.Connection, transcript: int) -> bool:
    from tui.language.cue_sentences import SAMPLE, cuts_sentences

    return cuts_sentences(list(islice(_cues(connection, transcript, 0), SAMPLE)))


def _cues(connection: sqlite3.Connection, transcript: int, first: int) -> Iterator[Cue]:
    rows = connection.execute(
        "SELECT position, start_ms, end_ms, text, speaker FROM cues WHERE transcript = ? AND position >= ?"
        " ORDER BY position",
        (transcript, first),
    )
    return (Cue(*row) for row in rows)


def _sentence(index: int, sentence: CueSentence) -> Sentence:
    return Sentence(
        index, sentence.start_ms, sentence.end_ms, sentence.text, sentence.speaker, sentence.first, sentence.last
    )
