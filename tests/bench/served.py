"""Commands and servers as processes of their own: what ``lode`` takes, and models that it asks over HTTP.

Lists of a big library over HTTP, hundreds of streams at once, and what stands between a model server and what Lode
shows, each against httpx alone in the same run. Models (``model_server``, ``paced_model``) and who asks
(``provider_client``, ``server_load``) are processes of their own, real HTTP on loopback between them.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.bench.library import CLIPS, clips, million_clips
from tests.bench.rows import Measured
from tests.server_process import LODE, ServerProcess
from tests.store.many_clips import add_many
from tui.store import Store

_LIMIT = 300.0
_REQUESTS = 101


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command took: seconds, the most bytes in memory, and bytes that it caused to be sent to the disk."""

    seconds: float
    peak: float
    written: int


def run_lode(home: Path, *args: str) -> Ran:
    """Run a command, which must end well."""
    environ = {**os.environ, "LODE_HOME": str(home)}
    began = time.perf_counter()
    with subprocess.Popen([LODE, *args], env=environ, stdout=subprocess.DEVNULL) as process:
        with peak_memory(process.pid) as peak:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            seconds = time.perf_counter() - began
        fields = (line.split(": ") for line in Path(f"/proc/{process.pid}/io").read_text().splitlines())
        written = int(dict(fields)["write_bytes"])
    assert process.returncode == 0
    return Ran(seconds, peak[0], written)


@contextmanager
def peak_memory(process: int) -> Iterator[list[int]]:
    """The most bytes in memory so far, of the process with all that it started."""
    peak = [0]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            peak[0] = max(peak[0], sum(map(_resident, (process, *_children(process)))))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


def _resident(process: int) -> int:
    """Bytes that a process has in memory, 0 where it is gone; what it shares with others counts for each."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    return 0


def _children(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


@contextmanager
def _served(home: str | Path) -> Iterator[tuple[int, str]]:
    """Its process, and its address."""
    with ServerProcess(Path(home)) as server:
        yield server.process.pid, server.url
        server.stop()


@contextmanager
def run_model_server(program: str) -> Iterator[str]:
    """The address of a model server that is one of the ``programs``; it says it first."""
    command = [sys.executable, "-m", f"tests.bench.programs.{program}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def _run_program(program: str, *args: str) -> dict[str, Any]:
    command = [sys.executable, "-m", f"tests.bench.programs.{program}", *args]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=_LIMIT)
    measured: dict[str, Any] = json.loads(run.stdout)
    return measured


def _medians(ask: Mapping[str, Callable[[int], float]]) -> list[float]:
    """Milliseconds of each, which are asked in turn with the number of the round; the first ones warm up."""
    times: dict[str, list[float]] = {name: [] for name in ask}
    for run in range(_REQUESTS + 5):
        for name, seconds in ask.items():
            took = seconds(run)
            if run >= 5:
                times[name].append(took)
    return [statistics.median(each) * 1000 for each in times.values()]


# What stands between a model server and what Lode shows.


def measure_provider() -> list[Measured]:
    with run_model_server("model_server") as url:
        first, tokens = (_run_program("provider_client", what, url) for what in ("first", "tokens"))
    medians = {name: statistics.median(seconds) * 1000 for name, seconds in (first | tokens).items()}
    cuts = {"tokens": "a chunk per token", "blocks": "16 KiB chunks"}
    worse = max(cuts, key=lambda cut: medians[cut] / medians[f"raw {cut}"])
    return [
        Measured(medians["explain"], medians["raw"]),
        Measured(medians["breakdown"], medians["raw breakdown"]),
        Measured(medians[worse], medians[f"raw {worse}"], {"cut": cuts[worse]}),
    ]


# The HTTP service under many readers at once.

_STREAMS = 500
_BEGUN_WITHIN = 2.0


def measure_streams() -> list[Measured]:
    with run_model_server("paced_model") as model, tempfile.TemporaryDirectory() as home:
        (Path(home) / "config.toml").write_text(f'[providers.bench]\nbase_url = "{model}"\n', encoding="utf-8")
        alone = _load("/v1/chat/completions", model)
        with _served(home) as (server, url):
            return [*_many_streams("/llm/breakdown", server, url, alone), _first_token(model, url)]


def _load(path: str, url: str) -> dict[str, Any]:
    return _run_program("server_load", path, url, str(_STREAMS), str(_BEGUN_WITHIN))


def _delay(came: dict[str, Any], part: float) -> float:
    """Milliseconds that this part of all tokens were on their way at most."""
    delays: list[float] = came["delays"]
    return delays[int((len(delays) - 1) * part)] * 1000


def _many_streams(path: str, server: int, url: str, alone: dict[str, Any]) -> list[Measured]:
    """So many streams at once through the server: what a token gains on its way, and the memory of all processes.

    ``alone`` is the same load on the model itself, which tells how busy the machine was with other things.
    """
    with peak_memory(server) as peak:
        came = _load(path, url)
    complete = came["complete"]
    return [
        Measured(_STREAMS - complete, words={"complete": complete}),
        Measured(_delay(came, 0.95), words={"median": _delay(came, 0.5), "alone": _delay(alone, 0.95)}),
        Measured(peak[0] / 1e6),
    ]


def _first_token(model: str, url: str) -> Measured:
    """Until the first token's bytes are there, through the server and from the model directly, by httpx."""
    asked = {"model": "first", "messages": [{"role": "user", "content": "Explain."}], "stream": True}
    with httpx.Client() as client:

        def explain(run: int) -> float:
            question = {"sentence": f"Hoffentlich fährt er noch ab ({run}).", "model": "bench:first"}
            return _until_text(client, f"{url}/llm/explain_sentence", question)

        direct, through = _medians(
            {"direct": lambda _: _until_text(client, f"{model}/chat/completions", asked), "through": explain}
        )
    return Measured(through, direct)


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


# Lists of a big library: their first page against that of a small one, and memory while all is read.

_SMALL = 1_000
_SETTLED_ROWS = 5_000


def measure_lists() -> list[Measured]:
    with tempfile.TemporaryDirectory() as small:
        with closing(Store.open(Path(small))) as store:
            add_many(store, "default", clips(_SMALL))
        with _served(million_clips()) as (server, url), _served(small) as (_, few):
            return [_first_page(url, few), _whole_list(server, url)]


def _first_page(big: str, small: str) -> Measured:
    with httpx.Client() as client:

        def seconds(url: str) -> float:
            started = time.perf_counter()
            answer = client.get(f"{url}/profiles/clips", params={"limit": 100}, timeout=60)
            took = time.perf_counter() - started
            assert answer.status_code == 200 and len(answer.json()) == 100
            return took

        many, few = _medians({"many": lambda _: seconds(big), "few": lambda _: seconds(small)})
    return Measured(many, few)


def _whole_list(server: int, url: str) -> Measured:
    """How far the server's memory goes from what it was after the first rows, while all rows are read."""
    rows = size = settled = away = 0
    started = time.perf_counter()
    with httpx.stream("GET", f"{url}/profiles/clips", timeout=60) as answer:
        for number, chunk in enumerate(answer.iter_raw(1 << 20)):
            rows += chunk.count(b'"updated_at":')
            size += len(chunk)
            if rows >= _SETTLED_ROWS and number % 8 == 0:
                memory = _resident(server)
                settled = settled or memory
                away = max(away, abs(memory - settled))
    assert rows >= CLIPS * 0.999, rows  # a name may be cut in two between chunks
    took = time.perf_counter() - started
    return Measured(away / 1e6, words={"settled": settled / 1e6, "size": size / 1e6, "seconds": took})
