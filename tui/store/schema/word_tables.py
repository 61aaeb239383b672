"""Migrations that add the tables of words: their states, what people write of them; others: ``migrations.py``."""

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


def m013_own_words(db: Database) -> None:
    """Add what people write of words, and which answer another one ``follows``, as somebody asked on.

    ``key`` is a lemma as it is folded, ``found_by`` the folded words of its phrases, each between spaces. Answers that
    follow one stand below it, so no list has them and ``totals`` do not count them.
    """
    db.execute(
        "CREATE TABLE own_words (seq INTEGER PRIMARY KEY AUTOINCREMENT, profile INTEGER NOT NULL REFERENCES profiles,"
        " language TEXT NOT NULL, key TEXT NOT NULL, lemma TEXT NOT NULL, meaning TEXT NOT NULL, note TEXT NOT NULL,"
        " phrases TEXT NOT NULL, found_by TEXT NOT NULL, updated_at TEXT NOT NULL,"
        " UNIQUE (profile, language, key)) STRICT"
    )
    db.execute("ALTER TABLE answers ADD COLUMN follows TEXT")
    db.execute("CREATE INDEX answers_follows ON answers (follows) WHERE follows IS NOT NULL")
    db.execute("DROP INDEX answers_profile")
    db.execute("CREATE INDEX answers_profile ON answers (profile) WHERE follows IS NULL")
    for name, event, row, step in (("counted", "INSERT", "new", "+"), ("uncounted", "DELETE", "old", "-")):
        db.execute(f"DROP TRIGGER answers_{name}")
        db.execute(
            f"CREATE TRIGGER answers_{name} AFTER {event} ON answers BEGIN"
            f" UPDATE totals SET revision = revision + 1, n = n {step} ({row}.follows IS NULL)"
            f" WHERE profile = {row}.profile AND kind = 'answers'; END"
        )


def m020_names(db: Database) -> None:
    """Record how forms are written, and ignore the names that this tells; a million cues take 20 seconds.

    ``written`` has the bits of ``word_kinds``. Only the texts tell it: all are read once more, nothing is counted.
    """
    from tui.language.tags import base_language
    from tui.language.word_kinds import has_names
    from tui.store.known_words.word_rows import mark_names
    from tui.store.tables.words import count_forms

    db.execute("ALTER TABLE forms ADD COLUMN written INTEGER NOT NULL DEFAULT 0")
    for transcript, language in db.execute("SELECT seq, language FROM all_transcripts").fetchall():
        if not has_names(language):
            continue
        cues = db.conn.execute("SELECT text FROM cues WHERE transcript = ? ORDER BY position", (transcript,))
        for counts in count_forms((row[0] for row in cues), language):
            db.conn.execute(
                "UPDATE forms SET written = written | (value ->> 1) FROM json_each(?)"
                " WHERE language = ? AND form = key AND value ->> 1",
                (counts, base_language(language)),
            )
    mark_names(db.conn, [row[0] for row in db.execute("SELECT seq FROM words").fetchall()])


def m021_lemmas(db: Database) -> None:
    """Have the lemmas of forms looked up again, since rules find more of them; but of words that have a state.

    A form that went to another word would lose the state that somebody gave it. The words of transcripts are cut anew
    when they are next counted: by these lemmas, and of languages with a segmenter without particles and endings.
    """
    db.execute("UPDATE transcript_words SET cut_by = ''")
    db.execute(
        "UPDATE forms SET looked_up = 0 WHERE looked_up"
        " AND NOT EXISTS (SELECT 1 FROM word_states AS s WHERE s.word = forms.word AND s.state <> '')"
    )
