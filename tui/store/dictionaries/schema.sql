PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS dictionaries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    format TEXT NOT NULL,
    revision TEXT NOT NULL,
    source_language TEXT,
    target_language TEXT,
    author TEXT NOT NULL,
    url TEXT NOT NULL,
    description TEXT NOT NULL,
    attribution TEXT NOT NULL,
    license TEXT NOT NULL,
    frequency_mode TEXT,
    entry_count INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    file_name TEXT NOT NULL DEFAULT '',
    digest TEXT NOT NULL DEFAULT '',
    position INTEGER NOT NULL,
    state TEXT NOT NULL,
    owner TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS rows (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS terms (
    dictionary INTEGER NOT NULL REFERENCES dictionaries (seq),
    key TEXT NOT NULL,
    match TEXT NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (dictionary, key, match, row)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;
COMMIT;
