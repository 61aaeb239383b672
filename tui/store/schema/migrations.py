"""Migrations of ``lode.db`` from any older state to the current one; a copy of the old file is kept beside it.

A new library is made as it is now, out of ``current.sql``: all migrations one after the other take ten times as long.
Migrations are applied by ``sqlite_utils.Migrations``, which takes a tenth of a second to import; whether any is
pending is therefore asked in plain SQL, so that opening a current library never pays for it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import StoreError, damaged
from tui.store.backup import keep_backup
from tui.store.database import Connections
from tui.store.schema.later_migrations import (
    m012_word_states,
    m013_own_words,
    m014_card_options,
    m015_sent_notes,
    m016_rendered_notes,
    m017_note_fields,
    m018_media,
    m020_names,
    m021_lemmas,
    m031_inbox,
)

if TYPE_CHECKING:
    from sqlite_utils import Database

_SET = "lode"
SCHEMA = Path(__file__).with_name("current.sql")
"""File of the statements that a new library is made of."""


def m001_library(db: Database) -> None:
    for statement in Path(__file__).with_name("initial.sql").read_text("utf-8").split("\n;\n"):
        db.execute(statement)


def m002_usage(db: Database) -> None:
    """Add when an answer's first text came, and an index that has all that ``usage`` sums: the texts are far longer."""
    db.execute("ALTER TABLE answers ADD COLUMN first_token_ms INTEGER")
    db.execute(
        "CREATE INDEX answers_usage"
        " ON answers (profile, created_at, model, state, input_tokens, output_tokens, duration_ms)"
    )


def m003_requests(db: Database) -> None:
    """Add the keys of writes that clients may repeat, and whether an answer ended at the model's limit of length.

    The answers to those requests come last: they are long, and the age of a key is read without them.
    """
    db.execute(
        "CREATE TABLE requests (profile TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL,"
        " created_at TEXT NOT NULL, status INTEGER, body BLOB, PRIMARY KEY (profile, key)) STRICT"
    )
    db.execute("ALTER TABLE answers ADD COLUMN cut INTEGER NOT NULL DEFAULT 0")


def m004_openings(db: Database) -> None:
    """Record the dates on which the library was open, and at which of them came what is kept for a time.

    What was there before counts from here on. The indexes spare reading the rows, whose bundles and answers are long.
    """
    db.execute("CREATE TABLE openings (seq INTEGER PRIMARY KEY AUTOINCREMENT, date TEXT NOT NULL UNIQUE) STRICT")
    for table in ("trash", "requests", "jobs"):
        db.execute(f"ALTER TABLE {table} ADD COLUMN opening INTEGER NOT NULL DEFAULT 0")
        db.execute(f"CREATE INDEX {table}_opening ON {table} (opening)")


def m005_discarded_transcripts(db: Database) -> None:
    """Hide deleted transcripts where they are: they keep their cues until nobody can undo that any more.

    ``all_transcripts`` is the table, ``transcripts`` what everybody sees of it: those that no row of the trash hides.
    """
    db.execute("ALTER TABLE transcripts RENAME TO all_transcripts")
    db.execute("ALTER TABLE all_transcripts ADD COLUMN discarded INTEGER")  # by which row of the trash
    db.execute("CREATE VIEW transcripts AS SELECT * FROM all_transcripts WHERE discarded IS NULL")
    db.execute("DROP INDEX transcripts_profile")
    db.execute("CREATE INDEX transcripts_profile ON all_transcripts (profile) WHERE discarded IS NULL")
    db.execute("CREATE INDEX transcripts_discarded ON all_transcripts (discarded, seq) WHERE discarded IS NOT NULL")
    totals = "UPDATE totals SET revision = revision + 1, n = n"
    mine = "WHERE kind = 'transcripts' AND profile"
    for name, event, change in (
        ("counted", "INSERT", f"{totals} + 1 {mine} = new.profile"),
        ("uncounted", "DELETE", f"{totals} - (old.discarded IS NULL) {mine} = old.profile"),
        ("revised", "UPDATE", f"{totals} + (new.discarded IS NULL) - (old.discarded IS NULL) {mine} = new.profile"),
    ):
        db.execute(f"DROP TRIGGER transcripts_{name}")
        db.execute(f"CREATE TRIGGER transcripts_{name} AFTER {event} ON all_transcripts BEGIN {change}; END")


