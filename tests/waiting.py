"""Waiting for an event in another process or thread, where nothing tells it: looking again is the only way to know."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

HANGS = 120.0
"""Seconds after which something hangs, however busy the machine; nothing is asserted about speed."""


def wait_until(holds: Callable[[], object], told: Callable[[], object] = lambda: "") -> None:
    """Look until ``holds`` does; fails, with what ``told`` says, when it never does."""
    deadline = time.monotonic() + HANGS
    while not holds():
        assert time.monotonic() < deadline, f"waited in vain: {told()}"
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    """Whether there is a process with this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
