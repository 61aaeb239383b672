"""Sentences of a transcript, page by page; none is kept: cues are joined and cut as they are read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import islice

from tui.language.cue_sentences import SAMPLE, CueSentence, cuts_sentences, each_sentence
from tui.records import Cue, Page, Sentence
from tui.store.tables.page_cursors import cursor, cursor_numbers, invalid_cursor, page_limit

_NUMBERS = 6
"""Numbers in a cursor: transcript; index, cue and offset of the next sentence and whether it is whole; the total."""


def sentence_page(
    connection: sqlite3.Connection, transcript: sqlite3.Row, offset: int, limit: int, after: str | None
) -> Page[Sentence]:
    """A page of the sentences of a transcript, in their order; a cursor is one of this transcript.

    A page that is asked for by its offset takes as long as reading the whole transcript, as sentences are counted so.
    """
    seq, language, limit = transcript["seq"], transcript["language"], page_limit(limit)
    cutting = cuts_sentences(list(islice(_cues(connection, seq, 0), SAMPLE)))
    if after is None:
        offset, found, rest, counted = max(0, offset), [], None, 0
        for counted, sentence in enumerate(each_sentence(_cues(connection, seq, 0), language, cutting=cutting), 1):
            if offset < counted <= offset + limit:
                found.append(sentence)
            elif counted == offset + limit + 1:
                rest = sentence
        total, offset = counted, min(offset, counted)
        first = offset
    else:
        number, first, cue, begin, is_whole, total = cursor_numbers("sentences", after, _NUMBERS)
        if number != seq:
            raise invalid_cursor("sentences", after)
        sentences = each_sentence(
            _cues(connection, seq, cue), language, cutting=cutting, begin=begin, is_whole=bool(is_whole)
        )
        found, rest, offset = list(islice(sentences, limit)), next(sentences, None), 0
    items = tuple(_sentence(first + place, each) for place, each in enumerate(found))
    return Page(items, total, offset, None if rest is None else _cursor(seq, first + len(items), rest, total))


def _cursor(seq: int, index: int, following: CueSentence, total: int) -> str:
    part = following.parts[0]
    return cursor("sentences", seq, index, part.cue, part.start, int(following.is_whole), total)


def _cues(connection: sqlite3.Connection, seq: int, first: int) -> Iterator[Cue]:
    rows = connection.execute(
        "SELECT position, start_ms, end_ms, text, speaker FROM cues WHERE transcript = ? AND position >= ?"
        " ORDER BY position",
        (seq, first),
    )
    return (Cue(*row) for row in rows)


def _sentence(index: int, sentence: CueSentence) -> Sentence:
    return Sentence(
        index,
        sentence.start_ms,
        sentence.end_ms,
        sentence.text,
        sentence.speaker,
        sentence.first,
        sentence.last,
    )
