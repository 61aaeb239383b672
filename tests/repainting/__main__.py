"""``python -m tests.repainting --keys 20000``: a long walk, which ends with exit code 1 at the first difference."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.repainting.library import TERMINALS, fill
from tests.repainting.walk import take_steps

_STRETCH = 500
"""Steps after which it begins anew, with a new library and in another kind of terminal."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for seed, begun in enumerate(range(0, asked.keys, _STRETCH), asked.seed):
        terminal = list(TERMINALS)[seed % len(TERMINALS)]
        count = min(_STRETCH, asked.keys - begun)
        with tempfile.TemporaryDirectory() as home:
            try:
                take_steps(Path(home), count, seed, {**fill(Path(home)), **TERMINALS[terminal]})
            except AssertionError as error:
                print(f"{terminal}: {error}", file=sys.stderr)
                return 1
        print(f"{begun + count:6} steps, 0 differences ({terminal})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
