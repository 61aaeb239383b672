"""Times of what is said in films that there are not, and subtitles of them as people write these.

Their cues begin a little before or after the words, stay on longer, are split and joined, some are missing, and some
are of signs that nobody says.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tui.retiming.alignment import Span

Said: TypeAlias = tuple[int, int, int]
"""Start and end of a sentence in milliseconds, and its number."""
_LENGTHS = tuple(range(1200, 5200, 100))
_PAUSES = (60, 120, 300, 500, 900, 1600, 3000, 7000)


def plan_scenes(seed: int, minutes: int, lengths: Sequence[int] = _LENGTHS, songs: Sequence[Span] = ()) -> list[Said]:
    """Plan what is said in a film: scenes with talk, some time without any between them; nobody talks while they sing.

    ``lengths`` are those of the sentences, by their numbers.
    """
    chance, said = random.Random(seed), list[Said]()
    now, length = chance.randrange(5_000, 60_000), minutes * 60_000
    while now < length - 20_000:
        end = now + chance.randrange(60_000, 300_000)
        while now < min(end, length - 20_000):
            number = chance.randrange(len(lengths))
            spoken = lengths[number]
            if not any(begin - spoken < now < end for begin, end in songs):
                said.append((now, now + spoken, number))
            now += spoken + chance.choice(_PAUSES)
        now += chance.choice((10_000, 20_000, 45_000, 90_000))
    return said


def spans_of(said: Iterable[Said]) -> list[Span]:
    return [(start, end) for start, end, _ in said]


def make_spans(seed: int, minutes: int = 30) -> list[Span]:
    """Make the spans in which somebody speaks in a film."""
    return spans_of(plan_scenes(seed, minutes))


def write_cues(spoken: Sequence[Span], seed: int, factor: float = 1.0, offset_ms: int = 0) -> list[Span]:
    """Write the cues of what is said in a film, for one that ``factor`` and ``offset_ms`` turn into it."""
    chance, cues = random.Random(seed), list[Span]()
    for start, end in spoken:
        kind = chance.random()
        begin, until = start + round(chance.gauss(-30, 90)), end + chance.randrange(0, 900)
        if kind < 0.08:
            continue
        if kind < 0.16:
            middle = (begin + until) // 2
            cues += [(begin, middle), (middle, until)]
        elif kind < 0.28 and cues and begin - cues[-1][1] < 1500:
            cues[-1] = (cues[-1][0], until)
        else:
            cues.append((begin, until))
        if kind > 0.96:
            sign = until + chance.randrange(200, 20_000)
            cues.append((sign, sign + 2500))
    moved = ((round((begin - offset_ms) / factor), round((end - offset_ms) / factor)) for begin, end in cues)
    return sorted(each for each in moved if each[0] >= 0)
