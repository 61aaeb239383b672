"""What stands between a model server and what Lode shows, against httpx alone on the same server in the same run.

The server is a process of its own (``model_server``), real HTTP on loopback, and so is what is measured
(``provider_client``), anew for each of the three questions.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from typing import Any

from tests.bench.figures import Figure
from tests.bench.model_server import LONG_TEXT, TOKENS

_LIMIT = 300.0


def measure() -> list[Figure]:
    server = subprocess.Popen([sys.executable, "-m", "tests.bench.model_server"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        return [*_first(_client("first", url)), _tokens(_client("tokens", url)), _memory(_client("memory", url))]
    finally:
        server.kill()
        server.wait()


def _client(what: str, url: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.provider_client", what, url]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=_LIMIT)
    measured: dict[str, Any] = json.loads(run.stdout)
    return measured


def _first(times: dict[str, list[float]]) -> list[Figure]:
    medians = {name: statistics.median(seconds) * 1000 for name, seconds in times.items()}
    return [
        Figure(
            name=f"first token of lode {command} --json, median of {len(times[command])}",
            value=f"{medians[command]:.1f} ms",
            yardstick=f"httpx, {requests} {medians[raw]:.1f} ms",
            ratio=medians[command] - medians[raw],
            limit=6,
            unit=" ms",
        )
        for command, raw, requests in (
            ("explain", "raw", "same request"),
            ("breakdown", "raw breakdown", "same two requests"),
        )
    ]


def _tokens(times: dict[str, list[float]]) -> Figure:
    """The worse of the two ways in which a server may cut its answer."""
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    cuts = {"tokens": "a chunk per token", "blocks": "16 KiB chunks"}
    worse = max(cuts, key=lambda cut: medians[cut] / medians[f"raw {cut}"])
    return Figure(
        name=f"{TOKENS:,} tokens at full speed, {cuts[worse]} (the worse of two)",
        value=f"{medians[worse] * 1000:.0f} ms",
        yardstick=f"httpx and json.loads {medians[f'raw {worse}'] * 1000:.0f} ms",
        ratio=medians[worse] / medians[f"raw {worse}"],
        limit=1.5,
    )


def _memory(peaks: dict[str, int]) -> Figure:
    grown = (peaks["after"] - peaks["before"]) / 1e6
    text = peaks["text"] / 1e6
    return Figure(
        name=f"peak memory while {LONG_TEXT // 1_000_000} MB stream and are kept",
        value=f"+{grown:.1f} MB",
        yardstick=f"the text {text:.1f} MB",
        ratio=grown - text,
        limit=15,
        unit=" MB",
    )
