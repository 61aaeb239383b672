"""The yardstick of imports: pysubs2 parses the files of a directory, its argument; seconds on stdout."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pysubs2

if __name__ == "__main__":
    began = time.perf_counter()
    for path in sorted(Path(sys.argv[1]).iterdir()):
        pysubs2.load(str(path))
    print(time.perf_counter() - began)
