"""Table of idempotency keys: each is recorded in the transaction of the write that a client asked for with it.

A client that lost the answer asks again with the same key (``tui.server.idempotency``). It is there exactly when the
write is, whenever the process was killed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tui.errors import InvalidInput
from tui.store import trash_entry
from tui.store.database import Table
from tui.store.rows import now, record

_KEPT_DATES = 3
"""Number of dates: a day at least, also where the clock goes wrong and is set right again in between."""


@dataclass(frozen=True, slots=True)
class KeptRequest:
    """A write that was done; ``fingerprint`` tells whether another request with its key asks for the same.

    ``status`` and ``body`` are the answer that was given, None until it is recorded: for good where the process ended
    between the write and the answer.
    """

    fingerprint: str
    status: int | None
    body: bytes | None


class Requests(Table):
    """Table of idempotency keys; each belongs to a profile by name, which the write may be what brings into being."""

    @contextmanager
    def once(self, profile: str, key: str, fingerprint: str) -> Iterator[None]:
        """Open one transaction for the key and all that this thread writes in the block: both are kept, or neither.

        Raises ``InvalidInput`` with the code ``already_done``, and the block is not entered, for a key that is recorded
        already.
        """
        with self._connections.write() as connection:
            inserted = connection.execute(
                "INSERT INTO requests (profile, key, fingerprint, created_at, opening) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (profile, key, fingerprint, now(), trash_entry.record_opening(connection)),
            ).rowcount
            if not inserted:
                raise already_done(key)
            yield

    def find(self, profile: str, key: str) -> KeptRequest | None:
        row = self._connections.row("SELECT * FROM requests WHERE profile = ? AND key = ?", profile, key)
        return None if row is None else record(KeptRequest, row)

    def record(self, profile: str, key: str, status: int, body: bytes) -> None:
        """Keep the answer to a write; the first one stays.

        A key that no write carried is not kept: nothing was done, and asking again does no harm.
        """
        with self._connections.write() as connection:
            connection.execute(
                "UPDATE requests SET status = ?, body = ? WHERE profile = ? AND key = ? AND status IS NULL",
                (status, body, profile, key),
            )

    def empty(self, after_dates: int = _KEPT_DATES) -> int:
        """Forget keys since which the library was opened on so many other dates; gives how many went."""
        with self._connections.write() as connection:
            oldest = trash_entry.oldest_kept(connection, after_dates)
            return connection.execute("DELETE FROM requests WHERE opening < ?", (oldest,)).rowcount


def already_done(key: str) -> InvalidInput:
    """The error for a write that is asked for again and whose answer was never kept."""
    return InvalidInput(
        f"the request with the key {key[:40]!r} was carried out before",
        hint="give every new request a key of its own",
        code="already_done",
    )
