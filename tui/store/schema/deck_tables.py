"""Migrations for decks: what their notes are, and what is known of those that were written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


def m014_card_options(db: Database) -> None:
    """Add the options of cards to the settings of profiles, and when they were last changed (NULL: never)."""
    for column in (
        "card_front TEXT NOT NULL DEFAULT 'sentence'",
        "card_hint TEXT NOT NULL DEFAULT 'none'",
        "card_changed_at TEXT",
    ):
        db.execute(f"ALTER TABLE profile_settings ADD COLUMN {column}")


def m015_sent_notes(db: Database) -> None:
    """Keep digests of every version of a clip's note that was written into a deck, also when the clip is deleted.

    By them a value in Anki is known as one of Lode's, or as an edit; ``tui/deck/merge.py`` says how they are made.
    ``whole`` is the digest of a whole version, ``seq`` has them in the order in which they were last written, and
    ``arrived`` tells of those that were seen in Anki.
    """
    db.execute(
        "CREATE TABLE sent_notes (seq INTEGER PRIMARY KEY, clip TEXT NOT NULL, whole BLOB NOT NULL,"
        " fields BLOB NOT NULL, tags BLOB NOT NULL, arrived INTEGER NOT NULL) STRICT"
    )
    db.execute("CREATE INDEX sent_notes_by_clip ON sent_notes (clip)")


def m016_rendered_notes(db: Database) -> None:
    """Add the notes that clips are rendered as, and what the file of a deck was when it was last written.

    A note is that of its clip as it was at ``updated_at``, made by the version ``rendering``; its ``fields`` stand
    between U+001F, its ``tags`` between spaces, as in Anki. ``state`` says what was in a deck, ``sha256`` what file.
    """
    db.execute(
        "CREATE TABLE rendered_notes (clip INTEGER PRIMARY KEY REFERENCES clips (seq) ON DELETE CASCADE,"
        " updated_at TEXT NOT NULL, rendering INTEGER NOT NULL, guid TEXT NOT NULL, created_at INTEGER NOT NULL,"
        " changed_at INTEGER NOT NULL, fields TEXT NOT NULL, tags TEXT NOT NULL) STRICT"
    )
    for column in ("state", "sha256"):
        db.execute(f"ALTER TABLE exports ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")


def m017_note_fields(db: Database) -> None:
    """Add the learner's own note type (TOML, '' for Lode's) and decks within the deck to the settings of profiles."""
    for column in ("deck_per TEXT NOT NULL DEFAULT 'none'", "note_fields TEXT NOT NULL DEFAULT ''"):
        db.execute(f"ALTER TABLE profile_settings ADD COLUMN {column}")
