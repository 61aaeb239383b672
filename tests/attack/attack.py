"""Attacking readers: a hostile file, read in a process of its own that is watched, and what came of it."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.attack.readers import READERS, Reader
from tests.attack.shapes import ATTACKS, Shape
from tests.watching import MAX_MB, Watched, watch

_READ = "import sys; from tests.attack.reading import main; sys.exit(main(*sys.argv[1:]))"
_PATIENCE = (1.0, 4.0, 15.0)
"""Seconds after which a reader that is still at it gets Ctrl+C: one of them, as the seed says, for each attack."""
_KILLED_AFTER = 60.0
_SOON = 1.0
_ENDED = (0, 130, -signal.SIGINT, -signal.SIGKILL)
"""Exit codes of what read, refused or was ended: also by Ctrl+C when Python itself was about to end."""


@dataclass(frozen=True, slots=True)
class Attacked:
    """What a reader did with a shape; ``left`` are the files that it left behind."""

    reader: str
    shape: str
    found: Watched
    left: tuple[str, ...]

    @property
    def faults(self) -> list[str]:
        """What must never be, whatever the machine does beside it."""
        return [
            said
            for said, is_so in (
                (f"takes {self.found.megabytes:.0f} MB", self.found.megabytes > MAX_MB),
                (f"leaves {', '.join(self.left)}", bool(self.left)),
                ("is not ended by ctrl+c", self.found.code == -signal.SIGKILL and self.found.megabytes <= MAX_MB),
                (f"crashes: {self.found.out.strip()[-200:]}", self.found.code not in _ENDED),
            )
            if is_so
        ]

    @property
    def slow(self) -> str:
        """The reaction to Ctrl+C where it was not at once, as a machine that is busy may be the reason of."""
        seconds = self.found.seconds_to_end
        return f"ctrl+c after {seconds:.1f} s" if seconds > _SOON else ""


def attacked(reader: Reader, shape: Shape, seed: int, patience: Sequence[float] = _PATIENCE) -> Attacked:
    """Make the file, let it be read, and look at what is left."""
    with TemporaryDirectory(prefix="attack-") as directory:
        place = Path(directory)
        path = place / "in" / f"file{reader.ending}"
        temporary = place / "tmp"
        path.parent.mkdir()
        temporary.mkdir()
        chance = random.Random(f"{seed} {reader.name} {shape.name}")
        shape.make(path, reader, chance)
        before = {path, *place.rglob("*")}
        environ = {**os.environ, "TMPDIR": str(temporary)}
        after = chance.choice(patience)
        found = watch(_READ, reader.way, path, seconds=_KILLED_AFTER, interrupt_after=after, environ=environ)
        left = tuple(sorted(str(each.relative_to(place)) for each in {*place.rglob("*")} - before))
        return Attacked(reader.name, shape.name, found, left)


def ordered(seed: int) -> list[tuple[Reader, Shape]]:
    """All attacks in an order that the seed says, where each reader comes up before one does once more."""
    chance = random.Random(seed)
    turns = [[attack for attack in ATTACKS if attack[0] == reader] for reader in READERS]
    for shapes in turns:
        chance.shuffle(shapes)
    chance.shuffle(turns)
    return [attack for turn in zip_longest(*turns) for attack in turn if attack is not None]


def attacks(seed: int, seconds: float) -> Iterator[Attacked]:
    """Attack in an order that the seed says, for so many seconds."""
    order = ordered(seed)
    until = monotonic() + seconds

    def one(attack: tuple[Reader, Shape]) -> Attacked | None:
        return attacked(*attack, seed) if monotonic() < until else None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from (each for each in pool.map(one, order) if each is not None)
