"""What is kept for a time goes by the dates on which the library was open, and never by what a clock says."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.store.clock import Clock
from tests.store.conftest import PROFILE
from tests.store.older_library import lode_before
from tui.records.clips import NewClip
from tui.store import Store
from tui.store.schema import migrations

TODAY = "2026-11-22"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def open_on(directory: Path, clock: Clock) -> Callable[[str], None]:
    """Open the library on a date, as a command does: it is tidied, and closed again."""

    def open_on(day: str) -> None:
        clock.set(day)
        store = Store.open(directory)
        store.remove_expired()
        store.close()

    return open_on


def days_after(day: str, count: int) -> list[str]:
    return [(date.fromisoformat(day) + timedelta(days=after)).isoformat() for after in range(1, count + 1)]


def delete_one(directory: Path, sentence: str = "Der Zug.") -> None:
    """Delete a clip, and do something that has a key."""
    store = Store.open(directory)
    clip = store.clips.add(PROFILE, NewClip(sentence))
    store.clips.delete(PROFILE, [clip.id])
    with store.requests.once(PROFILE, sentence, "f"):
        store.clips.add(PROFILE, NewClip("bleibt"))
    store.close()


def kept(directory: Path) -> tuple[int, int]:
    """How many deletions and keys there are."""
    with closing(sqlite3.connect(directory / "lode.db")) as connection:
        return tuple(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("trash", "requests"))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "starts",
    [
        (TODAY,),
        ("2037-01-01",),
        ("2037-01-01", TODAY),
        (TODAY, "2001-01-01", TODAY, "2037-06-01", TODAY),
        ("2037-01-01", TODAY) * 60,
    ],
)
@pytest.mark.parametrize("deleted", ["2001-01-01", TODAY, "2037-12-31"])
def test_what_was_deleted_outlives_every_jump_of_the_clock(
    directory: Path, clock: Clock, open_on: Callable[[str], None], deleted: str, starts: tuple[str, ...]
) -> None:
    clock.set(deleted)
    delete_one(directory)
    for start in starts:
        open_on(start)
    store = Store.open(directory)
    restored = store.trash.undo(PROFILE)
    assert restored is not None
    assert restored.summary == "Der Zug."
    store.close()


def test_a_deletion_is_forgotten_on_the_thirtieth_other_date_and_a_key_on_the_third(
    directory: Path, clock: Clock, open_on: Callable[[str], None]
) -> None:
    clock.set(TODAY)
    delete_one(directory)
    for day in days_after(TODAY, 2):
        for _ in range(3):
            open_on(day)
    assert kept(directory) == (1, 1)
    for day in days_after(TODAY, 29):
        open_on(day)
    assert kept(directory) == (1, 0)
    open_on(days_after(TODAY, 30)[-1])
    assert kept(directory) == (0, 0)


def test_a_deletion_a_day_later_stays_a_date_longer(
    directory: Path, clock: Clock, open_on: Callable[[str], None]
) -> None:
    days = days_after(TODAY, 31)
    for day in days[:2]:
        clock.set(day)
        delete_one(directory, day)
    for day in days[2:]:
        open_on(day)
    store = Store.open(directory)
    restored = store.trash.undo(PROFILE)
    assert restored is not None
    assert restored.summary == days[1]
    assert store.trash.undo(PROFILE) is None
    store.close()


def test_the_dates_that_nothing_is_counted_by_any_more_go(
    directory: Path, clock: Clock, open_on: Callable[[str], None]
) -> None:
    for day in days_after(TODAY, 50):
        open_on(day)
    with closing(sqlite3.connect(directory / "lode.db")) as connection:
        assert connection.execute("SELECT count(*) FROM openings").fetchone() == (30,)


def test_what_an_older_lode_deleted_counts_from_the_migration_on(
    directory: Path, clock: Clock, open_on: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with lode_before("m004_openings", monkeypatch):
        store = Store.open(directory)
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute("INSERT INTO profiles (name, created_at) VALUES (?, '2001-01-01')", (PROFILE,))
            connection.execute(
                "INSERT INTO trash (profile, kind, summary, count, bundle, blobs, created_at) VALUES (1, 'template',"
                """ 'the template', 1, '{"tables": {}, "links": []}', '[]', '2001-01-01T00:00:00.000Z')"""
            )
            connection.execute(
                "INSERT INTO requests (profile, key, fingerprint, created_at) VALUES (?, 'k', 'f', '2001')", (PROFILE,)
            )
        store.close()
    for day in days_after(TODAY, 29):
        open_on(day)
    assert kept(directory) == (1, 0)
    assert len(list(directory.glob("lode.db.before-m004_openings-*"))) == 1
    open_on(days_after(TODAY, 30)[-1])
    assert kept(directory) == (0, 0)


def test_bytes_that_a_job_may_be_about_to_record_stay_whatever_the_clock_says(store: Store, clock: Clock) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    sha256 = store.blobs.put(b"not recorded yet")
    clock.set("2037-01-01")
    store.remove_expired()
    assert store.blobs.path(sha256).exists()
    store.jobs.cancel(job.id)
    store.remove_expired()
    assert not store.blobs.path(sha256).exists()


def test_the_copy_before_a_migration_stays_also_under_a_clock_of_long_ago(
    directory: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.open(directory).close()
    names = [migration.__name__ for migration in migrations.MIGRATIONS]
    for year, name in zip((2037, 2026, 2001), names, strict=False):
        (directory / f"lode.db.before-{name}-{year}0101T000000000000Z").write_text("")
    clock.set("1999-01-01")
    with monkeypatch.context() as later:
        later.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, m900_later))
        Store.open(directory).close()
    left = sorted(path.name.removeprefix("lode.db.before-")[:4] for path in directory.glob("*.before-*"))
    assert left == ["m002", "m003", "m900"]


def m900_later(_: object) -> None:
    """A migration that is not there yet."""
