"""Processes of Lode's own that work beside it: Python runs one thread at a time, and the app's keys need theirs.

Such a process takes requests on its standard input and answers on its standard output, pickled. It ends with its input,
so also when whoever started it is killed.
"""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any


def start_process(module: str) -> subprocess.Popen[bytes]:
    """Start a process that does ``serve`` of a module, with pipes to it and from it; raises ``OSError``."""
    # "-P": this directory may have a "tui" of its own. The session is for Ctrl+C, which is for the program alone.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", f"from {module} import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


class PythonProcess:
    """A process that does ``serve`` of a module; raises ``OSError`` where none can be started."""

    def __init__(self, module: str) -> None:
        self.popen = start_process(module)

    def send(self, request: object) -> None:
        """Hand a request over; raises ``OSError`` where the process has ended."""
        assert self.popen.stdin is not None
        try:
            pickle.dump(request, self.popen.stdin, pickle.HIGHEST_PROTOCOL)
            self.popen.stdin.flush()
        except ValueError as error:  # another thread has ended it
            raise ChildProcessError("it was ended") from error

    def read(self) -> Any:
        """Read the next answer. Blocks; raises ``OSError`` where the process has ended."""
        assert self.popen.stdout is not None
        try:
            return pickle.load(self.popen.stdout)
        except (EOFError, ValueError, pickle.UnpicklingError) as error:
            raise ChildProcessError("it was ended") from error

    def end(self) -> None:
        """End the process, whatever it is at, from any thread. Blocks for a moment."""
        self.popen.kill()
        self.popen.wait()
        for pipe in (self.popen.stdin, self.popen.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()


def serve_requests(idle_seconds: float | None = None) -> Iterator[tuple[Any, Callable[[object], None]]]:
    """Iterate over the requests to this process as they come, each with the function that sends an answer.

    The process ends with its input, whatever it is at, and when no request comes for ``idle_seconds``.
    """
    come: SimpleQueue[Any] = SimpleQueue()
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # what a library prints is no answer

    def read() -> None:
        # A reader of its own: Python closes that of ``sys.stdin`` at its end, and must not find it in use.
        source = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115 - a descriptor, open to the end
        try:
            while True:
                come.put(pickle.load(source))
        finally:
            os._exit(0)  # at once: nothing is kept that nobody waits for

    def answer(value: object) -> None:
        pickle.dump(value, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()

    threading.Thread(target=read, name="requests", daemon=True).start()
    while True:
        try:
            yield come.get(timeout=idle_seconds), answer
        except Empty:
            return
