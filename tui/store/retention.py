"""Retention: whatever is kept for a time is kept for a number of dates on which the library was open (``openings``).

A clock can be wrong: it may stand in 2001 until the network is there, or be in 2037 for one start. Moments are
therefore never compared with it to forget something. What is kept for a time notes the opening at which it came, and
goes once so many other dates have followed that one; a jump of the clock is one date, however far it goes.
"""

from __future__ import annotations

import sqlite3

from tui.store.rows import now

KEPT_DATES = 30
"""Number of dates for which what was deleted can be brought back, and what was sent can be imported after all."""


def record_opening(connection: sqlite3.Connection) -> int:
    """Record that the library is open today; gives the number of the opening, a new one when the date has changed."""
    today = now()[:10]
    last = connection.execute("SELECT seq, date FROM openings ORDER BY seq DESC LIMIT 1").fetchone()
    if last is not None and last[1] == today:
        return int(last[0])
    # A date that comes back is the newest again, and still one date only.
    return int(connection.execute("INSERT OR REPLACE INTO openings (date) VALUES (?)", (today,)).lastrowid or 0)


def oldest_kept(connection: sqlite3.Connection, dates: int) -> int:
    """The first opening that fewer than so many other dates have followed: what came before it has expired."""
    query = "SELECT seq FROM openings ORDER BY seq DESC LIMIT 1 OFFSET ?"
    row = connection.execute(query, (dates - 1,)).fetchone()
    return 0 if row is None else int(row[0])


def forget_old_openings(connection: sqlite3.Connection) -> None:
    """Forget the dates that nothing is counted by any more."""
    connection.execute("DELETE FROM openings WHERE seq < ?", (oldest_kept(connection, KEPT_DATES),))
