"""A transcript of 100 000 cues: nothing takes much memory, and Ctrl+C ends it."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.server_process import LODE
from tests.watching import peak_megabytes

pytestmark = pytest.mark.exhaustive

CUES = 100_000
MOST_MB = 100
"""While the file is read, of 11 MB; what is in the library takes less than half of that."""


@dataclass(frozen=True, slots=True)
class Run:
    code: int
    out: bytes
    megabytes: float


def run(home: Path, *args: str, interrupt_at: bytes = b"") -> Run:
    """Lode with a terminal for its standard error, where progress is shown; ctrl+c comes when these bytes were written
    to either stream.
    """
    near, far = pty.openpty()
    environ = {**os.environ, "LODE_HOME": str(home), "TERM": "xterm", "LANG": "C.UTF-8"}
    running = subprocess.Popen([LODE, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=far, env=environ)
    os.close(far)
    assert running.stdout is not None
    out, err = bytearray(), bytearray()
    interrupting = threading.Lock()

    def read(descriptor: int, kept: bytearray) -> None:
        with suppress(OSError):  # how a terminal ends
            while data := os.read(descriptor, 65_536):
                kept += data
                seen = interrupt_at and interrupt_at in kept[-len(data) - len(interrupt_at) :]
                if seen and interrupting.acquire(blocking=False):
                    running.send_signal(signal.SIGINT)

    readers = [
        threading.Thread(target=read, args=given, daemon=True)
        for given in ((near, err), (running.stdout.fileno(), out))
    ]
    for reader in readers:
        reader.start()
    peak = 0.0
    while running.poll() is None:
        peak = peak_megabytes(running.pid) or peak
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.02)
    for reader in readers:
        reader.join(10)
    running.stdout.close()
    os.close(near)
    return Run(running.returncode, bytes(out), peak)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.srt"
    with path.open("w", encoding="utf-8", newline="\r\n") as written:
        for number in range(CUES):
            times = f"{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02},{{}}"
            text = f"Der Zug Nummer {number} hält nicht in Wort{number % 9973}dorf, 😀 und fährt weiter."
            written.write(f"{number + 1}\n{times.format('000')} --> {times.format('900')}\n{text}\n\n")
    return path


@pytest.mark.parametrize("progress", ["parsing", "storing", "█" * 8])
def test_ctrl_c_ends_an_import_wherever_it_is(file: Path, tmp_path: Path, progress: str) -> None:
    done = run(tmp_path, "add", str(file), interrupt_at=progress.encode())
    assert done.code == 130
    assert run(tmp_path, "files", "list", "--json").out.strip() == b"[]"


def test_what_is_done_with_it_takes_little(file: Path, tmp_path: Path) -> None:
    added = run(tmp_path, "add", str(file))
    assert added.code == 0, added.out
    assert added.megabytes < MOST_MB
    transcript = added.out.split()[-1].decode()
    for as_json in ((), ("--json",)):
        shown = run(tmp_path, "transcripts", "show", transcript, *as_json)
        assert (shown.code, shown.out.count(b"Der Zug Nummer")) == (0, CUES)
        assert shown.megabytes < MOST_MB / 2
        stopped = run(tmp_path, "transcripts", "show", transcript, *as_json, interrupt_at=b"Der Zug Nummer")
        assert stopped.code == 130
        assert stopped.out.count(b"Der Zug Nummer") < CUES
    for command in (("transcripts", "delete", transcript, "--yes"), ("undo",)):
        done = run(tmp_path, *command)
        assert done.code == 0
        assert done.megabytes < MOST_MB / 2
    assert f'"cue_count":{CUES}'.encode() in run(tmp_path, "transcripts", "list", "--json").out
