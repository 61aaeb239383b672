"""What was sent stays as long as a job may import it, and no longer; the clock has no say in that."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.store.clock import Clock
from tui.service.incoming import Uploads
from tui.store import Store


async def pieces() -> AsyncIterator[bytes]:
    yield b"1\n00:00:01,000 --> 00:00:02,000\nDer Zug.\n"


async def test_what_was_sent_stays_while_a_job_can_import_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    clock.set("2026-11-22")
    uploads, store = Uploads(tmp_path), Store.open(tmp_path)
    async with uploads.receive("failed.srt", pieces(), 1000) as source:
        job = store.jobs.add("default", "import", str(source))
    async with uploads.receive("orphan.srt", pieces(), 1000):
        pass  # killed before it was queued
    async with uploads.receive("coming.srt", pieces(), 1000):
        uploads.sweep(store)
        names = {path.name for path in tmp_path.glob("uploads/*/*.srt")}
        assert names == {"failed.srt", "coming.srt"}, "one has a job, the other is being sent"
    store.jobs.update(job.id, state="failed", error="x")
    for year in range(2037, 2066):
        clock.set(f"{year}-01-01")
        store.remove_expired()
        uploads.sweep(store)
        assert uploads.path(source).exists(), "29 other dates, however far they jump"
    clock.set("2001-01-01")
    store.remove_expired()
    uploads.sweep(store)
    assert list((tmp_path / "uploads").iterdir()) == []
    store.close()
