"""Packed sentences: their counts, against counting word by word, whatever the sentences and flags."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.records.words import WordCounts
from tui.store.known_words.sentence_words import KNOWN, NEW, OTHER, SentenceWords, number_character

pytestmark = pytest.mark.exhaustive

NUMBERS = st.one_of(st.integers(1, 9), st.sampled_from([255, 256, 257, 511, 512]))
SENTENCES = st.lists(st.lists(NUMBERS, min_size=1, max_size=9), max_size=40)
FLAGS = st.lists(st.sampled_from([KNOWN, NEW, OTHER]), min_size=513, max_size=513).map(bytes)


def packed(sentences: list[list[int]]) -> SentenceWords:
    return SentenceWords.of((index, index % 3, numbers) for index, numbers in enumerate(sentences))


def counted(sentences: list[list[int]], flags: bytes) -> WordCounts:
    running = [number for sentence in sentences for number in sentence]
    return WordCounts(
        words=len(running),
        different=len(set(running)),
        new=sum(flags[number] == NEW for number in set(running)),
        known=sum(flags[number] == KNOWN for number in running),
        sentences=len(sentences),
        one_new=sum(
            Counter(flags[number] for number in set(sentence) if flags[number] != KNOWN) == {NEW: 1}
            for sentence in sentences
        ),
    )


@settings(max_examples=40)
@given(SENTENCES, FLAGS)
def test_packed_sentences_are_counted_as_word_by_word(sentences: list[list[int]], flags: bytes) -> None:
    words = SentenceWords.unpacked(*packed(sentences).packed())
    assert words == packed(sentences)
    assert words.counts(flags) == counted(sentences, flags)
    assert list(words.cues) == list(range(len(sentences)))


@settings(max_examples=40)
@given(SENTENCES, FLAGS, st.lists(st.tuples(NUMBERS, st.sampled_from([KNOWN, NEW, OTHER])), max_size=4))
def test_what_changes_with_a_few_words_is_what_counting_all_anew_gives(
    sentences: list[list[int]], flags: bytes, changes: list[tuple[int, int]]
) -> None:
    words, after = packed(sentences), bytearray(flags)
    for number, flag in changes:
        after[number] = flag
    found = words.recounted(words.counts(flags), {number for number, _ in changes}, flags, bytes(after))
    assert found is None or found == words.counts(bytes(after))


def test_a_word_of_many_sentences_has_all_counted_anew() -> None:
    words, flags = packed([[1, 2]] * 30), bytes([0, NEW, NEW])
    assert words.recounted(words.counts(flags), [1], flags, bytes([0, KNOWN, NEW])) is None
    assert words.recounted(words.counts(flags), [1], flags, flags) == words.counts(flags)


def test_more_different_words_than_two_bytes_can_count() -> None:
    sentences = [[number, number + 1, number] for number in range(1, 70_000)]
    words, flags = packed(sentences), bytes([0] + [NEW, KNOWN] * 40_000)
    assert SentenceWords.unpacked(*words.packed()).counts(flags) == counted(sentences, flags)
    changed = bytearray(flags)
    changed[66_001] = OTHER
    found = words.recounted(words.counts(flags), [66_001], flags, bytes(changed))
    assert found == words.counts(bytes(changed))


def test_each_number_is_a_character_of_the_text_even_halves_and_those_beyond_the_last() -> None:
    numbers = [1, 0xD7FF, 0xD800, 0xDC00, 0xDFFF, 0x10FFFF]
    text = packed([numbers]).ids_as_text()
    assert [text.find(number_character(number)) for number in numbers] == [0, 1, 2, 3, 4, 5]
    assert number_character(2) not in text
    numbers = [7, 0x110000 + 8, 2**32 - 1]
    text = packed([numbers]).ids_as_text()
    assert [text.find(number_character(number)) for number in numbers] == [0, 1, 2]
    assert number_character(9) not in text
