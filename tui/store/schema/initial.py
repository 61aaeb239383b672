"""Initial schema of ``lode.db``, as the first migration makes it; ``current.sql`` is the schema after all of them.

Every resource has a ``seq`` that is never used twice (AUTOINCREMENT): it is the order of the lists, the row number of
the search tables, and what an undone deletion gets back. ``id`` is what the outside knows it by.
"""

from __future__ import annotations

from tui.store.schema.search_tables import Searched, search_tables

_PROFILES = """
CREATE TABLE profiles (seq INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL) STRICT
;
CREATE TABLE totals (
    profile INTEGER NOT NULL REFERENCES profiles,
    kind TEXT NOT NULL,
    n INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (profile, kind)
) STRICT, WITHOUT ROWID
"""

_LIBRARY = """
CREATE TABLE files (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile INTEGER NOT NULL REFERENCES profiles,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    format TEXT NOT NULL,
    language TEXT,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    duration_ms INTEGER,
    created_at TEXT NOT NULL,
    folded TEXT NOT NULL,
    UNIQUE (profile, sha256)
) STRICT
;
CREATE INDEX files_profile ON files (profile)
;
CREATE TABLE transcripts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile INTEGER NOT NULL REFERENCES profiles,
    file_id TEXT REFERENCES files (id) ON DELETE SET NULL,
    title TEXT NOT NULL,
    language TEXT,
    origin TEXT NOT NULL,
    cue_count INTEGER NOT NULL,
    duration_ms INTEGER,
    created_at TEXT NOT NULL,
    folded TEXT NOT NULL
) STRICT
;
CREATE INDEX transcripts_profile ON transcripts (profile)
;
CREATE INDEX transcripts_file ON transcripts (file_id) WHERE file_id IS NOT NULL
;
CREATE TABLE cues (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    transcript INTEGER NOT NULL REFERENCES transcripts (seq) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    start_ms INTEGER,
    end_ms INTEGER,
    text TEXT NOT NULL,
    speaker TEXT,
    scope TEXT NOT NULL,
    spaceless INTEGER NOT NULL,
    UNIQUE (transcript, position)
) STRICT
;
CREATE TABLE forms (
    seq INTEGER PRIMARY KEY,
    language TEXT NOT NULL,
    form TEXT NOT NULL,
    lemma TEXT,
    looked_up INTEGER NOT NULL DEFAULT 0,
    UNIQUE (form, language)
) STRICT
;
CREATE INDEX forms_lemma ON forms (language, lemma) WHERE lemma IS NOT NULL
;
CREATE INDEX forms_waiting ON forms (language) WHERE looked_up = 0
;
CREATE TABLE form_counts (
    form INTEGER NOT NULL REFERENCES forms (seq),
    transcript INTEGER NOT NULL REFERENCES transcripts (seq) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    PRIMARY KEY (form, transcript)
) STRICT, WITHOUT ROWID
;
CREATE INDEX form_counts_transcript ON form_counts (transcript)
"""

_CLIPS = """
CREATE TABLE clips (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile INTEGER NOT NULL REFERENCES profiles,
    transcript_id TEXT REFERENCES transcripts (id) ON DELETE SET NULL,
    file_id TEXT REFERENCES files (id) ON DELETE SET NULL,
    cue_index INTEGER,
    start_ms INTEGER,
    end_ms INTEGER,
    sentence TEXT NOT NULL,
    context TEXT NOT NULL,
    translation TEXT NOT NULL,
    focus TEXT,
    surface TEXT NOT NULL,
    lemma TEXT NOT NULL,
    explanation TEXT NOT NULL,
    model TEXT NOT NULL,
    tags TEXT NOT NULL,
    note TEXT NOT NULL,
    source TEXT NOT NULL,
    spaceless INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT
;
CREATE INDEX clips_profile ON clips (profile)
;
CREATE INDEX clips_transcript ON clips (transcript_id) WHERE transcript_id IS NOT NULL
;
CREATE INDEX clips_file ON clips (file_id) WHERE file_id IS NOT NULL
;
CREATE INDEX clips_surface ON clips (profile, surface) WHERE surface <> ''
;
CREATE INDEX clips_lemma ON clips (profile, lemma, surface) WHERE lemma <> ''
;
CREATE INDEX clips_without_spaces ON clips (profile) WHERE spaceless
;
CREATE TABLE exports (
    seq INTEGER PRIMARY KEY,
    profile INTEGER NOT NULL REFERENCES profiles,
    deck TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (profile, deck)
) STRICT
;
CREATE TABLE exported (
    export INTEGER NOT NULL REFERENCES exports ON DELETE CASCADE,
    clip INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (export, clip)
) STRICT, WITHOUT ROWID
"""

