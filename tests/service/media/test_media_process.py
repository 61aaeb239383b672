"""The process that reads films: it stays for the next request, and whatever ends it is an error or nothing at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.media.films import make_film
from tests.waiting import is_alive, wait_until
from tui.errors import MediaError
from tui.records.media import Span
from tui.service.media.media_process import CutRequest, MediaProcess, ProbeRequest

pytestmark = pytest.mark.exhaustive


@dataclass(frozen=True)
class OwnId:
    """Says which process it is in."""

    film: Path

    def results(self) -> Iterator[int]:
        yield os.getpid()


@dataclass(frozen=True)
class Greedy:
    """Takes more memory than a film may."""

    film: Path

    def results(self) -> Iterator[int]:
        yield len(bytearray(8_000_000_000))


@dataclass(frozen=True)
class Crashing:
    """Ends its process in the middle of its results, by a signal."""

    film: Path
    signal: int

    def results(self) -> Iterator[int]:
        yield 1
        os.kill(os.getpid(), self.signal)
        threading.Event().wait()


@dataclass(frozen=True)
class Endless:
    """Has a first result and then none."""

    film: Path

    def results(self) -> Iterator[int]:
        yield os.getpid()
        threading.Event().wait()


@dataclass(frozen=True)
class Busy:
    """Has a first result, and works at the next for ever."""

    film: Path

    def results(self) -> Iterator[int]:
        yield os.getpid()
        while True:
            pass


FILM = Path("film.mkv")


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[MediaProcess]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))  # it is handed requests of this module
    process = MediaProcess()
    yield process
    process.end()


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_film(tmp_path_factory.mktemp("films") / "film.mkv", 4)


def test_one_process_does_one_request_after_the_other(process: MediaProcess, film: Path, tmp_path: Path) -> None:
    (first,) = process.results(OwnId(FILM))
    assert first != os.getpid()
    (found,) = process.results(ProbeRequest(film))
    assert found.has_video
    cuttings = list(process.results(CutRequest(film, [Span(2000, 3000), Span(500, 1000)])))
    assert [(each.index, each.sound[:3], each.picture[:2]) for each in cuttings] == [
        (1, b"ID3", b"\xff\xd8"),
        (0, b"ID3", b"\xff\xd8"),
    ]
    with pytest.raises(MediaError) as refused:
        list(process.results(ProbeRequest(tmp_path / "none.mkv")))
    assert refused.value.code == "media_unreadable"
    assert list(process.results(OwnId(FILM))) == [first]
    os.kill(first, signal.SIGKILL)  # as when it was idle for long
    (second,) = process.results(OwnId(FILM))
    assert second != first


def test_a_film_that_is_too_much_is_told_and_the_next_is_read(process: MediaProcess) -> None:
    limits = ((signal.SIGKILL, "media_crashed"), (signal.SIGSEGV, "media_crashed"), (signal.SIGXCPU, "media_too_slow"))
    for ended_by, code in limits:
        results = process.results(Crashing(FILM, ended_by))
        assert next(results) == 1
        with pytest.raises(MediaError) as refused:
            next(results)
        assert (refused.value.code, "film.mkv" in refused.value.message) == (code, True)
    with pytest.raises(MediaError) as refused:
        list(process.results(Greedy(FILM)))
    assert refused.value.code == "media_too_large"
    assert len(list(process.results(OwnId(FILM)))) == 1


def test_who_stops_reading_ends_the_work(process: MediaProcess) -> None:
    results = process.results(Endless(FILM))
    at_work = next(results)
    results.close()  # type: ignore[attr-defined]  # a generator
    with pytest.raises(ProcessLookupError):
        os.kill(at_work, 0)
    assert list(process.results(OwnId(FILM))) != [at_work]


def test_it_can_be_ended_while_somebody_waits_for_it(process: MediaProcess) -> None:
    results = process.results(Endless(FILM))
    next(results)
    ending = threading.Thread(target=process.end)
    ending.start()
    with pytest.raises(MediaError) as refused:
        next(results)
    ending.join()
    assert refused.value.code == "media_crashed"


@pytest.mark.parametrize("request_of", ["Endless", "Busy"])
def test_whatever_it_is_at_it_ends_when_whoever_started_it_is_killed(process: MediaProcess, request_of: str) -> None:
    program = (
        "import time\nfrom tests.service.media.test_media_process import *\n"
        f"results = MediaProcess().results({request_of}(FILM))\nprint(next(results), flush=True)\ntime.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        was_alive = is_alive(child)
        parent.kill()
    assert was_alive
    wait_until(lambda: not is_alive(child))
