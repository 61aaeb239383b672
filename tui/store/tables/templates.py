"""Table of the prompt templates of profiles, at most one row each."""

from collections.abc import Sequence
from dataclasses import asdict, fields

from tui.records.answers import LlmTemplate, NewTemplate
from tui.records.deletion import Deletion
from tui.store.database import Table
from tui.store.rows import PROFILE, Connection, now, record, timestamp_after
from tui.store.trash_entry import TrashEntry, forget_redo


class Templates(Table):
    def get(self, profile: str) -> LlmTemplate | None:
        row = self._connections.row(f"SELECT * FROM templates WHERE profile = {PROFILE}", profile)
        return None if row is None else record(LlmTemplate, row)

    def save(self, profile: str, template: NewTemplate) -> LlmTemplate:
        """Create or replace the template; it keeps the time of its creation."""
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            forget_redo(connection, seq)
            old = self.get(profile)
            moment = now() if old is None else timestamp_after(old.updated_at)
            written = {field.name: getattr(template, field.name) for field in fields(NewTemplate)}
            saved = LlmTemplate(**written, created_at=old.created_at if old else moment, updated_at=moment)
            connection.insert("templates", {"profile": seq, **asdict(saved)}, replacing=True)
            return saved

    def delete(self, profile: str) -> Deletion:
        """Delete the template, so that the built-in one is in force again; nothing to delete counts 0."""
        with self._connections.write() as connection:
            seq = connection.profile_seq(profile)
            entry = TrashEntry() if seq is None else self.take_out(connection, [seq])
            if seq is None or not entry.column("templates", "profile"):
                return Deletion(0)
            return entry.save(connection, seq, "templates", "the template")

    def take_out(self, connection: Connection, profiles: Sequence[int]) -> TrashEntry:
        """Delete the templates of profiles, by their numbers; gives the entry of the trash that brings them back."""
        entry = TrashEntry()
        entry.delete(connection, "templates", "profile", profiles)
        return entry
