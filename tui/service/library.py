"""The open database, the threads in which its blocking work runs, and what one profile sees of it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tui.errors import StoreError

if TYPE_CHECKING:
    from tui.records.settings import SavedSettings
    from tui.store import Store

T = TypeVar("T")
_CLEANED_AFTER_SECONDS = 2.0
"""Seconds after which a library that was opened is cleaned up: the first list of a start would wait for it."""
_TIDIED = "run/tidied"
"""Mark of a library from which what has expired was removed on the date of this file, and that was closed in order.

What expires does so by dates, and a killed process may have left something; to look for either takes as long as a list.
"""
_SETTLED_SECONDS = 5.0
"""Seconds for which it is believed that no process of a running job has died."""


class WorkAbandoned(Exception):
    """Ends work in a thread whose outcome nobody waits for any more."""


@dataclass(frozen=True, slots=True)
class WriteKey:
    """The idempotency key of a request that writes, and the digest that tells it from others with the same key.

    ``digest`` is called when it comes to the write: a file that is uploaded has been read by then.
    """

    key: str
    digest: Callable[[], str]


class Database:
    """Access to the store, opened at the first call, so that the first frame never waits for a disk.

    SQLite blocks, so every call runs in one of a few threads, each with a connection of its own. What may take minutes
    has two more, which it shares with nothing but its like.
    """

    def __init__(self, directory: Path, *, threads: int = 4) -> None:
        self.directory = directory
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="lode-store")
        self._long = ThreadPoolExecutor(2, thread_name_prefix="lode-store-long")
        self._abandoned: set[threading.Event] = set()
        """One event for each long work, which ends when it is set."""
        self._opening = threading.Lock()
        self._store: Store | None = None
        self._settling = threading.Lock()
        self._settled: float | None = None
        self._cleaning: asyncio.TimerHandle | None = None
        self._is_cleaned = False
        self._is_tidy = False
        self._closing = threading.Event()
        self.told_of_trouble: list[Callable[[], None]] = []
        """Called, on the event loop, whenever ``trouble`` has changed."""
        self._notified = ""
        self.trouble = ""
        """Reason as of the last call, in a few words, why the library cannot be written; "" for none."""

    def _notify_of_trouble(self) -> None:
        if self._notified != self.trouble:
            self._notified = self.trouble
            for tell in self.told_of_trouble:
                tell()

    async def run(self, work: Callable[[Store], T]) -> T:
        """Run ``work`` with the open store, in a thread. Raises what it raises, and ``StoreError`` from opening."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._call, work)
        finally:
            self._clean_up_later()
            self._notify_of_trouble()

    async def run_on_jobs(self, work: Callable[[Store], T]) -> T:
        """Do ``run`` once the jobs of processes that are gone have been marked as interrupted."""

        def settled(store: Store) -> T:
            self._settle_jobs(store)
            return work(store)

        return await self.run(settled)

    async def run_long(self, work: Callable[[Store, Callable[[], None]], T]) -> T:
        """Run what may take minutes: two at a time, and it ends soon after its caller is cancelled.

        ``work`` calls its second argument often; that raises ``WorkAbandoned`` when it is to end.
        """
        abandoned = threading.Event()

        def check() -> None:
            if abandoned.is_set():
                raise WorkAbandoned

        def called() -> T:
            check()
            return self._call(lambda store: work(store, check))

        self._abandoned.add(abandoned)
        doing = self._long.submit(called)
        try:
            return await asyncio.wrap_future(doing)
        except asyncio.CancelledError:
            # What it has written is removed by the caller, so it must have ended before that.
            abandoned.set()
            if not doing.cancel():  # it had begun
                await asyncio.to_thread(wait, (doing,))
            raise
        finally:
            self._abandoned.discard(abandoned)
            self._clean_up_later()
            self._notify_of_trouble()

    def _call(self, work: Callable[[Store], T]) -> T:
        store = self._opened()
        try:
            return work(store)
        finally:
            self.trouble = store.trouble

    def _opened(self) -> Store:
        with self._opening:
            if self._store is None:
                from tui.store import Store

                self._store = Store.open(self.directory)
                self._is_tidy = self._take_tidied()
            return self._store

    async def clean_up(self) -> None:
        """Forget what is kept for a time only; done once, and now and then by who stays open for long."""
        self._is_tidy = False
        await self.run(self._clean_up)

    def _clean_up_later(self) -> None:
        """Clean up once, a while after the library was opened, or when it is closed before that."""
        if self._cleaning is None and (store := self._store) is not None:
            loop = asyncio.get_running_loop()
            self._cleaning = loop.call_later(_CLEANED_AFTER_SECONDS, self._pool.submit, self._clean_up, store)

    def _clean_up(self, store: Store) -> None:
        import tempfile

        from tui.service.incoming import KeptFilms, Uploads
        from tui.system.temporary import sweep

        self._is_cleaned = True
        self._settle_jobs(store)
        for place in (self.directory, self.directory / "lemmas", Path(tempfile.gettempdir())):
            sweep(place)
        with suppress(StoreError):
            Uploads(self.directory).sweep(store)
            KeptFilms(self.directory).sweep(store)
        with suppress(StoreError):
            if not self._is_tidy:
                store.remove_expired()
                self._is_tidy = True
            # A batch at each opening at least, however short it is: the rest can wait.
            while store.expiry.remove_discarded() and not self._closing.is_set():
                pass

    def _take_tidied(self) -> bool:
        """Take the mark that this library was tidied today, and closed in order since; whether it was there."""
        mark = self.directory / _TIDIED
        with suppress(OSError):
            was_today = date.fromtimestamp(mark.stat().st_mtime) == date.today()
            mark.unlink()
            return was_today
        return False

    def _leave_tidied(self) -> None:
        with suppress(OSError):
            (self.directory / _TIDIED).parent.mkdir(exist_ok=True)
            (self.directory / _TIDIED).touch()

    def _settle_jobs(self, store: Store) -> None:
        # A library that can only be read is still a library: what cannot be tidied now is tidied another day.
        with self._settling:
            if self._settled is None or time.monotonic() - self._settled > _SETTLED_SECONDS:
                with suppress(StoreError):
                    store.jobs.interrupt_orphans()
                self._settled = time.monotonic()

    async def close(self) -> None:
        """Wait for what runs, then let go of the database; no call may follow."""
        self._closing.set()
        if self._cleaning is not None:
            self._cleaning.cancel()
            if not self._is_cleaned and self._store is not None:
                self._pool.submit(self._clean_up, self._store)
        for abandoned in self._abandoned:
            abandoned.set()
        await asyncio.to_thread(self._long.shutdown)
        await asyncio.to_thread(self._pool.shutdown)
        if self._store is not None:
            await asyncio.to_thread(self._store.close)
            self._store = None
            if self._is_tidy:
                self._leave_tidied()


@dataclass(frozen=True, slots=True)
class Library:
    """The database as one profile sees it, for good or, with a ``write_key``, for the one request that has that key."""

    database: Database
    profile: str
    write_key: WriteKey | None = None

    async def run(self, work: Callable[[Store], T]) -> T:
        return await self.database.run(work)

    async def settings(self) -> SavedSettings:
        """The settings of the profile."""
        return await self.run(lambda store: store.settings.get(self.profile))

    async def change(self, work: Callable[[Store], T]) -> T:
        """Run the one write of a request, which must not be done twice.

        The request's key is recorded in the same transaction; where it is recorded already this raises
        ``InvalidInput`` (``already_done``) and writes nothing.
        """
        write_key = self.write_key
        if write_key is None:
            return await self.database.run(work)

        def once(store: Store) -> T:
            with store.requests.once(self.profile, write_key.key, write_key.digest()):
                return work(store)

        return await self.database.run(once)
