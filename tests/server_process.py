"""A real ``lode serve``, or ``lode inbox``: a process of its own, which can be killed and started again at the same
address.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from tests.waiting import HANGS

LODE = str(Path(sys.executable).with_name("lode"))
"""The installed command."""
_URL = re.compile(r" at (http://\S+)$")


def free_port() -> int:
    """A port on which nothing listens now: a server that is started again has to find it so too."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port: int = place.getsockname()[1]
        return port


class ServerProcess:
    """The library of ``home``, served from entering the block to its end. ``said`` is what it wrote on stderr.

    ``command`` may be ``inbox``, which says where it is in the same way.
    """

    def __init__(
        self,
        home: Path,
        *arguments: str,
        environ: Mapping[str, str] | None = None,
        port: int | None = None,
        command: str = "serve",
    ) -> None:
        self._command = command
        self.home = home
        self.port = free_port() if port is None else port
        self.url = f"http://127.0.0.1:{self.port}"
        self.said: list[str] = []
        self._command = command
        self._arguments: Sequence[str] = arguments
        self._environ = {**os.environ, "LODE_HOME": str(home), **(environ or {})}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()

    @property
    def process(self) -> subprocess.Popen[str]:
        assert self._process is not None
        return self._process

    def start(self) -> None:
        """Start it, and wait until it answers; fails with what it said where it ends instead."""
        command = [LODE, self._command, "--port", str(self.port), *self._arguments]
        self._process = process = subprocess.Popen(
            command,
            env=self._environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        listens = threading.Event()
        threading.Thread(target=self._read, args=(process, listens), daemon=True).start()
        assert listens.wait(HANGS), self.said
        assert process.poll() is None, self.said

    def _read(self, process: subprocess.Popen[str], listens: threading.Event) -> None:
        assert process.stderr is not None
        with process.stderr as lines:
            for line in lines:
                self.said.append(line.rstrip("\n"))
                if found := _URL.search(self.said[-1]):
                    self.url = found[1]
                if line.startswith("ctrl+c"):
                    listens.set()
        listens.set()

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def kill(self) -> None:
        """As a power cut does."""
        self.end_input()
        self.process.kill()
        self.process.wait(HANGS)

    def stop(self, signal_number: int = signal.SIGTERM) -> int:
        """Ask it to stop; gives its exit code."""
        self.process.send_signal(signal_number)
        return self.process.wait(HANGS)
