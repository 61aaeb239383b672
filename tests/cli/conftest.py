"""Running the command: in this process with its streams caught, or the installed one as a process of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.server_process import LODE
from tui import cli
from tui.store import Store

Process = Callable[..., subprocess.CompletedProcess[str]]

STORY = """1
00:00:01,000 --> 00:00:02,500
Der Zug fährt ab.

2
00:00:03,000 --> 00:00:05,000
Wir fahren mit.
"""


class Stream(io.TextIOWrapper):
    """A standard stream in memory that may say that it is a terminal."""

    def __init__(self, data: bytes = b"", *, terminal: bool = False, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(data), encoding=encoding, newline="\n")
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    err: str

    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    def check_refused(self, *said: str, code: int = 1) -> None:
        """Nothing was printed, and the cause (``said``) stands on standard error with a next step."""
        assert (self.code, self.out) == (code, ""), self
        assert all(each in self.err for each in (*said, "hint: ")), self


class Lode(Protocol):
    def __call__(self, *args: str, stdin: str | bytes = b"", terminal: bool = False) -> Done:
        """``terminal``: all three streams say that they are one, 80 columns wide."""


@pytest.fixture
def lode(monkeypatch: pytest.MonkeyPatch) -> Lode:
    """Run the command in this process."""

    def run(*args: str, stdin: str | bytes = b"", terminal: bool = False) -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = Stream(terminal=terminal), Stream(terminal=terminal)
        with monkeypatch.context() as patch:
            patch.setenv("COLUMNS", "80")
            patch.setenv("PAGER", "")
            patch.setattr(sys, "stdin", Stream(data, terminal=terminal))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = cli.run(args)
        done = Done(code, out.text(), err.text())
        assert "Traceback" not in done.err
        return done

    return run


@pytest.fixture
def process() -> Process:
    """Run the installed command as a process and wait for it."""

    def run(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
        settings = {"capture_output": True, "text": True, "timeout": 60, **options}
        return subprocess.run([LODE, *args], check=False, **settings)

    return run


@pytest.fixture
def story(tmp_path: Path) -> Path:
    """A small subtitle file."""
    path = tmp_path / "Der Zug.de.srt"
    path.write_text(STORY, "utf-8")
    return path


def add_file(lode: Lode, path: Path, text: str | bytes = STORY, *options: str) -> Any:
    """Write a file and add it; gives what ``lode add --json`` says of it."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return lode("add", str(path), "--json", *options).json()


def columns(done: Done) -> Sequence[list[str]]:
    """The rows that a pipe got, as their cells."""
    return [line.split("\t") for line in done.out.splitlines()]


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    store = Store.open(home)
    yield store
    store.close()