_WORK = """
CREATE TABLE templates (
    profile INTEGER PRIMARY KEY REFERENCES profiles,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    sys_msg TEXT NOT NULL,
    srt_model TEXT NOT NULL,
    srt_sys_msg TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT
;
CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile INTEGER NOT NULL REFERENCES profiles,
    file_id TEXT REFERENCES files (id) ON DELETE SET NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    progress REAL NOT NULL,
    message TEXT NOT NULL,
    error TEXT,
    source TEXT NOT NULL,
    options TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    folded TEXT NOT NULL
) STRICT
;
CREATE INDEX jobs_profile ON jobs (profile)
;
CREATE INDEX jobs_file ON jobs (file_id) WHERE file_id IS NOT NULL
;
CREATE INDEX jobs_active ON jobs (profile, owner) WHERE state IN ('queued', 'running')
;
CREATE TABLE answers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile INTEGER NOT NULL REFERENCES profiles,
    kind TEXT NOT NULL,
    model TEXT NOT NULL,
    sentence TEXT NOT NULL,
    focus TEXT NOT NULL,
    context TEXT NOT NULL,
    prompt TEXT NOT NULL,
    sys_msg TEXT NOT NULL,
    question TEXT NOT NULL,
    focus_word TEXT,
    surface TEXT NOT NULL,
    lemma TEXT NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    error TEXT,
    input_tokens INTEGER,
    output_tokens INTEGER,
    duration_ms INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    folded TEXT NOT NULL
) STRICT
;
CREATE INDEX answers_profile ON answers (profile)
;
CREATE INDEX answers_question ON answers (profile, question) WHERE state = 'complete'
;
CREATE INDEX answers_surface ON answers (profile, surface) WHERE surface <> ''
;
CREATE INDEX answers_lemma ON answers (profile, lemma, surface) WHERE lemma <> ''
;
CREATE TABLE trash (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    profile INTEGER NOT NULL REFERENCES profiles,
    kind TEXT NOT NULL,
    summary TEXT NOT NULL,
    count INTEGER NOT NULL,
    bundle TEXT NOT NULL,
    blobs TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT
;
CREATE INDEX trash_profile ON trash (profile)
"""

_COUNTED = ("files", "transcripts", "clips", "jobs", "answers")


def first_schema() -> list[str]:
    """The statements that make an empty library."""
    statements = [
        statement.strip() for part in (_PROFILES, _LIBRARY, _CLIPS, _WORK) for statement in part.split("\n;\n")
    ]
    for table in _COUNTED:
        statements += _count(table)
    statements += search_tables(
        Searched(
            table="clips",
            scope="'p' || {row}.profile",
            columns={
                "sentence": "{row}.sentence",
                "focus": "{row}.surface || ' ' || {row}.lemma",
                "translation": "{row}.translation",
                "note": "{row}.note",
                "tags": "{row}.tags",
                "source": "{row}.source",
                "context": "{row}.context",
            },
            sources=("sentence", "surface", "lemma", "translation", "note", "tags", "source", "context", "spaceless"),
        )
    )
    statements += search_tables(
        Searched(
            table="cues",
            scope="{row}.scope",
            columns={"text": "{row}.text"},
            sources=("text", "scope", "spaceless"),
        )
    )
    return statements


def _count(table: str) -> list[str]:
    """Triggers that keep the length of each profile's list: counting a million rows would take longer than a key.

    ``revision`` moves with every change, so that a search that was counted once need not be counted for every page.
    """
    return [
        f"CREATE TRIGGER {table}_begun AFTER INSERT ON profiles BEGIN"
        f" INSERT INTO totals (profile, kind, n, revision) VALUES (new.seq, '{table}', 0, 0); END",
        f"CREATE TRIGGER {table}_counted AFTER INSERT ON {table} BEGIN"
        f" UPDATE totals SET n = n + 1, revision = revision + 1 WHERE profile = new.profile AND kind = '{table}'; END",
        f"CREATE TRIGGER {table}_uncounted AFTER DELETE ON {table} BEGIN"
        f" UPDATE totals SET n = n - 1, revision = revision + 1 WHERE profile = old.profile AND kind = '{table}'; END",
        f"CREATE TRIGGER {table}_revised AFTER UPDATE ON {table} BEGIN"
        f" UPDATE totals SET revision = revision + 1 WHERE profile = new.profile AND kind = '{table}'; END",
    ]
