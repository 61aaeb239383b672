"""A transcript of 100 000 cues, and files that take as long: nothing takes much memory, and Ctrl+C ends it."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import threading
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path

import pytest

from tests.server_process import LODE
from tests.watching import MAX_MB, peak_megabytes

pytestmark = pytest.mark.exhaustive

CUES = 100_000
MOST_MB = 100
"""While the file is read, of 11 MB; what is in the library takes less than half of that."""


@dataclass(frozen=True, slots=True)
class Run:
    code: int
    out: bytes
    megabytes: float
    seconds_to_end: float
    """From ctrl+c on, 0 without it."""


def run(home: Path, *args: str, interrupt_at: bytes = b"", interrupt_after: float = inf) -> Run:
    """Lode with a terminal for its standard error, where progress is shown; ctrl+c comes when these bytes were written
    to either stream, or after so many seconds.
    """
    begun, interrupted = time.monotonic(), 0.0
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
        if not interrupted and time.monotonic() - begun > interrupt_after:
            running.send_signal(signal.SIGINT)
            interrupted = time.monotonic()
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.02)
    ended = time.monotonic()
    for reader in readers:
        reader.join(10)
    running.stdout.close()
    os.close(near)
    return Run(running.returncode, bytes(out), peak, ended - interrupted if interrupted else 0.0)


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


def write_book(path: Path) -> None:
    """A book of one page of 30 MB, which its spine names 20 000 times."""
    page = "".join(
        f"<p>Der Zug {number * 7919} hält nicht in {9 * f'Wort{number}dorf, '} nie.</p>" for number in range(140_000)
    )
    spine = '<itemref idref="a"/>' * 20_000
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", '<container><rootfile full-path="a.opf"/></container>')
        item = '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        book.writestr("a.opf", f"<package><manifest>{item}</manifest><spine>{spine}</spine></package>")
        book.writestr("a.xhtml", page)


def write_page(path: Path) -> None:
    """A page of 100 000 links and spans within each other."""
    links = "".join(f'<a href="#{number}">Wort{number} </a>' for number in range(100_000))
    path.write_text(f"<html><body><p>{links}</p><p>{'<span>' * 100_000}Der Zug hält nicht.</body></html>", "utf-8")


def write_film(path: Path) -> None:
    """A film with a track of 100 000 subtitles."""
    from tests.media.films import subtitled  # where PyAV is installed

    subtitled(path, "ass", more=100_000)


@pytest.mark.parametrize(
    ("name", "write"), [("book.epub", write_book), ("page.html", write_page), ("film.mkv", write_film)]
)
@pytest.mark.parametrize("seconds", [1.0, 4.0])
def test_ctrl_c_ends_what_takes_long(tmp_path: Path, name: str, write: Callable[[Path], None], seconds: float) -> None:
    write(tmp_path / name)
    done = run(tmp_path / "home", "add", str(tmp_path / name), interrupt_after=seconds)
    assert done.code in (130, 0)  # done before it came
    assert done.megabytes < MAX_MB
    assert done.seconds_to_end < 5  # a second, where nothing else runs
    if done.code:
        assert run(tmp_path / "home", "files", "list", "--json").out.strip() == b"[]"


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
