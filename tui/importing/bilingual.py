"""Bilingual subtitles: two languages in one file, which is split into two.

A file of both has a line of each in each cue, or two cues at the same time. What tells the lines of one language from
those of the other is learned from the file itself, from the first and last lines of its cues: any two
languages can be split that the guess tells apart on all of them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import log
from typing import TypeAlias

from tui.importing.cue_list import make_cue_list
from tui.language.detection import guess_language
from tui.language.tags import base_language
from tui.records.transcripts import Cue, Ruby

_SAMPLE = 400
"""Cues by which a file is judged."""
_FIRST = 100
_FEWEST_CUES = 5
_MIN_SHARE_OF_BOTH = 0.6
"""Minimum share of the moments that have lines of both languages."""
_WELL_TOLD = 0.9
"""Minimum share of them whose lines are told apart as what they were learned as."""
_SAME_MOMENT_MS = 50
_SIGN = 5
"""Weight of a character of a script without spaces: a Japanese line may have English names in it."""
_WORD = re.compile(r"\w+")

_Line: TypeAlias = tuple[Cue, int, int]
"""A cue, and where one of its lines begins and ends in its text."""


@dataclass(frozen=True, slots=True)
class TwoLanguages:
    """The two languages of a file, that of the upper lines first, and what tells their lines apart."""

    first: str
    second: str
    _weights: dict[str, float]

    def leaning(self, line: str) -> float:
        """Positive for a line of the first language, negative for one of the second, 0 where nothing is known."""
        weights = self._weights
        return sum(weights.get(each, 0.0) * (_SIGN if len(each) == 1 else 1) for each in _features(line))


def find_two_languages(cues: Sequence[Cue], named: Sequence[str] = ()) -> TwoLanguages | None:
    """Find the languages of a subtitle that has two throughout, None where it has one or that is not clear.

    ``named`` are tags by which they are called where they are these ("zh-Hans", where the guess is "zh").
    """
    beginning = list(islice(cues, _FIRST))
    may_have_two = ("\n" in cue.text or cue.start_ms == after.start_ms for cue, after in pairwise(beginning))
    if sum(may_have_two) < len(beginning) // 3:
        return None  # most files, at no cost
    guessed = _guessed(_upper_and_lower(beginning))
    if None not in guessed and guessed[0] == guessed[1]:
        return None  # nearly all others
    both = _upper_and_lower(islice(cues, _SAMPLE))
    first, second = _guessed(both)
    if first is None or second is None or first == second:
        return None
    upper, lower = [lines[0] for lines in both], [lines[1] for lines in both]
    tags = {base_language(tag): tag for tag in named}
    found = TwoLanguages(tags.get(first, first), tags.get(second, second), _learned(upper, lower))
    told = sum(found.leaning(lines[0]) >= 0 >= found.leaning(lines[1]) for lines in both)
    return found if told >= _WELL_TOLD * len(both) else None


def split_languages(cues: Iterable[Cue], languages: TwoLanguages) -> tuple[Sequence[Cue], Sequence[Cue]]:
    """Split the cues into those of the first and of the second language, in the same order.

    A line that is in neither, a name or a sign, goes to both where it is alone.
    """
    ours, theirs = make_cue_list(), make_cue_list()
    for lines in _moments(cues):
        at = _division(lines, languages)
        for records, part in ((ours, lines[: at[0]]), (theirs, lines[at[1] :])):
            if part:
                records.append(_joined(part))
    return ours.values(), theirs.values()


def _upper_and_lower(cues: Iterable[Cue]) -> list[tuple[str, str]]:
    """The first and the last line of each moment; none where too few moments have two."""
    moments = list(_moments(cues))
    both = [(_text(lines[0]), _text(lines[-1])) for lines in moments if len(lines) > 1]
    return both if len(both) >= max(_FEWEST_CUES, _MIN_SHARE_OF_BOTH * len(moments)) else []


def _guessed(both: Sequence[tuple[str, str]]) -> tuple[str | None, str | None]:
    upper, lower = (guess_language("\n".join(lines)) for lines in (zip(*both, strict=True) if both else ((), ())))
    return upper, lower


def _moments(cues: Iterable[Cue]) -> Iterator[list[_Line]]:
    """The lines that are shown at the same time, of one cue or of several."""
    lines: list[_Line] = []
    begun: tuple[int, int] | None = None
    for cue in cues:
        time = None if cue.start_ms is None or cue.end_ms is None else (cue.start_ms, cue.end_ms)
        if begun is None or time is None or any(abs(a - b) > _SAME_MOMENT_MS for a, b in zip(begun, time, strict=True)):
            if lines:
                yield lines
            lines, begun = [], time
        lines += [(cue, match.start(), match.end()) for match in re.finditer(r"[^\n]+", cue.text) if match[0].strip()]
    if lines:
        yield lines


def _division(lines: Sequence[_Line], languages: TwoLanguages) -> tuple[int, int]:
    """Divide the lines: the number of those of the first language, and the index at which the second's begin."""
    leanings = [languages.leaning(_text(line)) for line in lines]
    if len(lines) == 1 and leanings[0] == 0:
        return 1, 0
    best = max(range(len(lines) + 1), key=lambda at: sum(leanings[:at]) - sum(leanings[at:]))
    return best, best


def _joined(lines: Sequence[_Line]) -> Cue:
    """One cue of lines that follow each other, with the readings that stand in them."""
    texts: list[str] = []
    ruby: list[Ruby] = []
    length = 0
    for cue, start, end in lines:
        inside = (each for each in cue.ruby if start <= each.start and each.end <= end)
        ruby += [Ruby(each.start - start + length, each.end - start + length, each.text) for each in inside]
        texts.append(cue.text[start:end])
        length += end - start + 1
    return replace(lines[0][0], text="\n".join(texts), ruby=tuple(ruby))


def _text(line: _Line) -> str:
    cue, start, end = line
    return cue.text[start:end]


def _learned(upper: Sequence[str], lower: Sequence[str]) -> dict[str, float]:
    """Weights of features: the logarithm of how much oftener the first language has one than the second."""
    ones, others = (Counter(feature for line in lines for feature in _features(line)) for lines in (upper, lower))
    ratio = log((others.total() + 1) / (ones.total() + 1))
    return {feature: log((ones[feature] + 0.5) / (others[feature] + 0.5)) + ratio for feature in ones | others}


def _features(line: str) -> Iterator[str]:
    """Runs of three characters in the words of a line, their ends included; of scripts without spaces single ones."""
    for word in _WORD.findall(line.casefold()):
        if not word.isdecimal():
            marked = f" {word} "
            yield from (marked[at : at + 3] for at in range(len(marked) - 2))
            yield from (char for char in word if char > "\u2e80")
