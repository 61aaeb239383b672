"""The process that parses the files of a directory: it says what parsing here says, and may die at any time."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.importing.readers.documents.test_epub import LONG, book
from tests.service.files.test_files import finished
from tests.service.jobs.test_grouped_writes import stories
from tests.service.libraries import Opened
from tests.waiting import is_alive, wait_until
from tui.errors import ImportRefused
from tui.service.jobs import file_import
from tui.service.jobs.parser_process import ImportOptions, ParseRequest, ParserProcess
from tui.store.tables.files import count_words
from tui.system import python_process

pytestmark = pytest.mark.exhaustive

SRT = "1\n00:00:01,000 --> 00:00:02,000\n[Tür knarrt]\nANNA: Wer ist da?\n\n2\n00:00:02,000 --> 00:00:03,000\nIch.\n"


def request(name: str, data: bytes, *, encoding: str | None = None) -> ParseRequest:
    return ParseRequest(name, data, ImportOptions(encoding=encoding))


@pytest.fixture
def process() -> Iterator[ParserProcess]:
    process = ParserProcess()
    yield process
    process.end()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started."""
    processes: list[subprocess.Popen[bytes]] = []
    real = python_process.start_process

    def start(module: str) -> subprocess.Popen[bytes]:
        processes.append(real(module))
        return processes[-1]

    monkeypatch.setattr(python_process, "start_process", start)
    return processes


def test_it_says_what_parsing_here_says(process: ParserProcess) -> None:
    files = {
        "film.de.srt": SRT.encode(),
        "film.srt": "1\n00:00:01,000 --> 00:00:02,000\nПривет, как дела?\n".encode("cp1251") * 9,
        "dialog.ass": b"[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,{\\k50}wo{\\k50}rd\n",
        "book.epub": book({"one.xhtml": f"<p>{LONG}</p>", "two.xhtml": f"<p>{LONG}</p>"}),
    }
    for name, data in files.items():
        asked = request(name, data)
        here = asked.parse()
        forms = tuple(tuple(each.forms) for each in count_words(here.transcripts))
        found = process.parse(asked)
        assert found is not None
        transcripts = tuple(replace(each, cues=tuple(each.cues)) for each in found.parsed.transcripts)
        assert replace(found.parsed, transcripts=transcripts) == here, name
        assert found.forms == forms, name


def test_what_is_refused_is_refused_in_the_same_words(process: ParserProcess) -> None:
    for asked in (request("a.srt", b""), request("a.srt", b"no times"), request("a.srt", b"x", encoding="latin1")):
        with pytest.raises(ImportRefused) as here:
            asked.parse()
        with pytest.raises(ImportRefused) as there:
            process.parse(asked)
        assert vars(there.value) == vars(here.value)
    assert process.parse(request("film.de.srt", SRT.encode())) is not None


def test_what_is_more_than_memory_should_hold_is_left_to_whoever_asked(process: ParserProcess) -> None:
    lines = "".join(f"[{number // 60:02}:{number % 60:02}.00]a\n" for number in range(10_001))
    assert process.parse(request("song.lrc", lines.encode())) is None
    assert process.parse(request("film.de.srt", SRT.encode())) is not None


def test_a_process_that_is_dead_answers_nothing(started: list[subprocess.Popen[bytes]]) -> None:
    process, asked = ParserProcess(), request("film.de.srt", SRT.encode())
    assert process.parse(asked) is not None
    started[0].kill()
    assert process.parse(asked) is None
    assert process.parse(asked) is None
    process.end()
    assert len(started) == 1


def test_it_ends_with_whoever_started_it(tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom tests.service.jobs.test_parser_process import *\n"
        "process = ParserProcess()\nprocess.parse(request('film.de.srt', SRT.encode()))\n"
        "print(process._process.popen.pid, flush=True)\ntime.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.kill()
    wait_until(lambda: not is_alive(child))


async def test_a_directory_is_parsed_by_one_process_that_is_gone_afterwards(
    library: Opened, tmp_path: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    paths = stories(tmp_path, 40)
    ends = await finished(library.service, await library.service.files.add(paths))
    assert [name for name, job in ends.items() if job.state != "succeeded"] == ["story-20.srt"]
    page = await library.service.files.page()
    assert [file.name for file in page.items] == [path.name for path in reversed(paths) if path != paths[20]]
    assert [process.returncode for process in started] == [-signal.SIGKILL]


async def test_few_files_and_large_ones_need_no_process(
    library: Opened, tmp_path: Path, started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await finished(library.service, await library.service.files.add(stories(tmp_path, 10)))
    monkeypatch.setattr(file_import, "_SMALL", 10)
    larger = tmp_path / "larger"
    larger.mkdir()
    ends = await finished(library.service, await library.service.files.add(stories(larger, 21)))
    assert len(ends) == 21
    assert not started


async def test_files_are_imported_all_the_same_when_the_process_is_killed(
    library: Opened, tmp_path: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    paths = stories(tmp_path, 60)
    jobs = await library.service.files.add(paths)
    async for job in library.service.jobs.follow([jobs[5].id]):
        if started and not job.is_over:
            started[0].kill()
    started[0].kill()
    ends = await finished(library.service, jobs)
    assert [name for name, job in ends.items() if job.state != "succeeded"] == ["story-30.srt"]
    assert (await library.service.files.page()).total == 59


@pytest.mark.parametrize("by", ["cancelling them", "closing the library"])
async def test_a_process_that_does_not_answer_holds_nobody_up(
    library: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    processes: list[subprocess.Popen[bytes]] = []

    def silent(module: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "import time; time.sleep(600)"]
        processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        return processes[-1]

    monkeypatch.setattr(python_process, "start_process", silent)
    jobs = await library.service.files.add(stories(tmp_path, 40))
    while not processes:
        await asyncio.sleep(0.01)
    async with asyncio.timeout(10):
        if by == "cancelling them":
            ended = await library.service.jobs.cancel(*(job.id for job in jobs))
            assert {job.state for job in ended} == {"cancelled"}
        else:
            await library.engine.close()
    assert [process.returncode for process in processes] == [-signal.SIGKILL]
