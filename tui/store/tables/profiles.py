"""Tables of profiles, of their settings (at most one row each) and of their prompt templates.

Settings are not in the trash: nothing is lost when one is changed, and changing it back is the same step.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, fields

from tui.errors import damaged
from tui.records.answers import LlmTemplate, NewTemplate
from tui.records.library import Deletion, ProfileSummary
from tui.records.settings import CHOICES, LearnedLanguage, ProfileSettings, SavedSettings
from tui.records.word_states import WORD_STATES
from tui.store.database import Table
from tui.store.rows import PROFILE, Connection, as_json, json_value, now, record, timestamp_after
from tui.store.trash_entry import TrashEntry, forget_redo


class Profiles(Table):
    def summaries(self) -> tuple[ProfileSummary, ...]:
        """Profiles by name, with the counts that triggers keep, so a million clips take no longer than none."""
        kinds = ("files", "transcripts", "clips")
        counts = ", ".join(f"coalesce(max(n) FILTER (WHERE kind = '{kind}'), 0)" for kind in kinds)
        rows = self._connections.rows(
            f"SELECT name, {counts} FROM profiles LEFT JOIN totals ON profile = profiles.seq"
            " GROUP BY profiles.seq ORDER BY name"
        )
        return tuple(ProfileSummary(*row) for row in rows)

    def revisions(self, profile: str) -> dict[str, str]:
        """Revisions of what a profile has, by kind ("file", "clip" …): another text after every change of the kind."""
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            rows = connection.rows("SELECT kind, revision FROM totals WHERE profile = ?", seq)
            revisions = {row[0].removesuffix("s"): str(row[1]) for row in rows}
            exported = connection.value("SELECT max(created_at) FROM exports WHERE profile = ?", seq)
            if exported is not None:  # the list of clips says which of them a deck has
                revisions["clip"] += f" {exported}"
            return revisions


class SettingsTable(Table):
    def get(self, profile: str) -> SavedSettings:
        """The settings, the usual ones where none were saved."""
        row = self._connections.row(f"SELECT * FROM profile_settings WHERE profile = {PROFILE}", profile)
        return SavedSettings() if row is None else _settings(row)

    def save(self, profile: str, settings: ProfileSettings) -> SavedSettings:
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            before = self.get(profile)
            moment = now() if before.updated_at is None else timestamp_after(before.updated_at)
            columns = {field.name: getattr(settings, field.name) for field in fields(ProfileSettings)} | {
                "profile": seq,
                "learning": as_json([each.language, each.level] for each in settings.learning),
                "known_states": " ".join(settings.known_states),
                "updated_at": moment,
                "card_changed_at": before.card_changed_at if before.card == settings.card else moment,
            }
            connection.insert("profile_settings", columns, replacing=True)
            return self.get(profile)


def _settings(row: sqlite3.Row) -> SavedSettings:
    known = str(row["known_states"]).split()
    if not set(known) <= set(WORD_STATES):
        raise damaged("the settings of a profile", "what counts as known")
    if any(row[name] not in choice.values for name, choice in CHOICES.items()):
        raise damaged("the settings of a profile", "the options of its cards")
    states = tuple(state for state in WORD_STATES if state in known)
    return record(SavedSettings, row, learning=_learned(row["learning"]), known_states=states)


def _learned(text: str) -> tuple[LearnedLanguage, ...]:
    """The languages that were kept as a JSON list of [language, level]."""
    learned = []
    for pair in json_value(text):
        match pair:
            case [str(language), str(level)]:
                learned.append(LearnedLanguage(language, level))
            case _:
                raise damaged("the settings of a profile", "what it learns")
    return tuple(learned)


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
