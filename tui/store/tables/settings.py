"""Table of the settings of profiles, at most one row each.

They are not in the trash: nothing is lost when one is changed, and changing it back is the same step.
"""

import sqlite3
from dataclasses import fields

from tui.errors import damaged
from tui.records.settings import CHOICES, LearnedLanguage, ProfileSettings, SavedSettings
from tui.records.word_states import WORD_STATES
from tui.store.database import Table
from tui.store.rows import PROFILE, as_json, json_value, now, record, timestamp_after


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
