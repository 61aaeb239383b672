"""The dates on which the library was open, in the order in which they came: what "kept for a time" is counted in.

A clock can be wrong: it may stand in 2001 until the network is there, or be in 2037 for one start. Moments are
therefore never compared with it to forget something. What is kept for a time notes the opening at which it came, and
goes once so many other dates have followed that one; a jump of the clock is one date, however far it goes.
"""

from __future__ import annotations

import sqlite3

from tui.store.rows import now

KEPT_DATES = 30
"""How long what was deleted can be brought back, and what was sent can be imported after all."""


def note(connection: sqlite3.Connection) -> int:
    """The number of the opening that this is, a new one when the date has changed. Belongs into a write transaction."""
    today = now()[:10]
    last = connection.execute("SELECT seq, date FROM openings ORDER BY seq DESC LIMIT 1").fetchone()
    if last is not None and last[1] == today:
        return int(last[0])
    # A date that comes back is the newest again, and still one date only.
    return int(connection.execute("INSERT OR REPLACE INTO openings (date) VALUES (?)", (today,)).lastrowid or 0)


def older_than(connection: sqlite3.Connection, dates: int) -> int:
    """What came at an opening before this one has seen at least so many other dates since; 0 where nothing has."""
    query = "SELECT seq FROM openings ORDER BY seq DESC LIMIT 1 OFFSET ?"
    row = connection.execute(query, (dates - 1,)).fetchone()
    return 0 if row is None else int(row[0])


def trim(connection: sqlite3.Connection) -> None:
    """Forget the dates that nothing is counted by any more."""
    connection.execute("DELETE FROM openings WHERE seq < ?", (older_than(connection, KEPT_DATES),))
