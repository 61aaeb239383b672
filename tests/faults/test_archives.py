"""Archives and piped texts where a disk is full, a file goes, a program ends: nothing is half there."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import conftest as command_line
from tests.cli.conftest import Lode
from tests.faults.small_disk import SmallDisk, small_disk
from tests.importing.archives.making import story, tarred, zipped
from tests.service.steps import finished
from tui.config import Settings
from tui.errors import StoreError
from tui.importing.archive import list_contents
from tui.service.engine import Engine
from tui.service.local import LocalService
from tui.store import Store

__all__ = ["small_disk"]

lode = command_line.lode
SEASON = {f"Dark/Season 1/{number:02}.srt": story(str(number)) for number in (1, 2, 3)}


@pytest.fixture
def on_disk(small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home on the small disk."""
    directory = small_disk.path / "home"
    Store.open(directory).close()
    monkeypatch.setenv("LODE_HOME", str(directory))
    yield directory


def kept(home: Path) -> list[Path]:
    return [path for folder in ("blobs", "uploads") for path in (home / folder).rglob("*") if path.is_file()]


def test_nothing_stays_of_what_is_added_to_a_full_disk(
    lode: Lode, on_disk: Path, small_disk: SmallDisk, tmp_path: Path
) -> None:
    path = zipped(tmp_path / "a.zip", SEASON)
    small_disk.fill(0)
    done = lode("add", str(path))
    assert done.code == 1
    assert "the disk is full" in done.err
    assert kept(on_disk) == []
    small_disk.make_room()
    small_disk.fill(8192)
    done = lode("add", "-", "--name", "long.txt", stdin="Ein langer Satz steht hier. " * 100_000)
    assert done.code == 1
    assert "long.txt cannot be kept" in done.err or "the disk is full" in done.err
    assert kept(on_disk) == []
    small_disk.make_room()
    assert lode("files", "list", "--json").json() == []
    assert lode("add", str(path)).code == 0
    assert len(lode("transcripts", "list", "--json").json()) == 3
    assert lode("add", "-", "--name", "long.txt", stdin="Ein Satz steht hier.").code == 0


def test_a_compressed_archive_that_has_no_room_to_be_unpacked_says_where_it_is_needed(
    small_disk: SmallDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tarred(tmp_path / "a.tar.gz", {"a.txt": b"Ein Satz. " * 900_000}, mode="w:gz")
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk.path))
    small_disk.fill(1_048_576)
    with pytest.raises(StoreError, match=r"a\.tar\.gz cannot be unpacked") as caught:
        list_contents(path)
    assert str(small_disk.path) in caught.value.hint
    assert small_disk.free == 1_048_576, "nothing of it is left"


async def test_an_archive_that_goes_before_its_jobs_fails_each_by_name(service: LocalService, tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", SEASON)
    jobs = await service.files.add([path])
    path.unlink()
    ends = await finished(service, jobs)
    assert len(ends) == 3
    for name, job in ends.items():
        if job.state != "succeeded":  # one may have been read before
            assert name in (job.error or "")
            assert "there is no file" in (job.error or "")
    assert (await service.files.page()).total == sum(job.state == "succeeded" for job in ends.values())
    zipped(path, SEASON)
    for job in ends.values():
        if job.state == "failed":
            await service.jobs.retry(job.id)
    await finished(service, tuple(ends.values()))
    assert (await service.files.page()).total == 3, "once it is back they can be tried again"


async def test_jobs_of_an_archive_outlive_the_program(settings: Settings, tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", SEASON)
    sent = zipped(tmp_path / "b.zip", {"x.srt": story("x"), "y.srt": story("y")}).read_bytes()
    engine = Engine(settings, environ={})
    service = LocalService(settings, engine=engine)
    jobs = await service.files.add([path])
    jobs += await service.files.add_content("sent.zip", sent)
    await engine.close()
    again = LocalService(settings)
    left = [job for job in (await again.jobs.page()).items if job.state == "interrupted"]
    for job in left:
        await again.jobs.retry(job.id)
    ends = await finished(again, jobs)
    assert {job.state for job in ends.values()} == {"succeeded"}
    assert (await again.files.page()).total == 5
    while list((settings.home / "uploads").iterdir()):  # what was sent goes a moment after the last of its jobs
        await asyncio.sleep(0.001)
    await again.close()
