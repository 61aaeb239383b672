"""The HTTP service under many readers at once.

The model (``paced_model``), the server (``lode serve``) and who reads (``server_load``) are processes of their own,
real HTTP on loopback between them.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from tests.bench.rows import Measured
from tests.bench.served import model_server, peak_memory, served

STREAMS = 500
_BEGUN_WITHIN = 2.0
_FIRSTS = 101
_LIMIT = 300.0


def measure() -> list[Measured]:
    with model_server("paced_model") as model, tempfile.TemporaryDirectory() as home:
        (Path(home) / "config.toml").write_text(f'[providers.bench]\nbase_url = "{model}"\n', encoding="utf-8")
        alone = _loaded("/v1/chat/completions", model)
        with served(home) as (server, url):
            found = [*many_streams("/llm/explain_sentence", server, url, alone), first_token(model, url)]
        with served(home) as (server, url):
            return [*found, *many_streams("/llm/breakdown", server, url, alone)]


def _loaded(path: str, url: str) -> dict[str, Any]:
    load = [sys.executable, "-m", "tests.bench.programs.server_load", path, url, str(STREAMS), str(_BEGUN_WITHIN)]
    run = subprocess.run(load, check=True, stdout=subprocess.PIPE, timeout=_LIMIT)
    came: dict[str, Any] = json.loads(run.stdout)
    return came


def _delay(came: dict[str, Any], part: float) -> float:
    """Milliseconds that this part of all tokens were on their way at most."""
    delays: list[float] = came["delays"]
    return delays[int((len(delays) - 1) * part)] * 1000


def many_streams(path: str, server: int, url: str, alone: dict[str, Any]) -> list[Measured]:
    """So many streams at once through the server: what a token gains on its way, and the memory of all processes.

    ``alone`` is the same load on the model itself, which tells how busy the machine was with other things.
    """
    with peak_memory(server) as peak:
        came = _loaded(path, url)
    complete = came["complete"]
    return [
        Measured(STREAMS - complete, words={"complete": complete}),
        Measured(_delay(came, 0.95), words={"median": _delay(came, 0.5), "alone": _delay(alone, 0.95)}),
        Measured(peak[0] / 1e6),
    ]


def first_token(model: str, url: str) -> Measured:
    """Until the first token's bytes are there, through the server and from the model directly, by httpx."""
    direct: list[float] = []
    through: list[float] = []
    asked = {"model": "first", "messages": [{"role": "user", "content": "Explain."}], "stream": True}
    with httpx.Client() as client:
        for run in range(_FIRSTS + 5):
            question = {"sentence": f"Hoffentlich fährt er noch ab ({run}).", "model": "bench:first"}
            took = (
                _until_text(client, f"{model}/chat/completions", asked),
                _until_text(client, f"{url}/llm/explain_sentence", question),
            )
            if run >= 5:
                direct.append(took[0])
                through.append(took[1])
    return Measured(statistics.median(through) * 1000, statistics.median(direct) * 1000)


def _until_text(client: httpx.Client, url: str, body: dict[str, Any]) -> float:
    started = time.perf_counter()
    first = None
    came = b""
    with client.stream("POST", url, json=body) as answer:
        assert answer.status_code == 200
        for chunk in answer.iter_raw():
            came += chunk
            if first is None and b"@" in came:  # the first token has the moment in it at which it was sent
                first = time.perf_counter()
    assert first is not None
    return first - started
