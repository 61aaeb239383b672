"""Many writes as few transactions, and none of them lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from tui.errors import NotFound
from tui.service.library import Database
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
    return store.answers.begin("default", "explanation", "fake:m", sentence, "", "", "p", "").id


def _has_come(store: Store, answer_id: str) -> None:
    store.answers.update(answer_id, text="come")


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


async def test_progress_is_written_by_itself_and_the_latest_stands(database: Counted) -> None:
    database.go_on.set()
    batcher = WriteBatcher(database)
    answer_id = await batcher.write(lambda store: begun(store, "asked"))
    batcher.progress("asked", lambda store: store.answers.update(answer_id, text="old"))
    batcher.progress("asked", lambda store: store.answers.update(answer_id, text="new"))
    while (await texts(database))["asked"] != "new":
        await asyncio.sleep(0.01)


async def test_progress_that_was_dropped_is_not_written_and_what_waits_at_the_end_is(database: Counted) -> None:
    database.go_on.set()
    batcher = WriteBatcher(database)
    ids = [await batcher.write(partial(begun, sentence=of)) for of in ("dropped", "kept")]
    for answer_id, of in zip(ids, ("dropped", "kept"), strict=True):
        batcher.progress(of, partial(_has_come, answer_id=answer_id))
    batcher.drop_progress("dropped")
    await batcher.close()
    assert await texts(database) == {"dropped": "", "kept": "come"}
