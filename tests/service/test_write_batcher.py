"""Many writes as few transactions, and none of them lost: answers that stream, and small imports, each kept or not."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.service.jobs.conftest import Jobs, stories
from tests.service.jobs.conftest import jobs as jobs
from tests.service.libraries import Opened
from tests.service.steps import finished
from tui.config import Settings
from tui.errors import InvalidInput, NotFound
from tui.records.answers import NewAnswer
from tui.service import write_batcher
from tui.service.jobs.running_job import RunningJob
from tui.service.library import Database
from tui.service.protocol import Service
from tui.service.write_batcher import WriteBatcher
from tui.store import Store


class Counted(Database):
    """Counts the transactions of the batcher; the first waits until it may go on."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.runs = 0
        self.go_on = threading.Event()

    async def run(self, work):  # type: ignore[no-untyped-def]  # the database's own types say it
        self.runs += 1

        def held(store: Store) -> object:
            assert self.go_on.wait(10)
            return work(store)

        return await super().run(held)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Counted]:
    database = Counted(tmp_path)
    yield database
    database.go_on.set()
    await database.close()


def begun(store: Store, sentence: str) -> str:
    return store.answers.begin("default", NewAnswer("explanation", "fake:m", sentence, "", "", "p", "")).id


def come(store: Store, answer_id: str, text: str) -> None:
    store.answers.update(answer_id, text=text)


async def texts(database: Database) -> dict[str, str]:
    page = await database.run(lambda store: store.answers.page("default", limit=1000))
    return {answer.sentence: answer.text for answer in page.items}


async def test_writes_that_come_while_one_is_written_are_one_transaction(database: Counted) -> None:
    batcher = WriteBatcher(database)
    writes = [asyncio.create_task(batcher.write(partial(begun, sentence=f"{n}"))) for n in range(50)]
    await asyncio.sleep(0)
    late = [asyncio.create_task(batcher.write(partial(begun, sentence=f"late {n}"))) for n in range(50)]
    database.go_on.set()
    ids = await asyncio.gather(*writes, *late)
    assert len(set(ids)) == 100
    assert database.runs <= 2
    assert len(await texts(database)) == 100


async def test_a_write_that_fails_takes_no_other_with_it(database: Counted) -> None:
    database.go_on.set()
    batcher = WriteBatcher(database)

    def half(store: Store) -> None:
        begun(store, "half")
        store.answers.update("nosuchanswer", text="x")

    good, bad, other = await asyncio.gather(
        batcher.write(lambda store: begun(store, "good")),
        batcher.write(half),
        batcher.write(lambda store: begun(store, "other")),
        return_exceptions=True,
    )
    assert isinstance(good, str) and isinstance(other, str) and isinstance(bad, NotFound)
    assert set(await texts(database)) == {"good", "other"}


async def test_who_stops_waiting_leaves_the_others_their_answers(database: Counted) -> None:
    batcher = WriteBatcher(database)
    first = asyncio.create_task(batcher.write(lambda store: begun(store, "first")))
    second = asyncio.create_task(batcher.write(lambda store: begun(store, "second")))
    await asyncio.sleep(0)
    first.cancel()
    database.go_on.set()
    assert await second
    assert first.cancelled()
    assert "second" in await texts(database)


async def test_the_latest_progress_is_written_by_itself_unless_it_was_dropped(database: Counted) -> None:
    database.go_on.set()
    batcher = WriteBatcher(database)
    ids = {of: await batcher.write(partial(begun, sentence=of)) for of in ("asked", "dropped", "kept")}
    for of, text in (("asked", "old"), ("asked", "new")):
        batcher.progress(of, partial(come, answer_id=ids[of], text=text))
    while (await texts(database))["asked"] != "new":
        await asyncio.sleep(0.01)
    for of in ("dropped", "kept"):
        batcher.progress(of, partial(come, answer_id=ids[of], text="come"))
    batcher.drop_progress("dropped")
    await batcher.close()
    assert await texts(database) == {"asked": "new", "dropped": "", "kept": "come"}


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the groups that are written."""
    sizes: list[int] = []
    real = Store.write_batch

    def write_batch(store: Store, works: Sequence[Callable[[Store], Any]]) -> list[Any]:
        sizes.append(len(works))
        return real(store, works)

    monkeypatch.setattr(Store, "write_batch", write_batch)
    return sizes


async def test_files_of_a_directory_share_transactions(service: Service, tmp_path: Path, groups: list[int]) -> None:
    paths = stories(tmp_path, 21)
    ends = await finished(service, await service.files.add(paths))
    assert [name for name, job in ends.items() if job.state != "succeeded"] == ["story-10.srt"]
    assert sum(groups) == 20
    assert len(groups) < 20
    page = await service.files.page()
    assert [file.name for file in page.items] == [path.name for path in reversed(paths) if path != paths[10]]


async def test_what_one_cannot_keep_is_its_own(jobs: Jobs, groups: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_batcher, "_SECONDS", 60.0)  # also where the machine stands still for a while

    async def work(running: RunningJob) -> None:
        def write(store: Store) -> None:
            store.jobs.update(running.job.id, state="succeeded", message=running.job.source)
            if running.job.source == "two":
                raise InvalidInput("two is one too many")

        await running.keep(write)

    jobs.work["work"] = work
    ends = await jobs.follow(*await jobs.queue("work", "one", "two", "three"))
    assert [ends[source].state for source in ("one", "two", "three")] == ["succeeded", "failed", "succeeded"]
    assert ends["two"].error == "two is one too many"
    assert groups == [3]


async def test_a_job_cancelled_while_waiting_for_others_is_not_kept(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_batcher, "_SECONDS", 60.0)
    began, go_on, kept = asyncio.Event(), asyncio.Event(), list[str]()

    async def work(running: RunningJob) -> None:
        if running.job.source == "last":
            began.set()
            await go_on.wait()
        await running.keep(lambda store: kept.append(running.job.source))

    jobs.work["work"] = work
    first, last = await jobs.queue("work", "first", "last")
    await began.wait()
    assert [job.state for job in await jobs.service.cancel(first.id)] == ["cancelled"]
    go_on.set()
    assert (await jobs.follow(last))["last"].state == "succeeded"
    assert kept == ["last"]


async def test_what_is_cut_short_by_closing_can_be_tried_again(library: Opened, jobs: Jobs, settings: Settings) -> None:
    began = asyncio.Event()

    async def work(running: RunningJob) -> None:
        if running.job.source == "last":
            began.set()
            await asyncio.Event().wait()
        await running.keep(lambda store: None)

    jobs.work["work"] = work
    first, last = await jobs.queue("work", "first", "last")
    await began.wait()
    await library.engine.close()
    with closing(Store.open(settings.home)) as store:
        assert store.jobs.get("default", last.id).state == "interrupted"
        assert store.jobs.get("default", first.id).state in ("interrupted", "succeeded")
