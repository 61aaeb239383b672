"""Measure of word segmentation: boundaries found and missed in the marked sentences of ``marked_words/``.

A line is a sentence with its words parted by spaces; a ``+`` is a place where a cut is neither right nor wrong (endings
of verbs, parts of compounds, about which grammars differ). Boundaries at punctuation are not counted: nobody misses
those. ``python -m tests.language.word_boundaries`` prints the figures.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tui.language.word import Word

MARKED = Path(__file__).with_name("marked_words")


@dataclass(frozen=True, slots=True)
class Score:
    """Share of the cuts that are right, and share of the right ones that were made."""

    precision: float
    recall: float


def score(language: str, words: Callable[[str, str], Sequence[Word]]) -> Score:
    """The score of a segmentation on the marked sentences of a language."""
    right = wrong = missed = 0
    for line in MARKED.joinpath(f"{language}.txt").read_text("utf-8").splitlines():
        text, wanted, open_ones = _marked(line)
        cuts = {edge for word in words(text, language) for edge in (word.start, word.end)}
        inside = {at for at in range(1, len(text)) if _is_letter(text[at - 1]) and _is_letter(text[at])}
        found = cuts & inside - open_ones
        right += len(found & wanted)
        wrong += len(found - wanted)
        missed += len(wanted & inside - found)
    return Score(right / (right + wrong), right / (right + missed))


def _marked(line: str) -> tuple[str, set[int], set[int]]:
    """The text of a marked line, the places of its boundaries, and those that are open."""
    text, wanted, open_ones = "", set[int](), set[int]()
    for character in line:
        if character == " ":
            wanted.add(len(text))
        elif character == "+":
            open_ones.add(len(text))
        else:
            text += character
    return text, wanted, open_ones


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN"


def main() -> None:
    """Print the figures of each language, without and with its segmenter."""
    from tui.language import segmentation, words

    for path in sorted(MARKED.glob("*.txt")):
        for name, cut in (("without", words.words), ("with", segmentation.words)):
            found = score(path.stem, cut)
            print(f"{path.stem:8} {name:8} precision {found.precision:.2f}  recall {found.recall:.2f}")  # noqa: T201 - a program: printing is what it is for


if __name__ == "__main__":
    main()
