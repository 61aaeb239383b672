"""Table of prompt templates: at most one per profile."""

from __future__ import annotations

import sqlite3
from dataclasses import astuple, fields

from tui.records.answers import LlmTemplate, NewTemplate
from tui.records.library import Deletion
from tui.store.database import Table
from tui.store.rows import now, profile_for_writing, profile_seq, record, timestamp_after
from tui.store.trash_entry import TrashEntry

_COLUMNS = tuple(field.name for field in fields(LlmTemplate))


class Templates(Table):
    def get(self, profile: str) -> LlmTemplate | None:
        with self._connections.read() as connection:
            return _read(connection, profile_seq(connection, profile))

    def save(self, profile: str, template: NewTemplate) -> LlmTemplate:
        """Create or replace the template; it keeps the time of its creation."""
        with self._connections.write() as connection:
            seq = profile_for_writing(connection, profile)
            old = _read(connection, seq)
            moment = now() if old is None else timestamp_after(old.updated_at)
            written = {field.name: getattr(template, field.name) for field in fields(NewTemplate)}
            created = moment if old is None else old.created_at
            saved = LlmTemplate(**written, created_at=created, updated_at=moment)
            connection.execute(
                f"INSERT OR REPLACE INTO templates (profile, {', '.join(_COLUMNS)}) VALUES (?{', ?' * len(_COLUMNS)})",
                (seq, *astuple(saved)),
            )
            return saved

    def delete(self, profile: str) -> Deletion:
        """Delete the template, so that the built-in one is in force again; nothing to delete counts 0."""
        with self._connections.write() as connection:
            seq = profile_seq(connection, profile)
            entry = TrashEntry()
            if seq is None or not entry.delete(connection, "templates", "profile", [seq]):
                return Deletion(0)
            return entry.save(connection, seq, "templates", "the template")


def _read(connection: sqlite3.Connection, profile: int | None) -> LlmTemplate | None:
    row = connection.execute("SELECT * FROM templates WHERE profile = ?", (profile,)).fetchone()
    return None if row is None else record(LlmTemplate, row)
