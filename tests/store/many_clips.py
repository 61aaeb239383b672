"""Libraries with many clips, which are written as they would be one by one, but quickly."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from tui.records.clips import NewClip
from tui.store import Store
from tui.store.rows import new_id, now
from tui.store.tables.clips import _columns

_BATCH = 20_000


def add_many(store: Store, profile: str, clips: Iterable[NewClip]) -> int:
    """Add clips in batches, each kept whole or not at all; gives how many there were. Ids in them are whole ones."""
    waiting, added = iter(clips), 0
    while batch := [_columns(clip) for clip in islice(waiting, _BATCH)]:
        with store.clips._connections.write() as connection:
            moment = now()
            about = {"profile": connection.profile_for_writing(profile), "created_at": moment, "updated_at": moment}
            names = ("id", *about, *batch[0])
            connection.executemany(
                f"INSERT INTO clips ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                [(new_id(), *about.values(), *columns.values()) for columns in batch],
            )
        added += len(batch)
    return added
