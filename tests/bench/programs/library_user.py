"""A process that uses a library without a pause: ``DIRECTORY writes|reads SECONDS SEED``; prints how often it did.

Writers add clips, edit them and note the progress of a job; readers list and search clips.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from tests.bench.library import clips
from tests.store.many_clips import add_many
from tui.errors import StoreError
from tui.store import Store

_PROFILE = "default"
_AT_ONCE = 300
"""Clips per write at most: a write of one, and the batches of an import."""


def main(directory: Path, kind: str, seconds: float, seed: int) -> tuple[int, int]:
    """Use the library for so long; gives how often, and how often in vain."""
    store, dice = Store.open(directory), random.Random(seed)
    given = list(clips(_AT_ONCE))
    done = refused = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if kind == "writes":
                add_many(store, _PROFILE, given[: dice.choice((1, 1, 1, 1, 30, _AT_ONCE))])
            else:
                store.clips.page(_PROFILE, q=dice.choice(("zug", "fenster wasser", "")))
            done += 1
        except StoreError:
            refused += 1
    store.close()
    return done, refused


if __name__ == "__main__":
    print(*main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), int(sys.argv[4])))
