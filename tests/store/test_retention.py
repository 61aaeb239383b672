"""What is kept for a time goes by the dates on which the library was open, and never by what a clock says."""

from __future__ import annotations

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


def tidy_on(store: Store, clock: Clock, *days: str) -> None:
    """Tidy the library on these dates, as a command does that opens it."""
    for day in days:
        clock.set(day)
        store.remove_expired()


def days_after(count: int) -> list[str]:
    return [(date.fromisoformat(TODAY) + timedelta(days=after)).isoformat() for after in range(1, count + 1)]


def delete_one(store: Store, clock: Clock, day: str) -> None:
    """Delete a clip, and do something that has a key."""
    clock.set(day)
    store.clips.delete(PROFILE, [store.clips.add(PROFILE, NewClip(day)).id])
    with store.requests.once(PROFILE, day, "f"):
        store.clips.add(PROFILE, NewClip("bleibt"))


def kept(store: Store) -> tuple[int, int]:
    """How many deletions and keys there are."""
    ((deletions, keys),) = run_sql(store, "SELECT (SELECT count(*) FROM trash), (SELECT count(*) FROM requests)")
    return deletions, keys


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("deleted", "starts"),
    [
        ("2001-01-01", (TODAY,)),
        ("2037-12-31", (TODAY,)),
        (TODAY, ("2037-01-01", TODAY)),
        (TODAY, ("2001-01-01", TODAY, "2037-06-01", TODAY)),
        (TODAY, ("2037-01-01", TODAY) * 60),
    ],
)
def test_deletions_outlive_jumps_of_the_clock(
    store: Store, clock: Clock, deleted: str, starts: tuple[str, ...]
) -> None:
    delete_one(store, clock, deleted)
    tidy_on(store, clock, *starts)
    assert undo(store).summary == deleted


def test_a_deletion_is_forgotten_on_the_thirtieth_other_date_and_a_key_on_the_third(store: Store, clock: Clock) -> None:
    delete_one(store, clock, TODAY)
    days = days_after(32)
    for until, left in ((2, (1, 1)), (29, (1, 0)), (30, (0, 0))):
        for day in days[:until]:
            tidy_on(store, clock, day, day)
        assert kept(store) == left
    tidy_on(store, clock, *days[30:])
    assert run_sql(store, "SELECT count(*) FROM openings") == [(30,)], "nothing is counted by others any more"


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
