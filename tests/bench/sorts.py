"""Sorts: every column of every list of a large library, either way round, key to rows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench.library import searched_library
from tests.bench.rows import Measured
from tests.bench.terminal import percentile
from tests.bench.words import words_library
from tui.config import Settings
from tui.records.sorting import COUNT_COLUMNS, MAX_SORTED, SORT_COLUMNS, SortedList, goes_at_any_size
from tui.service.local import LocalService

_PROFILE = "default"
_PAGE = 100
_ROUNDS = 5
_FEW = "source:77"
"""A search that finds eleven thousand of the clips: these are sorted by columns without an index too."""


def measure() -> list[Measured]:
    home, words = searched_library(), words_library()
    times = asyncio.run(_measure(home, *(listed for listed in SORT_COLUMNS if listed != "words")))
    times |= asyncio.run(_measure(words, "words"))  # of seventy thousand, as many as a large library has
    slowest = max(times, key=lambda name: percentile(times[name], 0.95))
    everything = [each for name in times for each in times[name]]
    return [Measured(percentile(everything, 0.95) * 1000, words={"sorts": len(times), "slowest": slowest})]


async def _measure(home: Path, *lists: SortedList) -> dict[str, list[float]]:
    """Seconds of the pages of each order."""
    service = LocalService(Settings(home=home, config_path=home / "config.toml"), profile=_PROFILE)
    times: dict[str, list[float]] = {}
    try:
        async for name, read in _orders(service, lists):
            total = (await read(offset=0)).total  # which cuts transcripts into words that were never counted
            for offset in (0, total // 2, max(0, total - _PAGE)) * _ROUNDS:
                begin = time.perf_counter()
                await read(offset=offset)
                times.setdefault(name, []).append(time.perf_counter() - begin)
    finally:
        await service.close()
    return times


async def _orders(
    service: LocalService, lists: Sequence[SortedList]
) -> AsyncIterator[tuple[str, Callable[..., Awaitable[Any]]]]:
    pages: dict[SortedList, Any] = {
        "files": service.files.page,
        "transcripts": service.transcripts.page,
        "clips": service.clips.page,
        "bookmarks": service.bookmarks.page,
        "answers": service.history.page,
        "jobs": service.jobs.page,
        "words": service.known_words.page,
    }
    for listed in lists:
        page = pages[listed]
        total = (await page(limit=1)).total
        for column in SORT_COLUMNS[listed]:
            is_small = total <= MAX_SORTED or column in COUNT_COLUMNS
            q = "" if is_small or goes_at_any_size(listed, column) else _FEW
            for sort in (column, f"-{column}"):
                yield f"{listed} {sort}", partial(page, limit=_PAGE, sort=sort, q=q)
