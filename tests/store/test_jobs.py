"""Jobs, and how a dead process's jobs are told from a living one's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE
from tui.errors import NotFound
from tui.store import Store

WORKER = """
import sys
from pathlib import Path
from tui.store import Store
store = Store.open(Path(sys.argv[1]))
for source in ("running.srt", "queued.srt"):
    job = store.jobs.add("anna", "import", source)
    print(job.id, flush=True)
    if source.startswith("running"):
        store.jobs.update(job.id, state="running", progress=0.5)
print("ready", flush=True)
sys.stdin.readline()
store.close()
"""


@contextmanager
def worker(directory: Path) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Another process with one running and one queued job."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    ids = []
    while (line := process.stdout.readline().strip()) != "ready":
        assert line
        ids.append(line)
    try:
        yield process, ids
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


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


def test_jobs_are_listed_newest_first_and_found_by_what_they_work_on(store: Store) -> None:
    for source in ("/films/Der letzte Zug.srt", "/films/Zugvögel.vtt"):
        store.jobs.add(PROFILE, "import", source)
    assert [job.source for job in store.jobs.page(PROFILE, q="zug").items] == [
        "/films/Zugvögel.vtt",
        "/films/Der letzte Zug.srt",
    ]
    assert store.jobs.page(PROFILE, q="import letzte").total == 1
    assert store.jobs.page("berta").total == 0


def test_a_job_that_is_gone_says_so(store: Store) -> None:
    with pytest.raises(NotFound) as caught:
        store.jobs.update("nowhere", progress=0.5)
    assert caught.value.code == "job_not_found"


def test_a_living_processs_jobs_are_left_alone_and_a_killed_ones_are_interrupted(directory: Path, store: Store) -> None:
    mine = store.jobs.add(PROFILE, "import", "mine.srt")
    with worker(directory) as (process, ids):
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
    assert store.jobs.interrupt_orphans() == 0


def test_closing_interrupts_the_own_unfinished_jobs(directory: Path, store: Store) -> None:
    with worker(directory) as (process, ids):
        process.communicate("\n", timeout=30)
        assert {store.jobs.get(PROFILE, job_id).state for job_id in ids} == {"interrupted"}
    assert not list((directory / "run").glob("*.lock"))


def test_a_dead_processs_job_can_be_claimed_and_is_then_ours(directory: Path, store: Store) -> None:
    with worker(directory) as (process, ids):
        process.kill()
        process.wait()
        store.jobs.interrupt_orphans()
    store.jobs.claim(ids[0])
    store.jobs.update(ids[0], state="queued", progress=0.0)
    second = Store.open(directory)
    assert second.jobs.interrupt_orphans() == 0
    second.close()
    assert store.jobs.get(PROFILE, ids[0]).state == "queued"
    assert store.jobs.release_owner() == 1
    assert store.jobs.get(PROFILE, ids[0]).state == "interrupted"
