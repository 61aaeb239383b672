"""Steps of a walk through all screens: keys, pastes and new sizes, chosen by dice."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tests.hostile import HOSTILE

Size: TypeAlias = tuple[int, int]
"""Columns and rows."""
Step: TypeAlias = str | tuple[Size, ...]
"""Keys that are pressed at once, or new sizes, one right after the other."""
SIZES = ((120, 40), (100, 30), (80, 24), (60, 16), (50, 10), (140, 50))
_ESCAPE = "\x1b[27u"
WAYS: Sequence[tuple[str, ...]] = (
    *((section,) for section in "1234567"),
    *(
        ("2", "\r"),
        ("2", "\r", "D"),
        ("2", "\r", "P"),
        ("2", "\r", "\r"),
        ("3", "E"),
        ("3", "e"),
        ("5", "H"),
        ("7", "d"),
    ),
    *(
        ("7", "\t"),
        ("7", "\x1b[Z"),
        ("7", "\r"),
        ("7", "v"),
        ("6", "\r"),
        ("2", "T"),
        ("2", "E"),
        ("3", "#"),
        ("4", "\t"),
    ),
    *(
        ("'",),
        ("?",),
        ("?", "\t"),
        ("\x06", *"zug"),
        ("\x06", *"المكتبة"),
        ("\x10",),
        ("\x10", *"them"),
        ("U",),
        ("f",),
    ),
    *(("@",), ("s",), ("a",), ("d",), ("/", *"ist"), ("/", *"図書"), (";",), ("2", "\r", ";", *"👩‍👩‍👧‍👦 né"), ("R",)),
)
"""Keys that lead to every screen and dialog, from wherever one is."""
_MOVES = (
    *"jjjjkkkllhhgGduJK",
    "\x1b[A",
    "\x1b[B",
    "\x1b[5~",
    "\x1b[6~",
    "\t",
    "\x1b[Z",
    "\x04",
    "\x15",
    " ",
    "\r",
    "V",
)
_LETTERS = "abcdefghilmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789/?@.,;:'\"*~[]{}<>!%&=+-_| äßé"
"""All but those that leave the app."""


_SYSTEM = ("\x0c", "\x03", "\x1a", "\x1bOR", "\x05")
"""Draw anew, two that do nothing here, and two that open an editor."""


def steps(dice: random.Random) -> Iterator[Step]:
    """Steps without end."""
    while True:
        what = dice.random()
        if what < 0.10:
            yield from dice.choice(((), (_ESCAPE,), (_ESCAPE, _ESCAPE)))
            yield from dice.choice(WAYS)
        elif what < 0.75:
            yield dice.choice(_MOVES)
        elif what < 0.85:
            yield _ESCAPE
        elif what < 0.91:
            yield dice.choice(_LETTERS)
        elif what < 0.94:
            yield "".join(dice.choices(_MOVES, k=dice.randint(2, 8)))
        elif what < 0.96:
            yield f"\x1b[<{dice.choice((0, 64, 65))};{dice.randint(1, 60)};{dice.randint(1, 16)}M"
        elif what < 0.98:
            yield f"\x1b[200~{dice.choice(tuple(HOSTILE.values()))}\x1b[201~"
        elif what < 0.99:
            yield tuple(dice.sample(SIZES, dice.choice((1, 1, 2))))
        else:
            yield dice.choice(_SYSTEM)
