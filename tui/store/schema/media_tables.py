"""Migration for films that are linked to transcripts, and for the sounds and pictures of clips."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


def m018_media(db: Database) -> None:
    """Add the films of transcripts, and sound and picture of clips (their SHA-256), which lie in ``clip_media``.

    They lie in the database: what a clip says it has is there in the same transaction, and in every backup.
    ``cut_from`` is what they were cut from, NULL of a clip that nothing was cut for; ``voice`` is the machine's that
    speaks in the sound, NULL of one that was recorded.
    """
    db.execute(
        "CREATE TABLE transcript_media (transcript INTEGER PRIMARY KEY REFERENCES all_transcripts (seq)"
        " ON DELETE CASCADE, path TEXT NOT NULL, size_bytes INTEGER NOT NULL, modified_ns INTEGER NOT NULL,"
        " parts_sha256 TEXT NOT NULL, track INTEGER NOT NULL) STRICT"
    )
    db.execute(
        "CREATE TABLE clip_media (seq INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, content BLOB NOT NULL) STRICT"
    )
    for column in ("audio", "picture", "voice", "cut_from"):
        db.execute(f"ALTER TABLE clips ADD COLUMN {column} TEXT")
    for column in ("audio", "picture"):
        db.execute(f"CREATE INDEX clips_by_{column} ON clips ({column}) WHERE {column} IS NOT NULL")
