"""Filling of reviews: what the jobs have in common whose outcome waits in one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from tui.errors import NotFound
from tui.store.rows import new_id

if TYPE_CHECKING:
    from tui.service.jobs.running_job import RunningJob
    from tui.service.library import Database
    from tui.store import Store

T = TypeVar("T")


async def find_or_begin_review(database: Database, running: RunningJob, begin: Callable[[Store, str], object]) -> str:
    """Find the review that the job has begun before, or begin one with a new id by ``begin``; gives the id."""
    if isinstance(begun := running.done.get("review"), str):
        with suppress(NotFound):  # it was applied or dropped before this went on
            await database.run(lambda store: store.reviews.get(running.profile, begun))
            return begun
    review = new_id()
    await running.finish("review", review, lambda store: begin(store, review))
    return review


async def work_off(waiting: Iterable[T], work: Callable[[T], Awaitable[None]], at_once: int) -> None:
    """Work off what waits, some at once; after a failure what is in flight is waited for, as it is paid for.

    Nothing else is begun then. Raises the first failure.
    """
    left = iter(waiting)
    failures: list[Exception] = []

    async def go_on() -> None:
        for each in left:
            if failures:
                return
            try:
                await work(each)
            except Exception as error:  # noqa: BLE001 - raised below
                failures.append(error)

    await asyncio.gather(*(go_on() for _ in range(at_once)))
    if failures:
        raise failures[0]
