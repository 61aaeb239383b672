"""Lists of a big library over HTTP: their first page against that of a small one, and memory while all is read."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

import httpx

from tests.bench.library import CLIPS, clips, million_clips
from tests.bench.rows import Measured
from tests.bench.served import resident, served
from tests.store.many_clips import add_many
from tui.store import Store

_SMALL = 1_000
_PAGES = 101
_SETTLED_ROWS = 5_000


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory() as small:
        store = Store.open(Path(small))
        add_many(store, "default", clips(_SMALL))
        store.close()
        with served(million_clips()) as (server, url), served(small) as (_, few):
            return [first_page(url, few), whole_list(server, url)]


def first_page(big: str, small: str) -> Measured:
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
    return Measured(many, few)


def whole_list(server: int, url: str) -> Measured:
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
    return Measured(away / 1e6, words={"settled": settled / 1e6, "size": size / 1e6, "seconds": took})