def m006_clip_words(db: Database) -> None:
    """Search clips by the meanings, the reading and the language of their word too; a million take 20 seconds."""
    from tui.store.schema.later_migrations import Searched, drop_search_tables, search_tables

    about = "coalesce(json_extract({row}.focus, '$.%s'), '')"
    texts = ("translation", "note", "tags", "source", "context")
    searched = Searched(
        table="clips",
        scope="'p' || {row}.profile",
        columns={
            "sentence": "{row}.sentence",
            "focus": "{row}.surface || ' ' || {row}.lemma || ' ' || " + about % "reading",
            "meanings": about % "meanings",
            "language": about % "language",
            **{name: f"{{row}}.{name}" for name in texts},
        },
        sources=("sentence", "surface", "lemma", "focus", *texts, "spaceless"),
    )
    for statement in drop_search_tables("clips"):
        db.execute(statement)
    _mark_spaceless_words(db)
    for statement in search_tables(searched):
        db.execute(statement)
    for name in ("clips_words", "clips_trigrams"):
        db.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")


def _mark_spaceless_words(db: Database) -> None:
    """Mark the clips of which only the word's reading or meanings are in a script without spaces."""
    from tui.language.scripts import is_spaceless

    db.conn.create_function("is_spaceless", 1, is_spaceless, deterministic=True)
    db.execute(
        "UPDATE clips SET spaceless = 1 WHERE NOT spaceless AND focus IS NOT NULL"
        " AND is_spaceless(json_array(json_extract(focus, '$.reading'), json_extract(focus, '$.meanings')))"
    )


def m007_readings(db: Database) -> None:
    """Record how a file was read (its codec, its language where that was named), and a job's outcome in a code.

    What was imported before says only what was named for it. A refused job tells the likeliest encoding.
    """
    db.execute("ALTER TABLE files ADD COLUMN encoding TEXT")
    db.execute("ALTER TABLE files ADD COLUMN named_language TEXT")
    db.execute("ALTER TABLE jobs ADD COLUMN outcome TEXT")
    db.execute("ALTER TABLE jobs ADD COLUMN suggested_encoding TEXT")
    db.execute(
        "UPDATE jobs SET outcome = CASE WHEN message LIKE 'already%' THEN 'same' ELSE 'added' END"
        " WHERE kind = 'import' AND state = 'succeeded'"
    )
    for column, option in (("encoding", "encoding"), ("named_language", "language")):
        db.execute(
            f"UPDATE files SET {column} = (SELECT json_extract(j.options, '$.{option}') FROM jobs AS j"
            " WHERE j.file_id = files.id AND j.outcome = 'added' ORDER BY j.seq DESC LIMIT 1)"
        )


def m008_hyphenated_words(db: Database) -> None:
    """Count words that hyphens only hang on others ("dit-il") one by one, as in new transcripts; clips stay."""
    from tui.language.word import fold
    from tui.language.words import words

    languages = "('fr', 'pt', 'ca', 'ro')"
    hyphenated = f"SELECT seq, language, form FROM forms WHERE language IN {languages} AND instr(form, '-')"
    for seq, language, form in db.execute(hyphenated).fetchall():
        parts = [fold(word.text, language) for word in words(form, language)]
        if parts == [form]:
            continue
        for part in parts:
            db.execute("INSERT INTO forms (language, form) VALUES (?, ?) ON CONFLICT DO NOTHING", (language, part))
            db.execute(
                "INSERT INTO form_counts (form, transcript, n)"
                " SELECT f.seq, c.transcript, c.n FROM form_counts AS c, forms AS f WHERE c.form = ?"
                " AND f.language = ? AND f.form = ?"
                " ON CONFLICT (form, transcript) DO UPDATE SET n = n + excluded.n",
                (seq, language, part),
            )
        db.execute("DELETE FROM form_counts WHERE form = ?", (seq,))
        db.execute("DELETE FROM forms WHERE seq = ?", (seq,))


def m009_cleaned_cues(db: Database) -> None:
    """Keep what an import puts beside a cue's text, and the cues as they stood in the file where it changed them.

    A transcript may be an episode of a series or a chapter of a book, and may have another as its translation.
    """
    for column in ("ruby", "sounds"):
        db.execute(f"ALTER TABLE cues ADD COLUMN {column} TEXT")
    db.execute(
        "CREATE TABLE original_cues (transcript INTEGER NOT NULL REFERENCES all_transcripts (seq) ON DELETE CASCADE,"
        " number INTEGER NOT NULL, position INTEGER, change TEXT NOT NULL, reasons TEXT NOT NULL, start_ms INTEGER,"
        " end_ms INTEGER, text TEXT NOT NULL, PRIMARY KEY (transcript, number)) STRICT, WITHOUT ROWID"
    )
    db.execute("ALTER TABLE all_transcripts ADD COLUMN series TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE all_transcripts ADD COLUMN season INTEGER")
    db.execute("ALTER TABLE all_transcripts ADD COLUMN episode INTEGER")
    db.execute(
        "ALTER TABLE all_transcripts ADD COLUMN translation_id TEXT REFERENCES all_transcripts (id) ON DELETE SET NULL"
    )
    db.execute("ALTER TABLE all_transcripts ADD COLUMN translation_offset_ms INTEGER")
    db.execute(
        "CREATE INDEX transcripts_translation ON all_transcripts (translation_id) WHERE translation_id IS NOT NULL"
    )


