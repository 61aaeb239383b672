"""Hostile texts: one that is four times as long may take about four times as long, not sixteen times."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.bench.rows import Measured
from tui.deck.markup import markdown
from tui.importing.readers.block_formats import read_srt
from tui.language.text_sentences import each_sentence
from tui.language.words import words
from tui.text.sanitize import ControlFilter

_ROUNDS = 2
_UNITS = (
    '.|a|。|a. |\n|x\n|Dr. |「|あ|a, |?!|- a\n|."|　\n|漢字かな|ไ|e\u0301|\x90|\x9d|\x1b|\x1b]|\x1b[|\x9b0|\x1bP0|\r|'
    "\ud83d|<|<i>|</|{|{\\an8}|}{|[|&lt;|-->|00:01,0 --> 00:02,0\n\n|1\n|a:b |*a|`|> |![|_|[a](http://b) "
)


def measure() -> list[Measured]:
    return [
        _worst(lambda text: list(each_sentence(text.splitlines(), None)), 60_000),
        _worst(lambda text: words(text, "ja"), 5_000),
        _worst(lambda text: list(read_srt(("1\n00:00:01,000 --> 00:00:02,000 " + text).splitlines())), 40_000),
        _worst(markdown, 5_000),
        _worst(lambda text: ControlFilter().feed(text), 60_000),
    ]


def _worst(read: Callable[[str], object], length: int) -> Measured:
    """Of all hostile texts, the one whose time grows most from a quarter of it to four quarters."""

    def milliseconds(text: str) -> float:
        begun = time.process_time()
        read(text)
        return (time.process_time() - begun) * 1000

    found = []
    for unit in _UNITS.split("|"):
        texts = (unit * (part // len(unit)) for part in (length * 4, length))
        whole, quarter = (min(milliseconds(text) for _ in range(_ROUNDS)) for text in texts)
        # Below a tenth of a millisecond all is noise.
        found.append(Measured(whole, max(quarter, 0.1), {"text": ascii(unit)}))
    return max(found, key=lambda each: each.figure / each.yardstick)
