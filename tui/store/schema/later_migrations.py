"""Migrations from the twelfth on, of words, decks and media, and the full-text tables that migrations make.

Each searched table has two: one of words, and one of trigrams for the rows in scripts without spaces (the column
``spaceless`` says which). Both are external content tables (https://sqlite.org/fts5.html#external_content_tables): the
texts are stored once, in the table itself, and read back through a view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

_WORDS = "tokenize = \"unicode61 remove_diacritics 2 categories 'L* M* N* Co'\""
"""Marks are parts of words here, or Hindi would fall apart at every vowel sign.

The tables keep no column sizes (``columnsize = 0``): those serve ranking, and these lists are ordered by age.
"""


@dataclass(frozen=True, slots=True)
class Searched:
    """The search of a table: ``columns`` maps names to expressions over a row ``{row}``, ``scope`` is one of its owner.

    ``sources`` are the columns of the table that all of this is made of.
    """

    table: str
    scope: str
    columns: Mapping[str, str]
    sources: tuple[str, ...]


def search_tables(searched: Searched) -> list[str]:
    """Statements that create the views, the tables and the triggers."""
    table = searched.table
    columns = {"scope": searched.scope, **searched.columns}
    names = ", ".join(columns)

    def words(row: str) -> str:
        return ", ".join(expression.format(row=row) for expression in columns.values())

    def text(row: str) -> str:
        return " || char(10) || ".join(expression.format(row=row) for expression in searched.columns.values())

    named = ", ".join(f"{expression.format(row='r')} AS {name}" for name, expression in columns.items())
    words_in = f"INSERT INTO {table}_words (rowid, {names}) VALUES (new.seq, {words('new')});"
    words_out = f"INSERT INTO {table}_words ({table}_words, rowid, {names}) VALUES ('delete', old.seq, {words('old')});"
    trigrams_in = f"INSERT INTO {table}_trigrams (rowid, text) SELECT new.seq, {text('new')} WHERE new.spaceless;"
    trigrams_out = (
        f"INSERT INTO {table}_trigrams ({table}_trigrams, rowid, text) "
        f"SELECT 'delete', old.seq, {text('old')} WHERE old.spaceless;"
    )
    changed = f"AFTER UPDATE OF {', '.join(searched.sources)} ON {table}"
    return [
        f"CREATE VIEW {table}_searched AS SELECT r.seq, {named} FROM {table} AS r",
        f"CREATE VIEW {table}_spaceless AS SELECT r.seq, {text('r')} AS text FROM {table} AS r WHERE r.spaceless",
        f"CREATE VIRTUAL TABLE {table}_words USING fts5("
        f"{names}, content = '{table}_searched', content_rowid = 'seq', columnsize = 0, {_WORDS})",
        f"CREATE VIRTUAL TABLE {table}_trigrams USING fts5("
        f"text, content = '{table}_spaceless', content_rowid = 'seq', columnsize = 0, tokenize = 'trigram')",
        f"CREATE TRIGGER {table}_words_insert AFTER INSERT ON {table} BEGIN {words_in} END",
        f"CREATE TRIGGER {table}_words_delete AFTER DELETE ON {table} BEGIN {words_out} END",
        # One trigger takes the old text out and puts the new one in: of two, SQLite does not promise the order.
        f"CREATE TRIGGER {table}_words_update {changed} BEGIN {words_out} {words_in} END",
        f"CREATE TRIGGER {table}_trigrams_insert AFTER INSERT ON {table} WHEN new.spaceless BEGIN {trigrams_in} END",
        f"CREATE TRIGGER {table}_trigrams_delete AFTER DELETE ON {table} WHEN old.spaceless BEGIN {trigrams_out} END",
        f"CREATE TRIGGER {table}_trigrams_update {changed} WHEN old.spaceless OR new.spaceless "
        f"BEGIN {trigrams_out} {trigrams_in} END",
    ]


def drop_search_tables(table: str) -> list[str]:
    """Statements that drop what ``search_tables`` creates."""
    triggers = [f"{table}_{kind}_{when}" for kind in ("words", "trigrams") for when in ("insert", "delete", "update")]
    return [
        *(f"DROP TRIGGER {name}" for name in triggers),
        *(f"DROP TABLE {table}_{kind}" for kind in ("words", "trigrams")),
        *(f"DROP VIEW {table}_{kind}" for kind in ("searched", "spaceless")),
    ]


def m012_word_states(db: Database) -> None:
    """Add words with their states in each profile, those of clips and answers as seen: seconds for a million clips.

    ``words`` are shared by profiles: a lemma, how it is folded, and the reading where one tells two apart. A form has
    its ``word`` once that was needed, again after its lemma has changed. ``revision`` is the profile's, in ``totals``,
    as of the change: whoever has counted knows by it which words are others since. ``transcript_words`` has the words
    of a transcript by their sentences, to count with, and ``word_totals`` the sums of all transcripts: both are made
    when they are needed, and can be made anew.
    """
    from tui.store.known_words.word_rows import record_all_seen

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


def m020_names(db: Database) -> None:
    """Record how forms are written, and ignore the names that this tells; a million cues take 20 seconds.

    ``written`` has the bits of ``language.names``. Only the texts tell it: all are read once more, nothing is counted.
    """
    from tui.language.tags import base_language
    from tui.language.word_kinds import has_names
    from tui.store.known_words.word_rows import mark_names
    from tui.store.tables.words import NUMBER, WRITTEN, count_forms

    db.execute("ALTER TABLE forms ADD COLUMN written INTEGER NOT NULL DEFAULT 0")
    for transcript, language in db.execute("SELECT seq, language FROM all_transcripts").fetchall():
        if not has_names(language):
            continue
        cues = db.conn.execute("SELECT text FROM cues WHERE transcript = ? ORDER BY position", (transcript,))
        for counts in count_forms((row[0] for row in cues), language):
            db.conn.execute(
                f"UPDATE forms SET written = written | ({NUMBER} & {WRITTEN}) FROM json_each(?)"
                f" WHERE language = ? AND form = key AND {NUMBER} & {WRITTEN}",
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


def m031_inbox(db: Database) -> None:
    """Add the notes that other programs send as to Anki, their media, and the decks and note types they have made.

    A note's number is the moment at which it came, in milliseconds, ``fields`` are as they were sent, as JSON. It
    outlives its clip, which may come back. Media lie in ``clip_media``; ``clip_id`` says whose they are, NULL until a
    note names them. ``told_language`` is what whoever sent a clip said that it is in, for those without a word and a
    transcript, which say it else. And profiles say what fills what arrives.
    """
    db.execute(
        "CREATE TABLE inbox_notes (id INTEGER PRIMARY KEY, clip_id TEXT NOT NULL, deck TEXT NOT NULL,"
        " note_type TEXT NOT NULL, fields TEXT NOT NULL, addresses TEXT NOT NULL, state TEXT NOT NULL,"
        " arrived INTEGER NOT NULL) STRICT"
    )
    db.execute("CREATE INDEX inbox_notes_by_clip ON inbox_notes (clip_id)")
    db.execute("CREATE INDEX inbox_notes_open ON inbox_notes (state) WHERE state <> 'done'")
    db.execute(
        "CREATE TABLE inbox_media (profile INTEGER NOT NULL REFERENCES profiles, name TEXT NOT NULL,"
        " sha256 TEXT NOT NULL, created_at TEXT NOT NULL, clip_id TEXT, PRIMARY KEY (profile, name)) STRICT"
    )
    db.execute("CREATE INDEX inbox_media_by_content ON inbox_media (sha256)")
    db.execute(
        "CREATE TABLE inbox_names (profile INTEGER NOT NULL REFERENCES profiles, kind TEXT NOT NULL,"
        " name TEXT NOT NULL, fields TEXT NOT NULL, PRIMARY KEY (profile, kind, name)) STRICT"
    )
    db.execute("ALTER TABLE clips ADD COLUMN told_language TEXT")
    db.execute("ALTER TABLE profile_settings ADD COLUMN inbox_fill TEXT NOT NULL DEFAULT 'dictionaries'")
