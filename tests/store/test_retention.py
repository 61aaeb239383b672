"""What is kept for a time goes by the dates on which the library was open, and never by what a clock says."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.store.clock import Clock
from tests.store.conftest import PROFILE, run_sql, undo
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
        with closing(Store.open(directory)) as store:
            store.remove_expired()

    return open_on


def days_after(day: str, count: int) -> list[str]:
    return [(date.fromisoformat(day) + timedelta(days=after)).isoformat() for after in range(1, count + 1)]


def delete_one(directory: Path, sentence: str = "Der Zug.") -> None:
    """Delete a clip, and do something that has a key."""
    with closing(Store.open(directory)) as store:
        store.clips.delete(PROFILE, [store.clips.add(PROFILE, NewClip(sentence)).id])
        with store.requests.once(PROFILE, sentence, "f"):
            store.clips.add(PROFILE, NewClip("bleibt"))


def kept(directory: Path) -> tuple[int, int]:
    """How many deletions and keys there are."""
    ((deletions, keys),) = run_sql(directory, "SELECT (SELECT count(*) FROM trash), (SELECT count(*) FROM requests)")
    return deletions, keys


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("deleted", "starts"),
    [
        ("2001-01-01", (TODAY,)),
        ("2037-12-31", (TODAY,)),
        (TODAY, ("2037-01-01", TODAY)),
        (TODAY, ("2001-01-01", TODAY, "2037-06-01", TODAY)),
        (TODAY, ("2037-01-01", TODAY) * 20),
    ],
)
def test_what_was_deleted_outlives_every_jump_of_the_clock(
    directory: Path, clock: Clock, open_on: Callable[[str], None], deleted: str, starts: tuple[str, ...]
) -> None:
    clock.set(deleted)
    delete_one(directory)
    for start in starts:
        open_on(start)
    with closing(Store.open(directory)) as store:
        assert undo(store).summary == "Der Zug."


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
    for day in days_after(TODAY, 32)[-2:]:
        open_on(day)
    assert run_sql(directory, "SELECT count(*) FROM openings") == [(30,)], "nothing is counted by others any more"


def test_a_deletion_a_day_later_stays_a_date_longer(
    directory: Path, clock: Clock, open_on: Callable[[str], None]
) -> None:
    days = days_after(TODAY, 31)
    for day in days[:2]:
        clock.set(day)
        delete_one(directory, day)
    for day in days[2:]:
        open_on(day)
    with closing(Store.open(directory)) as store:
        assert undo(store).summary == days[1]
        assert store.trash.undo(PROFILE) is None


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
