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

from tests.bench.figures import Figure

RUNS = 15


def seconds(command: Sequence[str], home: Path) -> float:
    """Wall clock seconds of one whole process."""
    environ = {**os.environ, "LODE_HOME": str(home)}
    started = time.perf_counter()
    subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def measure(home: Path) -> list[Figure]:
    """``home`` holds the library with a million clips."""
    lode = str(Path(sys.executable).with_name("lode"))
    yardstick = [sys.executable, "-c", "import click"]
    commands = {
        "lode --version": ([lode, "--version"], 2.0),
        "lode clips list --limit 20 --json": ([lode, "clips", "list", "--limit", "20", "--json"], 6.0),
    }
    times: dict[str, list[float]] = {name: [] for name in ("", *commands)}
    for run in range(RUNS + 1):
        for name, command in (("", yardstick), *((name, command) for name, (command, _) in commands.items())):
            took = seconds(command, home)
            if run:  # the first round warms the page cache
                times[name].append(took)
    base = statistics.median(times.pop(""))
    return [
        Figure(
            name=name,
            value=f"{statistics.median(took) * 1000:.0f} ms",
            yardstick=f"python -c 'import click' {base * 1000:.0f} ms",
            ratio=statistics.median(took) / base,
            limit=commands[name][1],
        )
        for name, took in times.items()
    ]
