"""Disks that may never answer: a network's, or one that is asleep."""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def look_at_disk(look: Callable[[], T]) -> T:
    """Call ``look`` in a thread of its own, so that Ctrl+C ends the wait even where the disk never answers."""
    given: list[T] = []
    raised: list[BaseException] = []

    def look_and_keep() -> None:
        try:
            given.append(look())
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            raised.append(error)

    looking = threading.Thread(target=look_and_keep, name="look at a disk", daemon=True)
    looking.start()
    looking.join()
    if raised:
        raise raised[0]
    return given[0]
