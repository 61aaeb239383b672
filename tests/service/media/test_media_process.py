"""The process that reads films: it stays for the next request, and whatever ends it is an error or nothing at all."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.media.films import make_film
from tests.waiting import is_alive, wait_until
from tui.errors import MediaError
from tui.media.container import probe
from tui.media.cutting import cut
from tui.records.media import Span
from tui.service.media.media_process import MediaProcess

pytestmark = pytest.mark.exhaustive


def own_id(film: Path) -> int:
    """Says which process it is in."""
    return os.getpid()


def greedy(film: Path) -> int:
    """Takes more memory than a film may."""
    return len(bytearray(8_000_000_000))


def crashing(film: Path, ended_by: int) -> Iterator[int]:
    """Ends its process in the middle of its results, by a signal."""
    yield 1
    os.kill(os.getpid(), ended_by)
    threading.Event().wait()


def endless(film: Path) -> Iterator[int]:
    """Has a first result and then none."""
    yield os.getpid()
    threading.Event().wait()


def busy(film: Path) -> Iterator[int]:
    """Has a first result, and works at the next for ever."""
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
    first = process.result(own_id, FILM)
    assert first != os.getpid()
    assert process.result(probe, film).has_video
    cuttings = list(process.results(cut, film, [Span(2000, 3000), Span(500, 1000)]))
    assert [(each.index, each.sound[:3], each.picture[:2]) for each in cuttings] == [
        (1, b"ID3", b"\xff\xd8"),
        (0, b"ID3", b"\xff\xd8"),
    ]
    with pytest.raises(MediaError) as refused:
        process.result(probe, tmp_path / "none.mkv")
    assert refused.value.code == "media_unreadable"
    assert process.result(own_id, FILM) == first
    os.kill(first, signal.SIGKILL)  # as when it was idle for long
    assert process.result(own_id, FILM) != first


def test_a_film_that_is_too_much_is_told_and_the_next_is_read(process: MediaProcess) -> None:
    limits = ((signal.SIGKILL, "media_crashed"), (signal.SIGSEGV, "media_crashed"), (signal.SIGXCPU, "media_too_slow"))
    for ended_by, code in limits:
        results = process.results(crashing, FILM, ended_by)
        assert next(results) == 1
        with pytest.raises(MediaError) as refused:
            next(results)
        assert (refused.value.code, "film.mkv" in refused.value.message) == (code, True)
    with pytest.raises(MediaError) as refused:
        process.result(greedy, FILM)
    assert refused.value.code == "media_too_large"
    assert process.result(own_id, FILM)


def test_who_stops_reading_ends_the_work(process: MediaProcess) -> None:
    results = process.results(endless, FILM)
    at_work = next(results)
    results.close()  # type: ignore[attr-defined]  # a generator
    with pytest.raises(ProcessLookupError):
        os.kill(at_work, 0)
    assert process.result(own_id, FILM) != at_work


def test_it_can_be_ended_while_somebody_waits_for_it(process: MediaProcess) -> None:
    results = process.results(endless, FILM)
    next(results)
    ending = threading.Thread(target=process.end)
    ending.start()
    with pytest.raises(MediaError) as refused:
        next(results)
    ending.join()
    assert refused.value.code == "media_crashed"


@pytest.mark.parametrize("work", ["endless", "busy"])
def test_whatever_it_is_at_it_ends_when_whoever_started_it_is_killed(process: MediaProcess, work: str) -> None:
    program = (
        "import time\nfrom tests.service.media.test_media_process import *\n"
        f"results = MediaProcess().results({work}, FILM)\nprint(next(results), flush=True)\ntime.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        was_alive = is_alive(child)
        parent.kill()
    assert was_alive
    wait_until(lambda: not is_alive(child))
