"""Migration that adds the tables of words and their states; the others are in ``migrations.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


def m012_word_states(db: Database) -> None:
    """Add words with their states in each profile, those of clips and answers as seen: seconds for a million clips.

    ``words`` are shared by profiles: a lemma, how it is folded, and the reading where one tells two apart. A form has
    its ``word`` once that was needed, again after its lemma has changed. ``revision`` is the profile's, in ``totals``,
    as of the change: whoever has counted knows by it which words are others since. ``transcript_words`` has the words
    of a transcript by their sentences, to count with, and ``word_totals`` the sums of all transcripts: both are made
    when they are needed, and can be made anew.
    """
    from tui.store.known_words.seen_words import record_all_seen

    db.execute(
        "CREATE TABLE words (seq INTEGER PRIMARY KEY, language TEXT NOT NULL, folded TEXT NOT NULL,"
        " reading TEXT NOT NULL, lemma TEXT NOT NULL, ignored INTEGER NOT NULL, rank INTEGER,"
        " UNIQUE (language, folded, reading)) STRICT"
    )
    db.execute("CREATE INDEX words_read ON words (language, folded) WHERE reading <> ''")
    db.execute(
        "CREATE TABLE word_states (profile INTEGER NOT NULL REFERENCES profiles,"
        " word INTEGER NOT NULL REFERENCES words, state TEXT NOT NULL, source TEXT NOT NULL,"
        " changed_at TEXT NOT NULL, revision INTEGER NOT NULL,"
        " PRIMARY KEY (profile, word)) STRICT, WITHOUT ROWID"
    )
    db.execute("CREATE INDEX word_states_revision ON word_states (profile, revision)")
    db.execute("ALTER TABLE forms ADD COLUMN word INTEGER REFERENCES words")
    db.execute("CREATE INDEX forms_word ON forms (word)")
    db.execute(
        "CREATE TABLE transcript_words (seq INTEGER PRIMARY KEY AUTOINCREMENT, transcript INTEGER NOT NULL UNIQUE"
        " REFERENCES all_transcripts (seq) ON DELETE CASCADE, cut_by TEXT NOT NULL, ids BLOB NOT NULL,"
        " sentences BLOB NOT NULL) STRICT"
    )
    db.execute(
        "CREATE TABLE word_totals (profile INTEGER NOT NULL REFERENCES profiles,"
        " word INTEGER NOT NULL REFERENCES words, occurrences INTEGER NOT NULL, transcripts INTEGER NOT NULL,"
        " PRIMARY KEY (profile, word)) STRICT, WITHOUT ROWID"
    )
    db.execute(
        "CREATE TABLE word_totals_revisions (profile INTEGER PRIMARY KEY REFERENCES profiles,"
        " revision INTEGER NOT NULL) STRICT"
    )
    db.execute(
        "CREATE TABLE frequency_sources (language TEXT PRIMARY KEY, dictionary TEXT NOT NULL, title TEXT NOT NULL,"
        " words INTEGER NOT NULL) STRICT, WITHOUT ROWID"
    )
    db.execute("ALTER TABLE profile_settings ADD COLUMN known_states TEXT NOT NULL DEFAULT 'known ignored'")
    db.execute("INSERT INTO totals (profile, kind, n, revision) SELECT seq, 'words', 0, 0 FROM profiles")
    db.execute(
        "CREATE TRIGGER words_begun AFTER INSERT ON profiles BEGIN"
        " INSERT INTO totals (profile, kind, n, revision) VALUES (new.seq, 'words', 0, 0); END"
    )
    record_all_seen(db.conn)
