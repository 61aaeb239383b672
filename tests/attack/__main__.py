"""``make attack``: hostile files for each reader, for two minutes; prints a table, and exits 1 where one is harmed.

``ARGS="--seed 7 --seconds 600"`` takes another order, or all of them.
"""

from __future__ import annotations

import argparse
import sys

from tests.attack.attack import attacks
from tests.attack.shapes import ATTACKS


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120.0)
    asked = parser.parse_args()
    done = sorted(attacks(asked.seed, asked.seconds), key=lambda each: (each.reader, each.shape))
    print("| reader | shape | MB | s | came of it |\n|---|---|--:|--:|---|")
    for each in done:
        came = "; ".join(filter(None, (*each.faults, each.slow))) or " ".join(each.found.out.split())[:70] or "ended"
        mark = "**✗** " if each.faults or each.slow else ""
        cell = came.replace("|", "\\|")
        print(
            f"| {each.reader} | {each.shape} | {each.found.megabytes:.0f} | {each.found.seconds:.1f} | {mark}{cell} |"
        )
    harmed = sum(bool(each.faults or each.slow) for each in done)
    print(f"\n{len(done)} of {len(ATTACKS)} attacks (seed {asked.seed}), {harmed} with a fault")
    return bool(harmed)


if __name__ == "__main__":
    sys.exit(main())
