"""Jobs, and how a dead process's jobs are told from a living one's."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE, running
from tui.errors import InvalidInput, NotFound
from tui.records.jobs import JobState
from tui.store import Store

WORKER = """
import sys
from pathlib import Path
from tui.store import Store
store = Store.open(Path(sys.argv[1]))
running, queued = store.jobs.add_all("anna", "import", ["running.srt", "queued.srt"])
store.jobs.update(running.id, state="running", progress=0.5)
print(running.id, queued.id, "ready", sep="\\n", flush=True)
sys.stdin.readline()
"""


def test_a_job_is_queued_with_its_options_and_tells_how_far_it_is(store: Store) -> None:
    options = {"language": "de", "encoding": None, "n": 3}
    job = store.jobs.add(PROFILE, "import", "/films/zug.srt", options)
    assert (job.state, job.progress, job.source, job.error) == ("queued", 0.0, "/films/zug.srt", None)
    assert store.jobs.options(job.id) == options
    running = store.jobs.update(job.id, state="running", progress=0.25, message="parsing")
    assert (running.state, running.progress, running.message) == ("running", 0.25, "parsing")
    assert running.updated_at > job.updated_at
    assert store.jobs.active_count(PROFILE) == 1
    failed = store.jobs.update(job.id, state="failed", error="no subtitles in it")
    assert (failed.progress, failed.message, failed.error) == (0.25, "parsing", "no subtitles in it")
    assert store.jobs.active_count(PROFILE) == 0
    assert store.jobs.update(job.id, error="").error is None
    assert store.jobs.get(PROFILE, job.id[:8]).state == "failed"


def test_jobs_that_were_asked_for_together_are_queued_all_or_none_with_their_key(store: Store) -> None:
    with pytest.raises(InvalidInput, match="is not a character"), store.requests.once(PROFILE, "k", "f"):
        store.jobs.add_all(PROFILE, "import", ["a.srt", "b.srt", "c\udcff.srt"])
    assert (store.jobs.page(PROFILE).total, store.requests.find(PROFILE, "k")) == (0, None)
    with store.requests.once(PROFILE, "k", "f"):
        jobs = store.jobs.add_all(PROFILE, "import", ["a.srt", "b.srt"], {"language": "de"})
    assert store.jobs.page(PROFILE).items == tuple(reversed(jobs))
    assert [store.jobs.options(job.id) for job in jobs] == [{"language": "de"}] * 2


def test_a_job_begins_once_and_only_while_it_is_queued(store: Store) -> None:
    job, cancelled = store.jobs.add_all(PROFILE, "import", ["a.srt", "b.srt"])
    assert store.jobs.begin(job.id)
    begun = store.jobs.get(PROFILE, job.id)
    assert (begun.state, begun.message) == ("running", "")
    assert begun.updated_at > job.updated_at
    assert not store.jobs.begin(job.id)
    store.jobs.cancel(cancelled.id)
    assert not store.jobs.begin(cancelled.id)
    end = store.jobs.get(PROFILE, cancelled.id)
    assert (end.state, end.message) == ("cancelled", "cancelled before it began")


def test_a_job_that_many_threads_would_begin_is_begun_by_one(store: Store) -> None:
    (job,) = store.jobs.add_all(PROFILE, "import", ["a.srt"])
    barrier = threading.Barrier(6)

    def begin() -> bool:
        barrier.wait()
        return store.jobs.begin(job.id)

    with ThreadPoolExecutor(6) as threads:
        begun = [each.result() for each in [threads.submit(begin) for _ in range(6)]]
    assert sorted(begun) == [False] * 5 + [True]


def test_a_job_that_is_cancelled_at_last_does_not_begin(
    directory: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (job,) = store.jobs.add_all(PROFILE, "import", ["a.srt"])
    second = Store.open(directory)
    connections = store.jobs._connections
    write = connections.write

    def cancelled_just_before() -> AbstractContextManager[sqlite3.Connection]:
        second.jobs.cancel(job.id)
        return write()

    monkeypatch.setattr(connections, "write", cancelled_just_before)
    assert not store.jobs.begin(job.id)
    assert store.jobs.get(PROFILE, job.id).state == "cancelled"
    second.close()


def test_a_mark_stops_only_what_waits_or_runs_elsewhere(directory: Path, store: Store) -> None:
    running, over = store.jobs.add_all(PROFILE, "import", ["a.srt", "b.srt"])
    store.jobs.begin(running.id)
    store.jobs.update(over.id, state="succeeded")
    second = Store.open(directory)
    second.jobs.cancel(over.id)
    store.jobs.cancel(running.id)
    assert store.jobs.get(PROFILE, running.id).state == "running", "its own process has to stop it"
    second.jobs.cancel(running.id, over.id)
    end = store.jobs.get(PROFILE, running.id)
    assert (end.state, end.message) == ("cancelled", "cancelled")
    assert store.jobs.get(PROFILE, over.id).state == "succeeded"
    (again,) = store.jobs.add_all(PROFILE, "import", ["a.srt"])
    second.jobs.cancel(again.id)
    second.jobs.requeue(second.jobs.get(PROFILE, again.id))
    assert not store.jobs.begin(again.id), "what another process tries again does not begin here"
    assert second.jobs.begin(again.id)
    second.close()


def test_a_job_is_queued_again_together_with_the_key_and_only_as_it_was_seen(store: Store) -> None:
    (job,) = store.jobs.add_all(PROFILE, "import", ["a.srt"])
    failed = store.jobs.update(job.id, state="failed", progress=0.5, message="parsing", error="no subtitles in it")
    for seen in (job, replace(failed, state="cancelled"), replace(failed, updated_at=job.updated_at)):
        with pytest.raises(InvalidInput, match="it is failed"), store.requests.once(PROFILE, "k", "f"):
            store.jobs.requeue(seen)
    assert store.jobs.get(PROFILE, job.id) == failed
    assert store.requests.find(PROFILE, "k") is None
    with store.requests.once(PROFILE, "k", "f"):
        again = store.jobs.requeue(failed)
    assert (again.state, again.progress, again.message, again.error) == ("queued", 0.0, "", None)
    assert store.requests.find(PROFILE, "k") is not None
    with pytest.raises(InvalidInput, match="it is queued"):
        store.jobs.requeue(failed)


def test_a_job_that_is_gone_says_so(store: Store) -> None:
    for work in (
        lambda: store.jobs.update("nowhere", progress=0.5),
        lambda: store.jobs.begin("nowhere"),
        lambda: store.jobs.cancel("nowhere"),
    ):
        with pytest.raises(NotFound) as caught:
            work()
        assert caught.value.code == "job_not_found"


def test_a_killed_processs_jobs_are_interrupted_and_a_living_ones_are_not(directory: Path, store: Store) -> None:
    mine = store.jobs.add(PROFILE, "import", "mine.srt")
    with running(WORKER, directory) as (process, ids):
        assert store.jobs.interrupt_orphans() == 0
        assert [store.jobs.get(PROFILE, job_id).state for job_id in ids] == ["running", "queued"]
        assert len(list((directory / "run").iterdir())) == 2
        process.kill()
        process.wait()
        assert store.jobs.interrupt_orphans() == 2
        assert {store.jobs.get(PROFILE, job_id).state for job_id in ids} == {"interrupted"}
        assert store.jobs.get(PROFILE, ids[0]).progress == 0.5
    assert store.jobs.get(PROFILE, mine.id).state == "queued"
    assert len(list((directory / "run").iterdir())) == 1, "the dead process's lock file is gone"
    again = store.jobs.requeue(store.jobs.get(PROFILE, ids[0]))
    assert (again.state, again.progress, again.message, again.error) == ("queued", 0.0, "", None)
    with closing(Store.open(directory)) as second:
        assert second.jobs.interrupt_orphans() == store.jobs.interrupt_orphans() == 0
    assert store.jobs.get(PROFILE, ids[0]).state == "queued", "it is ours now"
    assert store.jobs.release_owner() == 2
    assert store.jobs.get(PROFILE, ids[0]).state == "interrupted"


def test_closing_interrupts_the_own_unfinished_jobs(directory: Path, store: Store) -> None:
    with closing(Store.open(directory)) as other:
        running, _ = other.jobs.add_all(PROFILE, "import", ["running.srt", "queued.srt"])
        other.jobs.update(running.id, state="running")
        assert store.jobs.interrupt_orphans() == 0
    assert [job.state for job in store.jobs.page(PROFILE).items] == ["interrupted"] * 2
    assert not list((directory / "run").glob("*.lock"))


STATES: tuple[JobState, ...] = ("succeeded", "failed", "running", "queued", "interrupted", "cancelled", "succeeded")


def in_every_state(store: Store) -> None:
    for number, state in enumerate(STATES):
        store.jobs.update(store.jobs.add(PROFILE, "import", f"{number} {state}").id, state=state)


def test_what_failed_comes_first_then_what_runs_and_waits_then_the_rest_newest_first(store: Store) -> None:
    in_every_state(store)
    wanted = ["4 interrupted", "1 failed", "2 running", "3 queued", "6 succeeded", "5 cancelled", "0 succeeded"]
    assert [job.source for job in store.jobs.page(PROFILE, order="attention").items] == wanted
    assert [job.source for job in store.jobs.page(PROFILE, 2, 3, order="attention").items] == wanted[2:5]
    assert [job.source for job in store.jobs.page(PROFILE, q="failed", order="attention").items] == wanted[:2][1:]
    assert store.jobs.page("nobody", order="attention").items == ()


def test_the_order_of_attention_is_read_on_by_cursors_while_jobs_come(store: Store) -> None:
    in_every_state(store)
    wanted = [job.id for job in store.jobs.page(PROFILE, order="attention").items]
    seen: list[str] = []
    after: str | None = None
    while len(seen) < len(STATES):
        page = store.jobs.page(PROFILE, limit=2, after=after, order="attention")
        seen += [job.id for job in page.items]
        store.jobs.update(store.jobs.add(PROFILE, "import", "new").id, state="failed")
        after = page.next
    assert seen == wanted
    with pytest.raises(InvalidInput):
        store.jobs.page(PROFILE, after="j1", order="attention")
    with pytest.raises(InvalidInput):
        store.jobs.page(PROFILE, after="j1-1")
