"""Processes of Lode's own that work beside it: Python runs one thread at a time, and the app's keys need theirs."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import Any


def started(module: str) -> subprocess.Popen[bytes]:
    """Start a process that does ``serve`` of a module, with pipes to it and from it; raises ``OSError``."""
    # "-P": this directory may have a "tui" of its own. The session is for Ctrl+C, which is for the program alone.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", f"from {module} import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def requests(idle_seconds: float | None = None) -> Iterator[Any]:
    """The requests on the standard input of such a process, each once it comes.

    The process ends with its input, whatever it is at: so also when whoever started it is killed. It ends too when no
    request comes for ``idle_seconds``.
    """
    come: SimpleQueue[Any] = SimpleQueue()

    def read() -> None:
        # A reader of its own: Python closes that of ``sys.stdin`` at its end, and must not find it in use.
        source = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115 - a descriptor, open to the end
        try:
            while True:
                come.put(pickle.load(source))
        finally:
            os._exit(0)  # at once: nothing is kept that nobody waits for

    threading.Thread(target=read, name="requests", daemon=True).start()
    while True:
        try:
            yield come.get(timeout=idle_seconds)
        except Empty:
            return
