"""Looking at a disk so that Ctrl+C ends the wait: one that is gone holds the thread that looks, and takes no signal."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import click

T = TypeVar("T")


def look_at_disk(look: Callable[[], T]) -> T:
    """Call ``look`` in a thread of its own, so that Ctrl+C ends the wait even where the disk never answers."""
    given: list[T] = []
    raised: list[BaseException] = []

    def looked() -> None:
        try:
            given.append(look())
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            raised.append(error)

    looking = threading.Thread(target=looked, name="look at a disk", daemon=True)
    looking.start()
    looking.join()
    if raised:
        raise raised[0]
    return given[0]


class PathOnDisk(click.Path):
    """A path as ``click.Path`` takes it, which asks the disk what is there."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return look_at_disk(lambda: super(PathOnDisk, self).convert(value, param, ctx))
