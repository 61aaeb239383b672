"""``lode jobs``: listed, watched, tried again, cancelled; a refused file's readings, and an encoding for others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.conftest import STORY, Lode, columns
from tests.server_process import LODE
from tui.store import Store

CUE = "1\n00:00:01,000 --> 00:00:02,500\n{}\n"


def test_a_failed_job_is_listed_and_tried_again_once_its_file_is_mended(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "story.srt"
    path.touch()
    assert lode("add", str(path)).code == 1
    ((job, kind, state, *_),) = columns(lode("jobs", "list"))
    assert (kind, state) == ("import", "failed")
    still = lode("jobs", "retry", job)
    assert (still.code, still.err[:20]) == (1, "refused  story.srt: ")
    path.write_text(STORY, "utf-8")
    done = lode("jobs", "retry", job[:8])
    assert (done.code, columns(done)[0][0]) == (0, "added")
    lode("jobs", "retry", job).check_refused("succeeded")
    assert lode("jobs", "cancel", job).out == f"succeeded  {job}\n"
    assert lode("jobs", "cancel", job, "--json").json()["state"] == "succeeded"
    assert lode("jobs", "cancel", "zzzz").code == 1


def test_readings_of_a_refused_file_are_listed_and_one_holds_for_those_beside_it(lode: Lode, tmp_path: Path) -> None:
    for name, line in (("a.ru.srt", "Синий лес"), ("b.ru.srt", "Слева дом.")):
        (tmp_path / name).write_bytes(CUE.format(line).encode("cp1251"))
    lode("add", str(tmp_path)).check_refused(
        'it may be windows-1251: "Синий лес" or iso-8859-5: "бшэшщ ыхё"; add it with --encoding windows-1251'
    )
    job = columns(lode("jobs", "list"))[0][0]
    rows = columns(lode("jobs", "readings", job))
    assert rows[0][0] == "windows-1251"
    assert ["iso-8859-5", "быхтр фюь."] in rows or ["iso-8859-5", "бшэшщ ыхё"] in rows
    assert lode("jobs", "readings", job, "--json").events()[0]["encoding"] == "windows-1251"
    assert lode("jobs", "readings", "nothere").code == 1
    done = lode("jobs", "retry", job, "--encoding", "windows-1251")
    assert (done.code, [row[0] for row in columns(done)]) == (0, ["added", "added"])
    assert lode("jobs", "retry", job, "--encoding", "nonsense").code == 1


def test_jobs_of_another_process_are_watched_until_they_are_over(lode: Lode, home: Path, store: Store) -> None:
    """The process that runs them is the test's."""
    assert lode("jobs", "follow").out == ""
    over, first, second = (store.jobs.add("default", "import", f"/{name}.srt") for name in ("over", "first", "second"))
    store.jobs.update(over.id, state="succeeded")
    store.jobs.update(first.id, state="running", progress=0.25, message="reading")
    with watching(home, "--json") as watched:
        assert watched.stdout is not None
        told = [json.loads(watched.stdout.readline()) for _ in range(2)]
        assert [(each["id"], each["state"], each["progress"]) for each in told] == [
            (first.id, "running", 0.25),
            (second.id, "queued", 0.0),
        ]
        store.jobs.update(first.id, state="succeeded", progress=1.0)
        assert json.loads(watched.stdout.readline())["state"] == "succeeded"
        store.jobs.update(second.id, state="failed", error="it is empty\nanother file")
        assert json.loads(watched.stdout.readline())["error"] == "it is empty\nanother file"
        assert watched.wait(30) == 1, "one of them failed"
    refused = lode("jobs", "follow", second.id[:8])
    assert (refused.code, refused.err) == (1, "refused  second.srt: it is empty\nhint: another file\n")
    assert lode("jobs", "follow", over.id, "--json").events()[0]["state"] == "succeeded"
    lode("jobs", "follow", "zzzz").check_refused("there is no job")


def test_who_stops_to_watch_a_job_does_not_stop_it(home: Path, store: Store) -> None:
    job = store.jobs.add("default", "import", "/story.srt")
    store.jobs.update(job.id, state="running")
    with watching(home, job.id, "--json") as watched:
        assert watched.stdout is not None
        watched.stdout.readline()
        watched.send_signal(signal.SIGINT)
        assert watched.wait(30) == 130
    assert store.jobs.get("default", job.id).state == "running"


@contextmanager
def watching(home: Path, *args: str) -> Iterator[subprocess.Popen[str]]:
    """``lode jobs follow`` in a process of its own, which ends with the block."""
    environ = {**os.environ, "LODE_HOME": str(home)}
    command = [LODE, "jobs", "follow", *args]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as watched:
        try:
            yield watched
        finally:
            watched.kill()
