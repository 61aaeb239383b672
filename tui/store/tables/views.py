"""Table of views: searches with a name, each of a list; every change can be undone."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from tui.errors import InvalidInput, NotFound
from tui.records.deletion import Deletion
from tui.records.search import View
from tui.store.database import Table
from tui.store.rows import PROFILE, Connection, now, record
from tui.store.trash_entry import TrashEntry

MAX_VIEWS = 1_000
"""Views of a profile at most: all are listed at once."""
_IS_THERE = "profile = ? AND key = ?"


class Views(Table):
    def all(self, profile: str) -> tuple[View, ...]:
        """The views of a profile, by name."""
        rows = self._connections.rows(f"SELECT * FROM views WHERE profile = {PROFILE} ORDER BY key", profile)
        return tuple(record(View, row) for row in rows)

    def save(self, profile: str, view: View) -> None:
        """Put a view in the place of the one of its name."""
        with self._connections.write() as connection:
            seq, key = connection.profile_for_writing(profile), _key(view.name)
            before = _row(connection, seq, key)
            if before is not None and View(*(before[name] for name in ("name", "list", "q", "sort"))) == view:
                return
            count = connection.value("SELECT count(*) FROM views WHERE profile = ?", seq)
            if before is None and count >= MAX_VIEWS:
                raise InvalidInput(
                    f"a profile has at most {MAX_VIEWS} views", hint="delete some", code="too_many_views"
                )
            said = f"how it was before the view {view.name} was saved"
            _write(connection, seq, {key: _columns(seq, key, view)}, "saved_views", said, view.name)

    def rename(self, profile: str, name: str, new_name: str) -> View:
        """Give a view another name. Raises ``NotFound`` and, where another one has that, ``InvalidInput``."""
        with self._connections.write() as connection:
            seq, old, key = connection.profile_seq(profile), _key(name), _key(new_name)
            before = _row(connection, seq, old)
            if before is None or seq is None:
                raise no_view(name)
            if key != old and _row(connection, seq, key) is not None:
                raise InvalidInput(
                    f"there is a view {new_name!r} already", hint="take another name", code="view_exists", field="name"
                )
            view = View(new_name, before["list"], before["q"], before["sort"])
            if new_name != before["name"]:
                said = f"the name of the view {before['name']}"
                _write(connection, seq, {old: None, key: _columns(seq, key, view)}, "named_views", said, view.name)
            return view

    def delete(self, profile: str, name: str) -> Deletion:
        """Delete the view of this name; where there is none, nothing."""
        with self._connections.write() as connection:
            seq, key = connection.profile_seq(profile), _key(name)
            row = _row(connection, seq, key)
            if row is None or seq is None:
                return Deletion(0)
            _write(connection, seq, {key: None}, "views", f"the view {row['name']}", row["name"])
        return Deletion(1)


def no_view(name: str) -> NotFound:
    """The error for a view that there is none of."""
    return NotFound(f"there is no view {name[:40]!r}", hint="lode views list has all", code="view_not_found")


def restore_views(connection: Connection, changed: Mapping[str, Any]) -> dict[str, Any]:
    """Undo a change of views: they are as they were before. Gives what does it again."""
    profile = changed["profile"]
    return {"profile": profile, "rows": _put(connection, profile, changed["rows"])}


def _write(
    connection: Connection,
    profile: int,
    rows: Mapping[str, Mapping[str, Any] | None],
    kind: str,
    summary: str,
    name: str,
) -> None:
    """Put rows in the places of those with their keys, None for none; undo brings back what was there."""
    entry = TrashEntry(undo={"views": {"profile": profile, "rows": _put(connection, profile, rows)}})
    entry.save(connection, profile, kind, summary, subject=name)


def _put(connection: Connection, profile: int, rows: Mapping[str, Mapping[str, Any] | None]) -> dict[str, Any]:
    """Put rows in the places of those with their keys; gives those that were there."""
    before = {key: _row(connection, profile, key) for key in rows}
    for key, row in rows.items():
        connection.execute(f"DELETE FROM views WHERE {_IS_THERE}", (profile, key))
        if row is not None:
            connection.insert("views", row)
    return before


def _columns(profile: int, key: str, view: View) -> dict[str, Any]:
    about = {"profile": profile, "key": key, "updated_at": now()}
    return {**about, "name": view.name, "list": view.list, "q": view.q, "sort": view.sort}


def _row(connection: Connection, profile: int | None, key: str) -> dict[str, Any] | None:
    row = connection.row(f"SELECT * FROM views WHERE {_IS_THERE}", profile, key)
    return None if row is None else dict(row)


def _key(name: str) -> str:
    """Fold a name: two that differ in case only are the same."""
    return unicodedata.normalize("NFC", name.strip().casefold())
