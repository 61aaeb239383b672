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

from tests.bench.rows import Measured
from tests.bench.served import model_server

_LIMIT = 300.0


def measure() -> list[Measured]:
    with model_server("model_server") as url:
        return [*_first(_client("first", url)), _tokens(_client("tokens", url)), _memory(_client("memory", url))]


def _client(what: str, url: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.programs.provider_client", what, url]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=_LIMIT)
    measured: dict[str, Any] = json.loads(run.stdout)
    return measured


def _first(times: dict[str, list[float]]) -> list[Measured]:
    medians = {name: statistics.median(seconds) * 1000 for name, seconds in times.items()}
    return [
        Measured(medians[command], medians[raw])
        for command, raw in (("explain", "raw"), ("breakdown", "raw breakdown"))
    ]


def _tokens(times: dict[str, list[float]]) -> Measured:
    """The worse of the two ways in which a server may cut its answer."""
    medians = {name: statistics.median(seconds) * 1000 for name, seconds in times.items()}
    cuts = {"tokens": "a chunk per token", "blocks": "16 KiB chunks"}
    worse = max(cuts, key=lambda cut: medians[cut] / medians[f"raw {cut}"])
    return Measured(medians[worse], medians[f"raw {worse}"], {"cut": cuts[worse]})


def _memory(peaks: dict[str, int]) -> Measured:
    return Measured((peaks["after"] - peaks["before"]) / 1e6, peaks["text"] / 1e6)
