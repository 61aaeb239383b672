"""The process that parses the files of a directory: it says what parsing here says, and may die at any time."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.importing.readers.test_epub import LONG, book
from tests.service.jobs.conftest import Processes, stories
from tests.service.libraries import Opened
from tests.service.steps import finished
from tests.waiting import is_alive, wait_until
from tui.errors import ImportRefused
from tui.service.jobs import file_import
from tui.service.jobs.parser_process import ImportOptions, ParseRequest, ParserProcess
from tui.service.protocol import Service
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


def test_it_says_and_refuses_what_parsing_here_does(process: ParserProcess) -> None:
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
    for asked in (request("a.srt", b""), request("a.srt", b"no times"), request("a.srt", b"x", encoding="latin1")):
        with pytest.raises(ImportRefused) as refused:
            asked.parse()
        with pytest.raises(ImportRefused) as there:
            process.parse(asked)
        assert vars(there.value) == vars(refused.value)
    # What is more than memory should hold is left to whoever asked.
    lines = "".join(f"[{number // 60:02}:{number % 60:02}.00]a\n" for number in range(10_001))
    assert process.parse(request("song.lrc", lines.encode())) is None
    assert process.parse(request("film.de.srt", SRT.encode())) is not None


def test_a_process_that_is_dead_answers_nothing(started: Processes) -> None:
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


async def test_a_directory_is_parsed_by_one_process(service: Service, tmp_path: Path, started: Processes) -> None:
    paths = stories(tmp_path, 40)
    ends = await finished(service, await service.files.add(paths))
    assert [name for name, job in ends.items() if job.state != "succeeded"] == ["story-20.srt"]
    page = await service.files.page()
    assert [file.name for file in page.items] == [path.name for path in reversed(paths) if path != paths[20]]
    assert [process.returncode for process in started] == [-signal.SIGKILL]


async def test_few_files_and_large_ones_need_no_process(
    service: Service, tmp_path: Path, started: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    await finished(service, await service.files.add(stories(tmp_path, 10)))
    monkeypatch.setattr(file_import, "_SMALL", 10)
    ends = await finished(service, await service.files.add(stories(tmp_path / "larger", 21)))
    assert len(ends) == 21
    assert not started


async def test_a_killed_process_keeps_no_file_back(service: Service, tmp_path: Path, started: Processes) -> None:
    paths = stories(tmp_path, 40)
    jobs = await service.files.add(paths)
    async for job in service.jobs.follow([jobs[5].id]):
        if started and not job.is_over:
            started[0].kill()
    started[0].kill()
    ends = await finished(service, jobs)
    assert [name for name, job in ends.items() if job.state != "succeeded"] == ["story-20.srt"]
    assert (await service.files.page()).total == 39


@pytest.mark.parametrize("by", ["cancelling them", "closing the library"])
async def test_a_silent_process_stops_none(
    library: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    processes: Processes = []

    def silent(module: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "import time; time.sleep(600)"]
        processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        return processes[-1]

    monkeypatch.setattr(python_process, "start_process", silent)
    jobs = await library.service.files.add(stories(tmp_path, 21))
    while not processes:
        await asyncio.sleep(0.01)
    async with asyncio.timeout(10):
        if by == "cancelling them":
            ended = await library.service.jobs.cancel(*(job.id for job in jobs))
            assert {job.state for job in ended} == {"cancelled"}
        else:
            await library.engine.close()
    assert [process.returncode for process in processes] == [-signal.SIGKILL]
