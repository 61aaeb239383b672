"""Sentences with their ends marked, a file per language, and how well a cutter finds those ends.

``python -m tests.language.sentences.marked_sentences`` prints the figures.

Each line is a passage. ``|`` ends a sentence, ``⏎`` is a line end (``⏎⏎`` a blank line), ``␣`` a no-break space
(U+00A0) and ``˽`` a narrow one (U+202F), which nobody would see otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tui.language.text_sentences import each_sentence

Cutter = Callable[[str, str], Iterable[str]]
"""Function from a text and its language to its sentences."""

_SIGNS = str.maketrans({"⏎": "\n", "␣": "\u00a0", "˽": "\u202f"})
LANGUAGES = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.txt")))


@dataclass(frozen=True, slots=True)
class Passage:
    """A text and its sentences as they are marked."""

    text: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Ends inside passages: found rightly, found where none is, and not found."""

    right: int
    wrong: int
    missed: int

    @property
    def f1(self) -> float:
        return 2 * self.right / (2 * self.right + self.wrong + self.missed)


def passages(language: str) -> tuple[Passage, ...]:
    """The marked passages of a language."""
    lines = (Path(__file__).parent / f"{language}.txt").read_text("utf-8").splitlines()
    marked = (line.translate(_SIGNS) for line in lines if line.strip())
    return tuple(Passage(line.replace("|", ""), tuple(line.split("|"))) for line in marked)


def ends(sentences: Iterable[str]) -> frozenset[int]:
    """Number of characters, less white space, before each end but the last."""
    counts = [len("".join(sentence.split())) for sentence in sentences]
    return frozenset(sum(counts[:number]) for number in range(1, len(counts))) - {0, sum(counts)}


def score(marked: Sequence[Passage], language: str, cutter: Cutter) -> Score:
    """Compare the ends that a cutter finds with those that are marked."""
    right = wrong = missed = 0
    for passage in marked:
        expected, found = ends(passage.sentences), ends(cutter(passage.text, language))
        right += len(expected & found)
        wrong += len(found - expected)
        missed += len(expected - found)
    return Score(right, wrong, missed)


def table(cutter: Cutter) -> str:
    """The figures of all languages, as lines of a table."""
    lines = ["language  ends  right  wrong  missed     F1"]
    for language in LANGUAGES:
        found = score(passages(language), language, cutter)
        figures = f"{found.right + found.missed:4}  {found.right:5}  {found.wrong:5}  {found.missed:6}  {found.f1:.3f}"
        lines.append(f"{language:8}  {figures}")
    return "\n".join(lines)


def our_cutter(text: str, language: str) -> Iterable[str]:
    """Cut a text as imports do."""
    return each_sentence(text.split("\n"), language)
