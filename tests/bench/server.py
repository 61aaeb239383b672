"""The HTTP service under many readers, and on a big library.

The model (``paced_model``), the server (``lode serve``) and who reads (``server_load``) are processes of their own,
real HTTP on loopback between them. What has a yardstick is measured against it in the same run, taking turns.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from tests.bench.figures import Figure
from tests.bench.library import CLIPS, clips
from tests.bench.paced_model import TOKENS_PER_SECOND
from tests.server_process import ServerProcess
from tui.store import Store

STREAMS = 500
_BEGUN_WITHIN = 2.0
_SMALL = 1_000
_PAGES = 101
_FIRSTS = 101
_SETTLED_ROWS = 5_000
_LIMIT = 300.0


def measure(big: Path) -> list[Figure]:
    with _paced_model() as model, tempfile.TemporaryDirectory() as home:
        (Path(home) / "config.toml").write_text(f'[providers.bench]\nbase_url = "{model}"\n', encoding="utf-8")
        with _served(home) as (server, url):
            alone = _loaded("/v1/chat/completions", model)
            figures = [*many_streams("/llm/explain_sentence", server, url, alone), first_token(model, url)]
        with _served(home) as (server, url):
            figures += many_streams("/llm/breakdown", server, url, alone)
    with tempfile.TemporaryDirectory() as small:
        store = Store.open(Path(small))
        store.clips.add_many("default", clips(_SMALL))
        store.close()
        with _served(big) as (server, url), _served(small) as (_, few):
            figures += [first_page(url, few), whole_list(server, url)]
    return figures


def _loaded(path: str, url: str) -> dict[str, Any]:
    load = [sys.executable, "-m", "tests.bench.server_load", path, url, str(STREAMS), str(_BEGUN_WITHIN)]
    run = subprocess.run(load, check=True, stdout=subprocess.PIPE, timeout=_LIMIT)
    came: dict[str, Any] = json.loads(run.stdout)
    return came


def _delay(came: dict[str, Any], part: float) -> float:
    """Milliseconds that this part of all tokens were on their way at most."""
    delays: list[float] = came["delays"]
    return delays[int((len(delays) - 1) * part)] * 1000


def many_streams(path: str, server: int, url: str, alone: dict[str, Any]) -> list[Figure]:
    """So many streams at once through the server: what a token gains on its way, and the server's memory.

    ``alone`` is the same load on the model itself, which tells how busy the machine was with other things.
    """
    with _peak_memory(server) as peak:
        came = _loaded(path, url)
    late = _delay(came, 0.95)
    what = f"{STREAMS} streams of {path} at {TOKENS_PER_SECOND} tokens/s"
    complete = came["complete"]
    return [
        Figure(f"{what}: broken off", f"{STREAMS - complete}", f"{complete} complete", STREAMS - complete, 0, ""),
        Figure(
            name=f"{what}: delay of a token, 95 of 100",
            value=f"{late:.0f} ms",
            yardstick=f"median {_delay(came, 0.5):.0f} ms; without the server {_delay(alone, 0.95):.0f} ms",
            ratio=late,
            limit=250,
            unit=" ms",
        ),
        Figure(
            name=f"{what}: peak memory",
            value=f"{max(peak) / 1e6:.0f} MB",
            yardstick="–",
            ratio=max(peak) / 1e6,
            limit=200,
            unit=" MB",
        ),
    ]


def first_token(model: str, url: str) -> Figure:
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
    ours, theirs = statistics.median(through) * 1000, statistics.median(direct) * 1000
    return Figure(
        name=f"first token through the server, median of {_FIRSTS}",
        value=f"{ours:.1f} ms",
        yardstick=f"the model directly {theirs:.1f} ms",
        ratio=ours - theirs,
        limit=12,
        unit=" ms",
    )


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


def first_page(big: str, small: str) -> Figure:
    times: dict[str, list[float]] = {big: [], small: []}
    with httpx.Client() as client:
        for run in range(_PAGES + 5):
            for url, seconds in times.items():
                started = time.perf_counter()
                answer = client.get(f"{url}/profiles/clips", params={"limit": 100}, timeout=60)
                took = time.perf_counter() - started
                assert answer.status_code == 200 and len(answer.json()) == 100
                if run >= 5:
                    seconds.append(took)
    many, few = (statistics.median(times[url]) * 1000 for url in (big, small))
    return Figure(
        name=f"first page of a list of {CLIPS:,} clips, median of {_PAGES}",
        value=f"{many:.1f} ms",
        yardstick=f"{_SMALL:,} clips {few:.1f} ms",
        ratio=many / few,
        limit=1.5,
    )


def whole_list(server: int, url: str) -> Figure:
    """How far the server's memory goes from what it was after the first rows, while all rows are read."""
    row_end = b'"updated_at":'
    rows, size = 0, 0
    settled, away = 0, 0
    started = time.perf_counter()
    with httpx.stream("GET", f"{url}/profiles/clips", timeout=60) as answer:
        for number, chunk in enumerate(answer.iter_raw(1 << 20)):
            rows += chunk.count(row_end)
            size += len(chunk)
            if rows >= _SETTLED_ROWS and number % 8 == 0:
                memory = resident(server)
                settled = settled or memory
                away = max(away, abs(memory - settled))
    assert rows >= CLIPS * 0.999, rows  # a name may be cut in two between chunks
    took = time.perf_counter() - started
    return Figure(
        name=f"memory while the whole list of {CLIPS:,} clips is read",
        value=f"± {away / 1e6:.1f} MB",
        yardstick=f"after {_SETTLED_ROWS:,} rows {settled / 1e6:.0f} MB; {size / 1e6:.0f} MB in {took:.0f} s",
        ratio=away / 1e6,
        limit=30,
        unit=" MB",
    )


@contextmanager
def _served(home: str | Path) -> Iterator[tuple[int, str]]:
    """``lode serve``: its process, and its address."""
    with ServerProcess(Path(home)) as server:
        yield server.process.pid, server.url
        server.stop()


@contextmanager
def _paced_model() -> Iterator[str]:
    """The address of the model, which it says first."""
    command = [sys.executable, "-m", "tests.bench.paced_model"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()


@contextmanager
def _peak_memory(server: int) -> Iterator[list[int]]:
    """Bytes that the server has in memory, looked at ten times a second."""
    peak = [0]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            peak.append(resident(server))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


def resident(process: int) -> int:
    """Bytes that a process has in memory, 0 where it is gone; what it shares with others counts for each."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    from tests.bench.library import million_clips

    for measured in measure(million_clips()):
        print(measured.line())
