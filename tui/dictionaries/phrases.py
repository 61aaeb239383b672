"""Phrases that a word may be a part of in its sentence: separable verbs, words in a row, words with a gap between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tui.language.focus import focus_spans
from tui.language.forms.capitals import is_noun_by_capital
from tui.language.forms.function_words import auxiliaries, links, pronouns
from tui.language.segmentation import words
from tui.language.separable_verbs import ends_clause, separable_prefixes
from tui.language.word import Word
from tui.language.words import fold

_LONGEST_SENTENCE = 2_000
_LONGEST_PHRASE = 5
"""Maximum words of a phrase."""
_WIDEST_GAP = 15
"""Maximum words between the parts of a phrase with a gap ("ne … pas"); a separable verb may be wider apart."""
_WIDEST_CLAUSE = 30
_ENDS_SENTENCE = re.compile(r"[.!?…;](?=\s|\Z)")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as a dictionary may have it.

    ``stands`` tells that it stands in the sentence as it is, not only with the word in another form of it.
    """

    text: str
    stands: bool


def phrases_with(stems: Sequence[str], behind: Sequence[str], language: str | None, sentence: str) -> Iterator[Phrase]:
    """Iterate over the phrases with a word, which is given as it stands there and then in its dictionary form.

    ``behind`` is what stands behind a gap where the focus has one ("fährt … ab").
    """
    if behind:
        for stem in reversed(stems):
            yield Phrase("".join(reversed([stem, *behind])), stands=True)
        for stem in stems:
            yield Phrase(" ".join([stem, *behind]), stands=True)
    sentence = sentence[:_LONGEST_SENTENCE]
    spans = focus_spans(sentence, stems[0]) if stems else ()
    cut = words(sentence, language) if spans else ()
    at = [number for number, word in enumerate(cut) if word.start < spans[-1][1] and word.end > spans[0][0]]
    if not at:
        return
    if not behind and is_noun_by_capital(stems[0], language, sentence) is not True:
        yield from _separable(stems, cut, at[-1], language, sentence)
    for word in cut[at[-1] + 1 : at[-1] + 1 + _WIDEST_GAP]:
        yield from (Phrase(f"{stem} … {word.text}", stands=True) for stem in stems)
    for word in cut[max(0, at[0] - _WIDEST_GAP) : at[0]]:
        yield from (Phrase(f"{word.text} … {stem}", stands=True) for stem in stems)
    small = pronouns(language) | auxiliaries(language)
    open_ends = links(language)
    prefixes = separable_prefixes(language)
    for first in range(max(0, at[-1] - _LONGEST_PHRASE + 1), at[0] + 1):
        for last in range(max(at[-1], first + 1), min(len(cut), first + _LONGEST_PHRASE)):
            ends = fold(cut[first].text, language), fold(cut[last].text, language)
            is_whole = ends[0] not in small and ends[0] != "to" and ends[1] not in small | open_ends
            is_whole &= ends[1] not in prefixes or ends_clause(sentence, cut[last].end, language)
            yield Phrase(sentence[cut[first].start : cut[last].end], stands=is_whole)
            before, after = sentence[cut[first].start : spans[0][0]], sentence[spans[-1][1] : cut[last].end]
            yield from (Phrase(f"{before}{stem}{after}", stands=False) for stem in stems[1:])


def _separable(
    stems: Sequence[str], cut: Sequence[Word], at: int, language: str | None, sentence: str
) -> Iterator[Phrase]:
    """The verb joined with the particle that ends its clause: "steht … auf" is aufstehen, "um sechs" nothing."""
    prefixes = separable_prefixes(language)
    verb = stems[-1]
    if not verb.endswith("n") or not verb[:1].islower():  # an infinitive, and no noun
        return
    for number in range(at + 1, min(len(cut), at + 1 + _WIDEST_CLAUSE)):
        word = cut[number]
        if _ENDS_SENTENCE.search(sentence[cut[number - 1].end : word.start]):
            return
        if fold(word.text, language) in prefixes and ends_clause(sentence, word.end, language):
            yield Phrase(fold(word.text, language) + verb, stands=True)
