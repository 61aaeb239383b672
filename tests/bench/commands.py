"""Whole commands against ``python -c 'import click'``: what a person waits for at a prompt.

The two are run in turn, so that a machine whose speed drifts slows both; the medians are compared.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.library import million_clips
from tests.bench.rows import Measured
from tests.server_process import LODE

RUNS = 15


def seconds(command: Sequence[str], home: Path) -> float:
    """Wall clock seconds of one whole process."""
    environ = {**os.environ, "LODE_HOME": str(home)}
    started = time.perf_counter()
    subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def measure() -> list[Measured]:
    home = million_clips()
    yardstick = [sys.executable, "-c", "import click"]
    commands = (yardstick, [LODE, "--version"], [LODE, "clips", "list", "--limit", "20", "--json"])
    times: list[list[float]] = [[] for _ in commands]
    for run in range(RUNS + 1):
        for command, took in zip(commands, times, strict=True):
            came = seconds(command, home)
            if run:  # the first round warms the page cache
                took.append(came)
    base, *figures = (statistics.median(took) * 1000 for took in times)
    return [Measured(figure, base) for figure in figures]