def m010_blocks_of_counts(db: Database) -> None:
    """Let the counts of 32 transcripts stand together, and index cues many at a time; three million take 6 seconds.

    A new transcript wrote to as many places of the file as it has forms, and each of its cues was a write to the
    full-text table. The counts are sorted in memory, those of 2048 transcripts at a time.
    """
    db.execute("ALTER TABLE form_counts RENAME TO counts_by_form")
    db.execute(
        "CREATE TABLE form_counts (block INTEGER NOT NULL, form INTEGER NOT NULL REFERENCES forms (seq),"
        " transcript INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (block, form, transcript)) STRICT, WITHOUT ROWID"
    )
    (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM all_transcripts").fetchone()
    for first in range(0, last + 1, 2048):
        db.execute(
            "INSERT INTO form_counts (block, form, transcript, n) SELECT transcript / 32, form, transcript, n"
            " FROM counts_by_form NOT INDEXED WHERE transcript BETWEEN ? AND ? ORDER BY 1, 2, 3",
            (first, first + 2047),
        )
    db.execute("DROP TABLE counts_by_form")
    for table in ("words", "trigrams"):
        db.execute(f"DROP TRIGGER cues_{table}_insert")


def m011_profile_settings(db: Database) -> None:
    """Add the settings of profiles, and the translation and the readings of a sentence to answers and clips.

    ``learning`` is a JSON list of [language, level]. What an answer says of a whole sentence is kept with it, as its
    focus word is; a clip has had its translation from the beginning.
    """
    db.execute(
        "CREATE TABLE profile_settings (profile INTEGER PRIMARY KEY REFERENCES profiles, explain_in TEXT NOT NULL,"
        " learning TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT"
    )
    for table, column in (("answers", "translation"), ("answers", "sentence_reading"), ("clips", "sentence_reading")):
        db.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")


def m019_reading_places(db: Database) -> None:
    """Add where each transcript was left. It is named by its id, which another reading of its file keeps."""
    db.execute(
        "CREATE TABLE reading_places (transcript_id TEXT PRIMARY KEY REFERENCES all_transcripts (id) ON DELETE CASCADE,"
        " cue INTEGER NOT NULL, word INTEGER NOT NULL, left_at TEXT NOT NULL) STRICT, WITHOUT ROWID"
    )


def m022_redo(db: Database) -> None:
    """Keep steps that were taken back, until the next change: ``undone`` counts up, the highest is done again first."""
    db.execute("ALTER TABLE trash ADD COLUMN undone INTEGER NOT NULL DEFAULT 0")
    db.execute("CREATE INDEX trash_undone ON trash (profile, undone) WHERE undone > 0")


def m023_cue_notes(db: Database) -> None:
    """Add notes at cues. They are of a transcript's id, as reading places are, and another reading moves them."""
    db.execute(
        "CREATE TABLE cue_notes (transcript_id TEXT NOT NULL REFERENCES all_transcripts (id) ON DELETE CASCADE,"
        " cue INTEGER NOT NULL, text TEXT NOT NULL, updated_at TEXT NOT NULL,"
        " PRIMARY KEY (transcript_id, cue)) STRICT, WITHOUT ROWID"
    )


def m024_sorted_clips(db: Database) -> None:
    """Add indexes by which a million clips are sorted; the keys are those of ``Clips.sort_keys``, word for word.

    They take 16 MB (word), 19 (source) and 34 (change) of a million clips, and a tenth of the time of adding one.
    """
    word = "nullif(substr(iif(lemma <> '', lemma, surface), 1, 200), '')"
    db.execute(f"CREATE INDEX clips_by_word ON clips (profile, {word} DESC)")
    db.execute("CREATE INDEX clips_by_source ON clips (profile, nullif(substr(source, 1, 200), '') DESC)")
    db.execute("CREATE INDEX clips_by_change ON clips (profile, updated_at)")


def m025_views(db: Database) -> None:
    """Add views: searches with a name. ``key`` is the name without its case, ``sort`` as its list writes it."""
    db.execute(
        "CREATE TABLE views (profile INTEGER NOT NULL REFERENCES profiles, key TEXT NOT NULL, name TEXT NOT NULL,"
        " list TEXT NOT NULL, q TEXT NOT NULL, sort TEXT NOT NULL, updated_at TEXT NOT NULL,"
        " PRIMARY KEY (profile, key)) STRICT, WITHOUT ROWID"
    )


def m026_bookmarks(db: Database) -> None:
    """Add bookmarks, and how many cues from its start of each transcript are read: at first those to its place.

    Places are found by when they were left, too: the last one is what a start offers.
    """
    db.execute("ALTER TABLE reading_places ADD COLUMN read INTEGER NOT NULL DEFAULT 0")
    db.execute("UPDATE reading_places SET read = cue + 1")
    db.execute("CREATE INDEX reading_places_left ON reading_places (left_at)")
    db.execute(
        "CREATE TABLE bookmarks (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,"
        " profile INTEGER NOT NULL REFERENCES profiles,"
        " transcript_id TEXT NOT NULL REFERENCES all_transcripts (id) ON DELETE CASCADE, cue INTEGER NOT NULL,"
        " name TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE (transcript_id, cue)) STRICT"
    )


def m027_transcription(db: Database) -> None:
    """Add what transcriptions need: times of words, doubts, the transcript of a job, files that stay where they lie.

    ``words`` is a list of [start, end, start_ms, end_ms] (JSON), the first two in code points of the cue's text.
    ``doubt`` is why nobody should trust the cue. A file with a ``path`` is a recording, of which nothing is kept: its
    ``sha256`` is that of its parts (``media/films.py``), by which it is known again.
    """
    for table, column in (
        ("cues", "words TEXT"),
        ("cues", "doubt TEXT"),
        ("files", "path TEXT"),
        ("jobs", "transcript_id TEXT REFERENCES all_transcripts (id) ON DELETE SET NULL"),
        ("profile_settings", "transcribe_with TEXT NOT NULL DEFAULT ''"),
    ):
        db.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
    db.execute("CREATE INDEX jobs_transcript ON jobs (transcript_id) WHERE transcript_id IS NOT NULL")


def m028_reviews(db: Database) -> None:
    """Add reviews, which wait with what is proposed for a transcript, and when one was applied to it last.

    ``discarded`` is the trash's row that hides a review that was applied or dropped, and with which it goes for good;
    those of hidden transcripts do not wait either.
    """
    db.execute("ALTER TABLE all_transcripts ADD COLUMN fixed_at TEXT")
    db.execute(
        "CREATE TABLE all_reviews (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"
        " transcript_id TEXT NOT NULL REFERENCES all_transcripts (id) ON DELETE CASCADE, model TEXT NOT NULL,"
        " refused INTEGER NOT NULL DEFAULT 0, left_out INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL,"
        " discarded INTEGER REFERENCES trash (seq) ON DELETE CASCADE) STRICT"
    )
    db.execute("CREATE INDEX reviews_transcript ON all_reviews (transcript_id)")
    db.execute("CREATE INDEX reviews_discarded ON all_reviews (discarded) WHERE discarded IS NOT NULL")
    db.execute(
        "CREATE TABLE review_items (review INTEGER NOT NULL REFERENCES all_reviews (seq) ON DELETE CASCADE,"
        " number INTEGER NOT NULL, cue INTEGER NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,"
        " doubtful INTEGER NOT NULL, taken INTEGER NOT NULL, seen INTEGER NOT NULL, PRIMARY KEY (review, number))"
        " STRICT, WITHOUT ROWID"
    )
    db.execute(
        "CREATE VIEW reviews AS SELECT r.*, t.profile, t.seq AS transcript, t.title, t.language FROM all_reviews AS r"
        " JOIN transcripts AS t ON t.id = r.transcript_id WHERE r.discarded IS NULL"
    )


def m029_review_kinds(db: Database) -> None:
    """Add what reviews of translations and of cards have: the language of the one, the clips of the other, as JSON."""
    db.execute("ALTER TABLE all_reviews ADD COLUMN into_language TEXT")
    db.execute("ALTER TABLE review_items ADD COLUMN card TEXT")


def m030_mining_marks(db: Database) -> None:
    """Keep what is marked in a transcript to be broken down with others."""
    db.execute(
        "CREATE TABLE mining_marks (id TEXT PRIMARY KEY, transcript_id TEXT NOT NULL"
        " REFERENCES all_transcripts (id) ON DELETE CASCADE, cue INTEGER NOT NULL, start_at INTEGER NOT NULL,"
        " end_at INTEGER NOT NULL, text TEXT NOT NULL, focus TEXT NOT NULL, sentence INTEGER NOT NULL,"
        " created_at TEXT NOT NULL, UNIQUE (transcript_id, cue, start_at)) STRICT"
    )


MIGRATIONS: tuple[Callable[[Database], None], ...] = (
    *(m001_library, m002_usage, m003_requests, m004_openings),
    *(m005_discarded_transcripts, m006_clip_words, m007_readings, m008_hyphenated_words),
    *(m009_cleaned_cues, m010_blocks_of_counts, m011_profile_settings, m012_word_states),
    *(m013_own_words, m014_card_options, m015_sent_notes, m016_rendered_notes),
    *(m017_note_fields, m018_media, m019_reading_places, m020_names, m021_lemmas),
    *(m022_redo, m023_cue_notes, m024_sorted_clips, m025_views, m026_bookmarks, m027_transcription),
    *(m028_reviews, m029_review_kinds, m030_mining_marks, m031_inbox),
)
"""All migrations in order; one that was ever released is never changed, only followed by another."""


def find_applied(connection: sqlite3.Connection) -> set[str]:
    """The names of the migrations that this database has seen; empty for a new file."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'").fetchone():
        return set()
    rows = connection.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = ?", (_SET,))
    return {row[0] for row in rows}


def migrate(connections: Connections) -> None:
    """Apply what is pending; raises ``StoreError`` for a database that is newer than this program, or not Lode's.

    Several processes may do this at once: the write lock lets one through, the others find nothing left to do.
    """
    with connections.read() as connection:
        is_current = not pending(connection, connections.path)
        has_log = connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    if is_current:
        if not has_log and connections.access == "write" and not connections.trouble:
            with suppress(sqlite3.OperationalError):  # another day, where another program reads it now
                _use_write_ahead_log(connections, patience=0)
        return
    if connections.access != "write":
        raise StoreError(
            f"{connections.path} is from an older Lode and can't be brought up to date: it is read-only",
            hint=f"make the file and {connections.path.parent} writable",
        )
    if connections.trouble:
        raise StoreError(
            f"{connections.path} is from an older Lode and can't be brought up to date: {connections.trouble}",
            hint="make room and try again; nothing was lost",
        )
    _use_write_ahead_log(connections)
    with connections.write() as connection:
        waiting = pending(connection, connections.path)
        if waiting and find_applied(connection):
            keep_backup(connections, waiting[0].__name__)
            bring_up_to_date(connection)
        elif waiting:
            create(connection)


def create(connection: sqlite3.Connection) -> None:
    """Make everything there is in an empty database, which then has seen all migrations."""
    for statement in SCHEMA.read_text("utf-8").split("\n\n"):
        connection.execute(statement)
    moment = str(datetime.now(UTC))
    connection.executemany(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)",
        [(_SET, migration.__name__, moment) for migration in MIGRATIONS],
    )


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Apply the migrations that the database has not seen."""
    from sqlite_utils import Database, Migrations

    migrations = Migrations(_SET)
    for migration in MIGRATIONS:
        migrations()(migration)
    migrations.apply(Database(connection, execute_plugins=False))


def pending(connection: sqlite3.Connection, path: Path) -> list[Callable[[Database], None]]:
    """The migrations that this database still needs; raises ``StoreError`` as ``migrate`` does."""
    known = [migration.__name__ for migration in MIGRATIONS]
    seen = find_applied(connection)
    newer = sorted(seen.difference(known))
    if newer and not seen.issuperset(known):  # a newer one has applied all of these
        raise damaged(str(path), f"it has the migration {newer[-1]}")
    if newer:
        raise StoreError(
            f"{path} was written by a newer Lode (it has {newer[-1]})",
            hint="update Lode, or open another library with --home DIR",
            code="store_too_new",
        )
    if not seen and connection.execute("SELECT 1 FROM sqlite_master WHERE name IN ('clips', 'profiles')").fetchone():
        raise damaged(str(path), "it does not say which Lode it is from")
    if not seen and connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' LIMIT 1").fetchone():
        raise StoreError(
            f"{path} is a database, but not Lode's", hint="move it away, or open another directory with --home DIR"
        )
    return [migration for migration in MIGRATIONS if migration.__name__ not in seen]


def _use_write_ahead_log(connections: Connections, patience: float = 5.0) -> None:
    """Switch to a write-ahead log, which lasts. SQLite does not wait for other processes here, so this does."""
    deadline = time.monotonic() + patience
    with closing(connections.connect()) as connection:
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
