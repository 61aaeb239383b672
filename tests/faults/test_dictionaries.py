"""Dictionaries on a disk that fills, in a damaged file, or sent by somebody who breaks off: nothing half there."""

from __future__ import annotations

import sqlite3
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from tests.conftest import LEMMAS
from tests.dictionaries.making import CEDICT_HEADER, term_row, yomitan
from tests.faults.small_disk import SmallDisk
from tests.faults.small_disk import small_disk as disk
from tui.config import Settings
from tui.dictionaries.dictd import zip_pair
from tui.dictionaries.formats import open_dictionary
from tui.errors import LodeError, StoreError
from tui.records.jobs import Job
from tui.service.local import LocalService
from tui.service.protocol import Service
from tui.store.dictionaries.dictionary_store import DictionaryStore

pytestmark = pytest.mark.exhaustive
__all__ = ["disk"]

PAGE = 4096
ROWS = 40_000
"""Rows that take more than the small disk has."""


@pytest.fixture
def small_disk(disk: SmallDisk) -> SmallDisk:
    """Of 35 MB: a dictionary leaves 32 of them free."""
    subprocess.run(["mount", "-o", "remount,size=35m", str(disk.path)], check=True)
    return disk


@asynccontextmanager
async def opened(home: Path) -> AsyncIterator[LocalService]:
    """A service whose lists of lemmas take no room on the disk of ``home``."""
    home.mkdir(exist_ok=True)
    if not (home / "lemmas").exists():
        (home / "lemmas").symlink_to(LEMMAS)
    service = LocalService(Settings(home=home, config_path=home / "config.toml"), environ={})
    yield service
    await service.close()


def large(path: Path) -> Path:
    rows = "".join(f"開車{number} 开车{number} [kai1 che1] /to drive a car, {number}/\n" for number in range(ROWS))
    path.write_text(CEDICT_HEADER + rows, "utf-8")
    return path


async def added(service: Service, path: Path) -> Job:
    (job,) = await service.dictionaries.add([path])
    return [change async for change in service.jobs.follow([job.id])][-1]


def room_taken(home: Path) -> int:
    """Return the bytes of every file in `home` but the library's log, which grows with each progress of a job, and
    the lists of lemmas, which looking up a word writes out."""
    files = [path for path in home.rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files if path.suffix != ".dic" and not path.name.startswith("lode.db"))


async def meanings(service: Service, word: str) -> list[str]:
    found = await service.dictionaries.look_up(word, language="de")
    return [each.entry.senses[0].glosses[0] for each in found.entries if each.dictionary.format != "glossary"]


async def test_a_disk_that_fills_meanwhile_leaves_what_was_there(small_disk: SmallDisk, tmp_path: Path) -> None:
    home = small_disk.path / "home"
    async with opened(home) as service:
        assert (await added(service, yomitan(tmp_path / "a.zip", [term_row("Wort", "word")]))).state == "succeeded"
        before = room_taken(home)
        failed = await added(service, large(tmp_path / "cedict_ts.u8"))
        assert failed.state == "failed"
        assert "the disk is full" in (failed.error or "")
        assert [each.title for each in await service.dictionaries.all()] == ["Test"]
        assert await meanings(service, "Wort") == ["word"]
        with closing(sqlite3.connect(home / "dictionaries.db")) as connection:
            assert connection.execute("SELECT count(*) FROM rows").fetchone() == (1,)
        assert room_taken(home) <= before + 100_000, "of megabytes that were read nothing is left"
        assert (await added(service, yomitan(tmp_path / "b.zip", [term_row("Wort", "again")]))).state == "succeeded"


@pytest.mark.parametrize(("free", "is_begun"), [(8, False), (250, False), (0, True), (12, True)])
async def test_the_first_dictionary_on_a_full_disk_says_so_and_is_added_once_there_is_room(
    small_disk: SmallDisk, tmp_path: Path, free: int, is_begun: bool
) -> None:
    home = small_disk.path / "home"
    file = home / "dictionaries.db"
    home.mkdir()
    if is_begun:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    small_disk.fill(free * PAGE)
    for _ in range(2):
        with pytest.raises(StoreError, match="the disk is full") as refused:
            DictionaryStore.open(home)
        assert refused.value.hint.startswith("make room")
        assert file.exists() == is_begun
    small_disk.make_room()
    async with opened(home) as service:
        assert (await added(service, yomitan(tmp_path / "a.zip", [term_row("Wort", "word")]))).state == "succeeded"
        assert await meanings(service, "Wort") == ["word"]


def test_a_dictionary_that_there_is_no_room_to_unpack_is_not_called_damaged(
    small_disk: SmallDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = tmp_path / "wide.index", tmp_path / "wide.dict"
    parts[1].write_text("fahren /verb/\nto drive\n" + "x" * 100_000, "utf-8")
    parts[0].write_text("fahren\tA\tV\n", "utf-8")
    packed = tmp_path / "wide.zip"
    zip_pair(parts, packed)
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk.path))
    for free in (0, 2, 20):
        small_disk.fill(free * PAGE)
        with pytest.raises(LodeError) as refused, open_dictionary(packed, "wide.zip"):
            pass
        assert "No space left on device" in refused.value.message
        small_disk.make_room()
        with open_dictionary(packed, "wide.zip") as file:
            assert file.info.title


async def test_a_damaged_file_of_dictionaries_is_told_and_the_library_goes_on(home: Path, tmp_path: Path) -> None:
    (home / "dictionaries.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    async with opened(home) as service:
        failed = await added(service, yomitan(tmp_path / "a.zip", [term_row("Wort", "word")]))
        assert failed.state == "failed"
        assert "remove it and add the dictionaries again" in (failed.error or "")
        with pytest.raises(StoreError):
            await service.dictionaries.all()
        assert (await service.clips.page()).total == 0
