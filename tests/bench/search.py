"""Searches of a large library: forty queries of its lists against their own SQL, and the first group of everything."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from tests.bench.library import searched_library
from tests.bench.rows import Measured
from tests.bench.terminal import percentile
from tui.records.search import SEARCH_GROUPS
from tui.store import Store
from tui.store.search import folded_words

_ROUNDS = 5
_PAGE = 100
_QUERIES = Path(__file__).with_name("queries.tsv")
_TYPED = ("der", "zug", "letz", "warten ", "経済", "fahr", "nichts", "stunde licht")


def measure() -> list[Measured]:
    with closing(Store.open(searched_library())) as store:
        ours, theirs = [], []
        for _ in range(_ROUNDS):
            for listed, q in _queries():
                mine, plain = _seconds(store, partial(_search, store, listed, q))
                ours.append(mine)
                theirs.append(plain)
        first = [_timed(partial(store.sentences.find, "default", q, 21)) for q in _TYPED for _ in range(_ROUNDS)]
        p95 = percentile(ours, 0.95) * 1000
        return [
            Measured(p95, percentile(theirs, 0.95) * 1000),
            Measured(p95),
            Measured(percentile(first, 0.95) * 1000, words={"group": SEARCH_GROUPS[0]}),
        ]


def _queries() -> list[tuple[str, str]]:
    rows = (line.split("\t") for line in _QUERIES.read_text("utf-8").splitlines()[1:])
    return [(listed, q) for listed, q in rows]


def _search(store: Store, listed: str, q: str) -> object:
    if listed == "sentences":
        return store.sentences.find("default", q, _PAGE)
    table = store.clips if listed == "clips" else store.transcripts
    return table.page("default", limit=_PAGE, q=q)


def _seconds(store: Store, search: Callable[[], object]) -> tuple[float, float]:
    """Seconds of a search, and of the same statements in plain sqlite3."""
    said: list[str] = []
    with store.clips._connections.read() as connection:
        connection.set_trace_callback(said.append)
        try:
            search()
        finally:
            connection.set_trace_callback(None)
    store.clips._counted.clear()
    mine = _timed(search)
    store.clips._counted.clear()
    with closing(sqlite3.connect(store.path)) as plain:
        plain.create_function("folded_words", 1, folded_words, deterministic=True)
        reading = [each for each in said if each.lstrip().upper().startswith(("SELECT", "WITH"))]
        return mine, _timed(lambda: [plain.execute(each).fetchall() for each in reading])


def _timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
