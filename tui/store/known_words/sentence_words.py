"""Words of a transcript by their sentences, packed so that they are counted without a step of Python's for each.

``ids`` are the numbers of its different words. A sentence is a row of places in ``ids``, from 1 on, each different word
once, with a 0 behind it; words that stand in a sentence more than once are in ``repeated`` besides, which only counts.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from struct import Struct

from tui.records.word_states import WordState
from tui.records.words import WordCounts
from tui.store.known_words.word_rows import CODES

_HEAD = Struct("<BIII")
NUMBER_BYTES = 4
KNOWN, NEW, OTHER = 1, 2, 3
"""Flags of words: one that counts as known, a new one, one in between; 0 is the end of a sentence."""
_SHORT = 0xD800
"""Places from which on they take four bytes: as two, some would be halves of one character (``_as_text``)."""
_FEW_SENTENCES = 20
_CHARACTERS = 0x110000
"""Number of characters that there can be."""


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """Words of a transcript; ``cues`` and ``offsets`` are the places where its sentences begin."""

    ids: array[int]
    places: array[int]
    repeated: array[int]
    cues: array[int]
    offsets: array[int]

    @classmethod
    def of(cls, sentences: Iterable[tuple[int, int, Sequence[int]]]) -> SentenceWords:
        """Pack sentences: the cue and the offset where each begins, and the numbers of its words."""
        place_of: dict[int, int] = {}
        places, repeated = list[int](), list[int]()
        cues, offsets = array("I"), array("I")
        for cue, offset, numbers in sentences:
            found = [place_of.setdefault(number, len(place_of) + 1) for number in numbers]
            different = dict.fromkeys(found)
            if len(different) < len(found):
                for place in different:
                    found.remove(place)
                repeated += found
            places += different
            places.append(0)
            cues.append(cue)
            offsets.append(offset)
        kind = "H" if len(place_of) < _SHORT else "I"
        return cls(array("I", place_of), array(kind, places), array(kind, repeated), cues, offsets)

    @classmethod
    def unpacked(cls, ids: bytes, sentences: bytes) -> SentenceWords:
        """Read what ``packed`` made. Raises ``ValueError`` and ``struct.error`` for what is no such thing."""
        size, *counts = _HEAD.unpack_from(sentences)
        kind, begin = ("H" if size == 2 else "I"), _HEAD.size
        parts = []
        for each, count in zip((kind, kind, "I", "I"), (counts[0], counts[1], counts[2], counts[2]), strict=True):
            end = begin + count * (size if each == kind else NUMBER_BYTES)
            parts.append(_array(each, sentences[begin:end]))
            begin = end
        return cls(_array("I", ids), *parts)

    def packed(self) -> tuple[bytes, bytes]:
        """The numbers of the words, and their sentences, for two columns."""
        head = _HEAD.pack(self.places.itemsize, len(self.places), len(self.repeated), len(self.cues))
        parts = map(_bytes, (self.places, self.repeated, self.cues, self.offsets))
        return _bytes(self.ids), head + b"".join(parts)

    def ids_as_text(self) -> str:
        """The numbers of the words as characters (``number_character``): one is found in a text at once."""
        try:
            return _as_text(self.ids)
        except UnicodeDecodeError:  # there is none for such a number
            return _as_text(array("I", (number % _CHARACTERS for number in self.ids)))

    def flags(self, flags: bytes) -> bytes:
        """The flags of the words in their sentences, with a 0 behind each; ``flags`` are by the numbers of words."""
        return _at(b"\0" + _at(flags, self.ids), self.places)

    def counts(self, flags: bytes) -> WordCounts:
        """Count the words; ``flags`` are by the numbers of words. Raises ``IndexError`` for a number that has none."""
        different = _at(flags, self.ids)
        own = b"\0" + different
        words, repeated = _at(own, self.places), _at(own, self.repeated)
        return WordCounts(
            words=len(words) - len(self.cues) + len(repeated),
            different=len(different),
            new=different.count(NEW),
            known=words.count(KNOWN) + repeated.count(KNOWN),
            sentences=len(self.cues),
            one_new=words.translate(None, bytes((KNOWN,))).split(b"\0").count(bytes((NEW,))),
        )

    def recounted(self, old: WordCounts, changed: Iterable[int], before: bytes, after: bytes) -> WordCounts | None:
        """Count anew what other flags of a few words change; None where they are in so many sentences that all should.

        ``old`` are the counts by the flags ``before``. Takes a fifth of the time of ``counts``.
        """
        known = new = 0
        rows: dict[int, array[int]] = {}
        ids, text = self.ids.tobytes(), _as_text(self.places)
        for number in changed:
            index = _find(ids, number)
            if index < 0 or before[number] == after[number]:  # a word that was added since has no flag before
                continue
            was, now = before[number], after[number]
            hits, at, place = 0, -1, chr(index + 1)
            while (at := text.find(place, at + 1)) >= 0:
                if (hits := hits + 1) > _FEW_SENTENCES:
                    return None
                begin = text.rfind("\0", 0, at) + 1
                rows[begin] = self.places[begin : text.find("\0", at)]
            count = hits + self.repeated.count(index + 1)
            known += count * ((now == KNOWN) - (was == KNOWN))
            new += (now == NEW) - (was == NEW)
        one_new = sum(self._is_one_new(row, after) - self._is_one_new(row, before) for row in rows.values())
        return WordCounts(  # "replace" takes five times as long
            words=old.words,
            different=old.different,
            new=old.new + new,
            known=old.known + known,
            sentences=old.sentences,
            one_new=old.one_new + one_new,
        )

    def _is_one_new(self, row: Iterable[int], flags: bytes) -> bool:
        return [flag for place in row if (flag := flags[self.ids[place - 1]]) != KNOWN] == [NEW]


def _find(data: bytes, number: int) -> int:
    """The place of a number in the bytes of an array of word numbers, -1 for none."""
    wanted = number.to_bytes(NUMBER_BYTES, sys.byteorder)
    at = data.find(wanted)
    while at % NUMBER_BYTES and at >= 0:
        at = data.find(wanted, at + 1)
    return at // NUMBER_BYTES


def _as_text(values: array[int]) -> str:
    """Numbers as the characters of a text, which is the quickest thing to find one in."""
    bits, order = 8 * values.itemsize, "le" if sys.byteorder == "little" else "be"
    return values.tobytes().decode(f"utf-{bits}-{order}", "surrogatepass")


def flags_of(codes: bytes | bytearray, known: Iterable[WordState]) -> bytes:
    """The flags of words by their states, where these states count as known."""
    counted = {*known} - {"new"}
    table = bytearray(range(256))
    for state, code in CODES.items():
        table[code] = KNOWN if state in counted else NEW if state == "new" else OTHER
    return bytes(codes.translate(table))


def number_character(number: int) -> str:
    """A word's number as it stands in ``ids_as_text``; beyond a million words, some have the same one."""
    return chr(number % _CHARACTERS)


def _at(flags: bytes, places: array[int]) -> bytes:
    """The flags at these places; ``itemgetter`` takes half of the time of ``map``."""
    if len(places) < 2:
        return bytes(flags[place] for place in places)
    return bytes(itemgetter(*places)(flags))


def _bytes(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values = array(values.typecode, values)
        values.byteswap()
    return values.tobytes()


def _array(kind: str, data: bytes) -> array[int]:
    values = array(kind)
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
