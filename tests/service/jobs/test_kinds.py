"""A kind of job is one module and one row: all else, on every face, is there for it."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.jobs import halved, word_count
from tests.service.steps import STORY, imported, refusal
from tui.config import Settings
from tui.service.jobs.kinds import KINDS
from tui.service.local import LocalService
from tui.service.protocol import Service
from tui.store import Store


@pytest.fixture(autouse=True)
def _row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "word_count", word_count.ROW)
    monkeypatch.setattr(word_count, "counted", [])


async def test_a_job_of_a_new_kind_is_started_followed_and_listed(service: Service, tmp_path: Path) -> None:
    for kind in ("import", "nothing"):
        assert (await refusal(service.jobs.start(kind, "/etc/passwd"))).code == "job_kind_not_found"
    assert (await service.jobs.page()).total == 0
    for number in range(4):
        await imported(service, tmp_path / f"word {number}.srt", f"{STORY}\n{number}")
    job = await service.jobs.start("word_count")
    changes = [change async for change in service.jobs.follow([job.id])]
    assert (changes[-1].state, changes[-1].message, changes[-1].progress) == ("succeeded", "8 words", 1.0)
    assert [change.progress for change in changes] == sorted(change.progress for change in changes)
    assert (await service.jobs.page(q="word_count")).items == (changes[-1],)


async def test_who_asks_for_a_job_at_work_learns_how_long_it_may_take(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KINDS, "halved", halved.ROW)
    monkeypatch.setattr("tui.text.time_left._LOOKED_SECONDS", 0.0)
    job = await service.jobs.start("halved")
    assert job.seconds_left is None
    async for change in service.jobs.follow([job.id]):
        if change.message == "half done":
            assert (change.seconds_left, (await service.jobs.page()).items[0].seconds_left) == (5, 5)
            halved.may_go_on.set()
    assert (change.state, change.seconds_left) == ("succeeded", None)


def lode(home: Path, *args: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.service.jobs.word_count", "--home", str(home), *args]
    return subprocess.run(
        command, env={**os.environ, **environ}, capture_output=True, text=True, check=False, timeout=60
    )


async def test_a_killed_job_goes_on_with_the_parts_that_are_left(settings: Settings, tmp_path: Path) -> None:
    service = LocalService(settings)
    for number in range(4):
        await imported(service, tmp_path / f"word {number}.srt", f"{STORY}\n{number}")
    await service.close()
    assert lode(settings.home, "jobs", "start", "word_count", "kill", LODE_TEST_KILLS="yes").returncode == -9
    again = LocalService(settings)
    running, page = await asyncio.gather(again.jobs.running(), again.jobs.page(q="word_count"))  # whichever is first
    (job,) = page.items
    assert (job.state, running) == ("interrupted", 0)
    assert [each.state async for each in again.jobs.follow([job.id])] == ["interrupted"]
    await again.jobs.retry(job.id)
    assert [change async for change in again.jobs.follow([job.id])][-1].message == "8 words"
    await again.close()
    assert len(word_count.counted) == 3, "one was done by the process that was killed"


def test_the_command_starts_it_and_says_how_it_ended(tmp_path: Path) -> None:
    done = lode(tmp_path, "jobs", "start", "word_count", "--json")
    assert (done.returncode, '"state":"done","' in done.stdout, '"title":"0 words"' in done.stdout) == (0, True, True)


def test_a_part_that_is_cancelled_at_its_end_is_not_done(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    job = store.jobs.add("default", "word_count", "", {"asked": 1})
    with store.jobs.finishing(job.id, "one", 5):
        store.jobs.update(job.id, message="kept with it")
    with pytest.raises(ZeroDivisionError), store.jobs.finishing(job.id, "two", 7):
        store.jobs.update(job.id, message=str(1 / 0))
    assert (store.jobs.done(job.id), store.jobs.options(job.id)) == ({"one": 5}, {"asked": 1})
    assert store.jobs.get("default", job.id).message == "kept with it"
    store.close()
