-- The schema of lode.db after all migrations, which a new library is made of. Written by `make schema` from initial.sql
-- and migrations.py. The tables in which FTS5 keeps its indexes are left out: it makes them itself.

CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);

CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");

CREATE TABLE profiles (seq INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL) STRICT;

CREATE TRIGGER files_begun AFTER INSERT ON profiles BEGIN
    INSERT INTO totals (profile, kind, n, revision)
        VALUES (new.seq, 'files', 0, 0);
END;

CREATE TRIGGER transcripts_begun AFTER INSERT ON profiles BEGIN
    INSERT INTO totals (profile, kind, n, revision)
        VALUES (new.seq, 'transcripts', 0, 0);
END;

CREATE TRIGGER clips_begun AFTER INSERT ON profiles BEGIN
    INSERT INTO totals (profile, kind, n, revision)
        VALUES (new.seq, 'clips', 0, 0);
END;

CREATE TRIGGER jobs_begun AFTER INSERT ON profiles BEGIN
    INSERT INTO totals (profile, kind, n, revision)
        VALUES (new.seq, 'jobs', 0, 0);
END;

CREATE TRIGGER answers_begun AFTER INSERT ON profiles BEGIN
    INSERT INTO totals (profile, kind, n, revision)
        VALUES (new.seq, 'answers', 0, 0);
END;

CREATE TRIGGER words_begun AFTER INSERT ON profiles BEGIN
    INSERT INTO totals (profile, kind, n, revision) VALUES (new.seq, 'words', 0, 0);
END;

CREATE TABLE totals (
    profile INTEGER NOT NULL REFERENCES profiles,
    kind TEXT NOT NULL,
    n INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (profile, kind)
) STRICT, WITHOUT ROWID;

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
    folded TEXT NOT NULL, encoding TEXT, named_language TEXT, path TEXT,
    UNIQUE (profile, sha256)
) STRICT;

CREATE INDEX files_profile ON files (profile);

CREATE TRIGGER files_counted AFTER INSERT ON files BEGIN
    UPDATE totals SET n = n + 1, revision = revision + 1
        WHERE profile = new.profile AND kind = 'files';
END;

CREATE TRIGGER files_uncounted AFTER DELETE ON files BEGIN
    UPDATE totals SET n = n - 1, revision = revision + 1
        WHERE profile = old.profile AND kind = 'files';
END;

CREATE TRIGGER files_revised AFTER UPDATE ON files BEGIN
    UPDATE totals SET revision = revision + 1
        WHERE profile = new.profile AND kind = 'files';
END;

CREATE TABLE "all_transcripts" (
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
    folded TEXT NOT NULL,
    discarded INTEGER, series TEXT NOT NULL DEFAULT '', season INTEGER, episode INTEGER, translation_id TEXT REFERENCES all_transcripts (id) ON DELETE SET NULL, translation_offset_ms INTEGER, fixed_at TEXT) STRICT;

CREATE INDEX transcripts_file ON "all_transcripts" (file_id) WHERE file_id IS NOT NULL;

CREATE INDEX transcripts_profile ON all_transcripts (profile) WHERE discarded IS NULL;

CREATE INDEX transcripts_discarded ON all_transcripts (discarded, seq) WHERE discarded IS NOT NULL;

CREATE TRIGGER transcripts_counted AFTER INSERT ON all_transcripts BEGIN
    UPDATE totals SET revision = revision + 1, n = n + 1 WHERE kind = 'transcripts' AND profile = new.profile;
END;

CREATE TRIGGER transcripts_uncounted AFTER DELETE ON all_transcripts BEGIN
    UPDATE totals SET revision = revision + 1, n = n - (old.discarded IS NULL) WHERE kind = 'transcripts' AND profile = old.profile;
END;

CREATE TRIGGER transcripts_revised AFTER UPDATE ON all_transcripts BEGIN
    UPDATE totals SET revision = revision + 1, n = n + (new.discarded IS NULL) - (old.discarded IS NULL) WHERE kind = 'transcripts' AND profile = new.profile;
END;

CREATE INDEX transcripts_translation ON all_transcripts (translation_id) WHERE translation_id IS NOT NULL;

CREATE TABLE cues (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    transcript INTEGER NOT NULL REFERENCES "all_transcripts" (seq) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    start_ms INTEGER,
    end_ms INTEGER,
    text TEXT NOT NULL,
    speaker TEXT,
    scope TEXT NOT NULL,
    spaceless INTEGER NOT NULL, ruby TEXT, sounds TEXT, words TEXT, doubt TEXT,
    UNIQUE (transcript, position)
) STRICT;

CREATE TRIGGER cues_words_delete AFTER DELETE ON cues BEGIN
    INSERT INTO cues_words (cues_words, rowid, scope, text)
        VALUES ('delete', old.seq, old.scope, old.text);
END;

CREATE TRIGGER cues_words_update AFTER UPDATE OF text, scope, spaceless ON cues BEGIN
    INSERT INTO cues_words (cues_words, rowid, scope, text)
        VALUES ('delete', old.seq, old.scope, old.text);
    INSERT INTO cues_words (rowid, scope, text)
        VALUES (new.seq, new.scope, new.text);
END;

CREATE TRIGGER cues_trigrams_delete AFTER DELETE ON cues WHEN old.spaceless BEGIN
    INSERT INTO cues_trigrams (cues_trigrams, rowid, text)
        SELECT 'delete', old.seq, old.text WHERE old.spaceless;
END;

CREATE TRIGGER cues_trigrams_update AFTER UPDATE OF text, scope,
        spaceless ON cues WHEN old.spaceless OR new.spaceless BEGIN
    INSERT INTO cues_trigrams (cues_trigrams, rowid, text)
        SELECT 'delete', old.seq, old.text WHERE old.spaceless;
    INSERT INTO cues_trigrams (rowid, text)
        SELECT new.seq, new.text WHERE new.spaceless;
END;

CREATE TABLE forms (
    seq INTEGER PRIMARY KEY,
    language TEXT NOT NULL,
    form TEXT NOT NULL,
    lemma TEXT,
    looked_up INTEGER NOT NULL DEFAULT 0, word INTEGER REFERENCES words, written INTEGER NOT NULL DEFAULT 0,
    UNIQUE (form, language)
) STRICT;

CREATE INDEX forms_lemma ON forms (language, lemma) WHERE lemma IS NOT NULL;

CREATE INDEX forms_waiting ON forms (language) WHERE looked_up = 0;

CREATE INDEX forms_word ON forms (word);

CREATE TABLE clips (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile INTEGER NOT NULL REFERENCES profiles,
    transcript_id TEXT REFERENCES "all_transcripts" (id) ON DELETE SET NULL,
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
    updated_at TEXT NOT NULL,
    sentence_reading TEXT NOT NULL DEFAULT '', audio TEXT, picture TEXT, voice TEXT, cut_from TEXT, told_language TEXT) STRICT;

CREATE INDEX clips_profile ON clips (profile);

CREATE INDEX clips_transcript ON clips (transcript_id) WHERE transcript_id IS NOT NULL;

CREATE INDEX clips_file ON clips (file_id) WHERE file_id IS NOT NULL;

CREATE INDEX clips_surface ON clips (profile, surface) WHERE surface <> '';

CREATE INDEX clips_lemma ON clips (profile, lemma, surface) WHERE lemma <> '';

CREATE INDEX clips_without_spaces ON clips (profile) WHERE spaceless;

CREATE TRIGGER clips_counted AFTER INSERT ON clips BEGIN
    UPDATE totals SET n = n + 1, revision = revision + 1
        WHERE profile = new.profile AND kind = 'clips';
END;

CREATE TRIGGER clips_uncounted AFTER DELETE ON clips BEGIN
    UPDATE totals SET n = n - 1, revision = revision + 1
        WHERE profile = old.profile AND kind = 'clips';
END;

CREATE TRIGGER clips_revised AFTER UPDATE ON clips BEGIN
    UPDATE totals SET revision = revision + 1
        WHERE profile = new.profile AND kind = 'clips';
END;

CREATE TRIGGER clips_words_insert AFTER INSERT ON clips BEGIN
    INSERT INTO clips_words (rowid, scope, sentence, focus, meanings, language, translation, note, tags, source, context) VALUES (new.seq, 'p' || new.profile, new.sentence, new.surface || ' ' || new.lemma || ' ' || coalesce(json_extract(new.focus, '$.reading'), ''), coalesce(json_extract(new.focus, '$.meanings'), ''), coalesce(json_extract(new.focus, '$.language'), ''), new.translation, new.note, new.tags, new.source, new.context);
END;

CREATE TRIGGER clips_words_delete AFTER DELETE ON clips BEGIN
    INSERT INTO clips_words (clips_words, rowid, scope, sentence, focus, meanings, language, translation, note, tags, source, context) VALUES ('delete', old.seq, 'p' || old.profile, old.sentence, old.surface || ' ' || old.lemma || ' ' || coalesce(json_extract(old.focus, '$.reading'), ''), coalesce(json_extract(old.focus, '$.meanings'), ''), coalesce(json_extract(old.focus, '$.language'), ''), old.translation, old.note, old.tags, old.source, old.context);
END;

CREATE TRIGGER clips_words_update AFTER UPDATE OF sentence, surface, lemma, focus, translation, note, tags, source, context, spaceless ON clips BEGIN
    INSERT INTO clips_words (clips_words, rowid, scope, sentence, focus, meanings, language, translation, note, tags, source, context) VALUES ('delete', old.seq, 'p' || old.profile, old.sentence, old.surface || ' ' || old.lemma || ' ' || coalesce(json_extract(old.focus, '$.reading'), ''), coalesce(json_extract(old.focus, '$.meanings'), ''), coalesce(json_extract(old.focus, '$.language'), ''), old.translation, old.note, old.tags, old.source, old.context);
    INSERT INTO clips_words (rowid, scope, sentence, focus, meanings, language, translation, note, tags, source, context) VALUES (new.seq, 'p' || new.profile, new.sentence, new.surface || ' ' || new.lemma || ' ' || coalesce(json_extract(new.focus, '$.reading'), ''), coalesce(json_extract(new.focus, '$.meanings'), ''), coalesce(json_extract(new.focus, '$.language'), ''), new.translation, new.note, new.tags, new.source, new.context);
END;

CREATE TRIGGER clips_trigrams_insert AFTER INSERT ON clips WHEN new.spaceless BEGIN
    INSERT INTO clips_trigrams (rowid, text) SELECT new.seq, new.sentence || char(10) || new.surface || ' ' || new.lemma || ' ' || coalesce(json_extract(new.focus, '$.reading'), '') || char(10) || coalesce(json_extract(new.focus, '$.meanings'), '') || char(10) || coalesce(json_extract(new.focus, '$.language'), '') || char(10) || new.translation || char(10) || new.note || char(10) || new.tags || char(10) || new.source || char(10) || new.context WHERE new.spaceless;
END;

CREATE TRIGGER clips_trigrams_delete AFTER DELETE ON clips WHEN old.spaceless BEGIN
    INSERT INTO clips_trigrams (clips_trigrams, rowid, text) SELECT 'delete', old.seq, old.sentence || char(10) || old.surface || ' ' || old.lemma || ' ' || coalesce(json_extract(old.focus, '$.reading'), '') || char(10) || coalesce(json_extract(old.focus, '$.meanings'), '') || char(10) || coalesce(json_extract(old.focus, '$.language'), '') || char(10) || old.translation || char(10) || old.note || char(10) || old.tags || char(10) || old.source || char(10) || old.context WHERE old.spaceless;
END;

CREATE TRIGGER clips_trigrams_update AFTER UPDATE OF sentence, surface, lemma, focus, translation, note, tags, source, context, spaceless ON clips WHEN old.spaceless OR new.spaceless BEGIN
    INSERT INTO clips_trigrams (clips_trigrams, rowid, text) SELECT 'delete', old.seq, old.sentence || char(10) || old.surface || ' ' || old.lemma || ' ' || coalesce(json_extract(old.focus, '$.reading'), '') || char(10) || coalesce(json_extract(old.focus, '$.meanings'), '') || char(10) || coalesce(json_extract(old.focus, '$.language'), '') || char(10) || old.translation || char(10) || old.note || char(10) || old.tags || char(10) || old.source || char(10) || old.context WHERE old.spaceless;
    INSERT INTO clips_trigrams (rowid, text) SELECT new.seq, new.sentence || char(10) || new.surface || ' ' || new.lemma || ' ' || coalesce(json_extract(new.focus, '$.reading'), '') || char(10) || coalesce(json_extract(new.focus, '$.meanings'), '') || char(10) || coalesce(json_extract(new.focus, '$.language'), '') || char(10) || new.translation || char(10) || new.note || char(10) || new.tags || char(10) || new.source || char(10) || new.context WHERE new.spaceless;
END;

CREATE INDEX clips_by_audio ON clips (audio) WHERE audio IS NOT NULL;

CREATE INDEX clips_by_picture ON clips (picture) WHERE picture IS NOT NULL;

CREATE INDEX clips_by_word ON clips (profile, nullif(substr(iif(lemma <> '', lemma, surface), 1, 200), '') DESC);

CREATE INDEX clips_by_source ON clips (profile, nullif(substr(source, 1, 200), '') DESC);

CREATE INDEX clips_by_change ON clips (profile, updated_at);

CREATE TABLE exports (
    seq INTEGER PRIMARY KEY,
    profile INTEGER NOT NULL REFERENCES profiles,
    deck TEXT NOT NULL,
    created_at TEXT NOT NULL, state TEXT NOT NULL DEFAULT '', sha256 TEXT NOT NULL DEFAULT '',
    UNIQUE (profile, deck)
) STRICT;

CREATE TABLE exported (
    export INTEGER NOT NULL REFERENCES exports ON DELETE CASCADE,
    clip INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (export, clip)
) STRICT, WITHOUT ROWID;

CREATE TABLE templates (
    profile INTEGER PRIMARY KEY REFERENCES profiles,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    sys_msg TEXT NOT NULL,
    srt_model TEXT NOT NULL,
    srt_sys_msg TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

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
    folded TEXT NOT NULL,
    opening INTEGER NOT NULL DEFAULT 0, outcome TEXT, suggested_encoding TEXT, transcript_id TEXT REFERENCES all_transcripts (id) ON DELETE SET NULL) STRICT;

CREATE INDEX jobs_profile ON jobs (profile);

CREATE INDEX jobs_file ON jobs (file_id) WHERE file_id IS NOT NULL;

CREATE INDEX jobs_active ON jobs (profile, owner) WHERE state IN ('queued', 'running');

CREATE TRIGGER jobs_counted AFTER INSERT ON jobs BEGIN
    UPDATE totals SET n = n + 1, revision = revision + 1
        WHERE profile = new.profile AND kind = 'jobs';
END;

CREATE TRIGGER jobs_uncounted AFTER DELETE ON jobs BEGIN
    UPDATE totals SET n = n - 1, revision = revision + 1
        WHERE profile = old.profile AND kind = 'jobs';
END;

CREATE TRIGGER jobs_revised AFTER UPDATE ON jobs BEGIN
    UPDATE totals SET revision = revision + 1
        WHERE profile = new.profile AND kind = 'jobs';
END;

CREATE INDEX jobs_opening ON jobs (opening);

CREATE INDEX jobs_transcript ON jobs (transcript_id) WHERE transcript_id IS NOT NULL;

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
    folded TEXT NOT NULL,
    first_token_ms INTEGER, cut INTEGER NOT NULL DEFAULT 0, translation TEXT NOT NULL DEFAULT '', sentence_reading TEXT NOT NULL DEFAULT '', follows TEXT) STRICT;

CREATE INDEX answers_question ON answers (profile, question) WHERE state = 'complete';

CREATE INDEX answers_surface ON answers (profile, surface) WHERE surface <> '';

CREATE INDEX answers_lemma ON answers (profile, lemma, surface) WHERE lemma <> '';

CREATE TRIGGER answers_revised AFTER UPDATE ON answers BEGIN
    UPDATE totals SET revision = revision + 1
        WHERE profile = new.profile AND kind = 'answers';
END;

CREATE INDEX answers_usage ON answers (profile, created_at, model, state, input_tokens, output_tokens, duration_ms);

CREATE INDEX answers_follows ON answers (follows) WHERE follows IS NOT NULL;

CREATE INDEX answers_profile ON answers (profile) WHERE follows IS NULL;

CREATE TRIGGER answers_counted AFTER INSERT ON answers BEGIN
    UPDATE totals SET revision = revision + 1, n = n + (new.follows IS NULL) WHERE profile = new.profile AND kind = 'answers';
END;

CREATE TRIGGER answers_uncounted AFTER DELETE ON answers BEGIN
    UPDATE totals SET revision = revision + 1, n = n - (old.follows IS NULL) WHERE profile = old.profile AND kind = 'answers';
END;

CREATE TABLE trash (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    profile INTEGER NOT NULL REFERENCES profiles,
    kind TEXT NOT NULL,
    summary TEXT NOT NULL,
    count INTEGER NOT NULL,
    bundle TEXT NOT NULL,
    blobs TEXT NOT NULL,
    created_at TEXT NOT NULL,
    opening INTEGER NOT NULL DEFAULT 0, undone INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX trash_profile ON trash (profile);

CREATE INDEX trash_opening ON trash (opening);

CREATE INDEX trash_undone ON trash (profile, undone) WHERE undone > 0;

CREATE VIRTUAL TABLE cues_words USING fts5(
    scope, text,
    content = 'cues_searched', content_rowid = 'seq', columnsize = 0,
        tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
);

CREATE VIRTUAL TABLE cues_trigrams USING fts5(
    text,
    content = 'cues_spaceless', content_rowid = 'seq', columnsize = 0, tokenize = 'trigram'
);

CREATE TABLE requests (profile TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, created_at TEXT NOT NULL, status INTEGER, body BLOB, opening INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (profile, key)) STRICT;

CREATE INDEX requests_opening ON requests (opening);

CREATE TABLE openings (seq INTEGER PRIMARY KEY AUTOINCREMENT, date TEXT NOT NULL UNIQUE) STRICT;

CREATE VIRTUAL TABLE clips_words USING fts5(scope, sentence, focus, meanings, language, translation, note, tags, source, context, content = 'clips_searched', content_rowid = 'seq', columnsize = 0, tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'");

CREATE VIRTUAL TABLE clips_trigrams USING fts5(text, content = 'clips_spaceless', content_rowid = 'seq', columnsize = 0, tokenize = 'trigram');

CREATE TABLE original_cues (transcript INTEGER NOT NULL REFERENCES all_transcripts (seq) ON DELETE CASCADE, number INTEGER NOT NULL, position INTEGER, change TEXT NOT NULL, reasons TEXT NOT NULL, start_ms INTEGER, end_ms INTEGER, text TEXT NOT NULL, PRIMARY KEY (transcript, number)) STRICT, WITHOUT ROWID;

CREATE TABLE form_counts (block INTEGER NOT NULL, form INTEGER NOT NULL REFERENCES forms (seq), transcript INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (block, form, transcript)) STRICT, WITHOUT ROWID;

CREATE TABLE profile_settings (profile INTEGER PRIMARY KEY REFERENCES profiles, explain_in TEXT NOT NULL, learning TEXT NOT NULL, updated_at TEXT NOT NULL, known_states TEXT NOT NULL DEFAULT 'known ignored', card_front TEXT NOT NULL DEFAULT 'sentence', card_hint TEXT NOT NULL DEFAULT 'none', card_changed_at TEXT, deck_per TEXT NOT NULL DEFAULT 'none', note_fields TEXT NOT NULL DEFAULT '', transcribe_with TEXT NOT NULL DEFAULT '', inbox_fill TEXT NOT NULL DEFAULT 'dictionaries') STRICT;

CREATE TABLE words (seq INTEGER PRIMARY KEY, language TEXT NOT NULL, folded TEXT NOT NULL, reading TEXT NOT NULL, lemma TEXT NOT NULL, ignored INTEGER NOT NULL, rank INTEGER, UNIQUE (language, folded, reading)) STRICT;

CREATE INDEX words_read ON words (language, folded) WHERE reading <> '';

CREATE TABLE word_states (profile INTEGER NOT NULL REFERENCES profiles, word INTEGER NOT NULL REFERENCES words, state TEXT NOT NULL, source TEXT NOT NULL, changed_at TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (profile, word)) STRICT, WITHOUT ROWID;

CREATE INDEX word_states_revision ON word_states (profile, revision);

CREATE TABLE transcript_words (seq INTEGER PRIMARY KEY AUTOINCREMENT, transcript INTEGER NOT NULL UNIQUE REFERENCES all_transcripts (seq) ON DELETE CASCADE, cut_by TEXT NOT NULL, ids BLOB NOT NULL, sentences BLOB NOT NULL) STRICT;

CREATE TABLE word_totals (profile INTEGER NOT NULL REFERENCES profiles, word INTEGER NOT NULL REFERENCES words, occurrences INTEGER NOT NULL, transcripts INTEGER NOT NULL, PRIMARY KEY (profile, word)) STRICT, WITHOUT ROWID;

CREATE TABLE word_totals_revisions (profile INTEGER PRIMARY KEY REFERENCES profiles, revision INTEGER NOT NULL) STRICT;

CREATE TABLE frequency_sources (language TEXT PRIMARY KEY, dictionary TEXT NOT NULL, title TEXT NOT NULL, words INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE own_words (seq INTEGER PRIMARY KEY AUTOINCREMENT, profile INTEGER NOT NULL REFERENCES profiles, language TEXT NOT NULL, key TEXT NOT NULL, lemma TEXT NOT NULL, meaning TEXT NOT NULL, note TEXT NOT NULL, phrases TEXT NOT NULL, found_by TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (profile, language, key)) STRICT;

CREATE TABLE sent_notes (seq INTEGER PRIMARY KEY, clip TEXT NOT NULL, whole BLOB NOT NULL, fields BLOB NOT NULL, tags BLOB NOT NULL, arrived INTEGER NOT NULL) STRICT;

CREATE INDEX sent_notes_by_clip ON sent_notes (clip);

CREATE TABLE rendered_notes (clip INTEGER PRIMARY KEY REFERENCES clips (seq) ON DELETE CASCADE, updated_at TEXT NOT NULL, rendering INTEGER NOT NULL, guid TEXT NOT NULL, created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, fields TEXT NOT NULL, tags TEXT NOT NULL) STRICT;

CREATE TABLE transcript_media (transcript INTEGER PRIMARY KEY REFERENCES all_transcripts (seq) ON DELETE CASCADE, path TEXT NOT NULL, size_bytes INTEGER NOT NULL, modified_ns INTEGER NOT NULL, parts_sha256 TEXT NOT NULL, track INTEGER NOT NULL) STRICT;

CREATE TABLE clip_media (seq INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, content BLOB NOT NULL) STRICT;

CREATE TABLE reading_places (transcript_id TEXT PRIMARY KEY REFERENCES all_transcripts (id) ON DELETE CASCADE, cue INTEGER NOT NULL, word INTEGER NOT NULL, left_at TEXT NOT NULL, read INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE INDEX reading_places_left ON reading_places (left_at);

CREATE TABLE cue_notes (transcript_id TEXT NOT NULL REFERENCES all_transcripts (id) ON DELETE CASCADE, cue INTEGER NOT NULL, text TEXT NOT NULL, updated_at TEXT NOT NULL, PRIMARY KEY (transcript_id, cue)) STRICT, WITHOUT ROWID;

CREATE TABLE views (profile INTEGER NOT NULL REFERENCES profiles, key TEXT NOT NULL, name TEXT NOT NULL, list TEXT NOT NULL, q TEXT NOT NULL, sort TEXT NOT NULL, updated_at TEXT NOT NULL, PRIMARY KEY (profile, key)) STRICT, WITHOUT ROWID;

CREATE TABLE bookmarks (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, profile INTEGER NOT NULL REFERENCES profiles, transcript_id TEXT NOT NULL REFERENCES all_transcripts (id) ON DELETE CASCADE, cue INTEGER NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE (transcript_id, cue)) STRICT;

CREATE TABLE all_reviews (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, transcript_id TEXT NOT NULL REFERENCES all_transcripts (id) ON DELETE CASCADE, model TEXT NOT NULL, refused INTEGER NOT NULL DEFAULT 0, left_out INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL, discarded INTEGER REFERENCES trash (seq) ON DELETE CASCADE, into_language TEXT) STRICT;

CREATE INDEX reviews_transcript ON all_reviews (transcript_id);

CREATE INDEX reviews_discarded ON all_reviews (discarded) WHERE discarded IS NOT NULL;

CREATE TABLE review_items (review INTEGER NOT NULL REFERENCES all_reviews (seq) ON DELETE CASCADE, number INTEGER NOT NULL, cue INTEGER NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, doubtful INTEGER NOT NULL, taken INTEGER NOT NULL, seen INTEGER NOT NULL, card TEXT, PRIMARY KEY (review, number)) STRICT, WITHOUT ROWID;

CREATE TABLE mining_marks (id TEXT PRIMARY KEY, transcript_id TEXT NOT NULL REFERENCES all_transcripts (id) ON DELETE CASCADE, cue INTEGER NOT NULL, start_at INTEGER NOT NULL, end_at INTEGER NOT NULL, text TEXT NOT NULL, focus TEXT NOT NULL, sentence INTEGER NOT NULL, created_at TEXT NOT NULL, UNIQUE (transcript_id, cue, start_at)) STRICT;

CREATE TABLE inbox_notes (id INTEGER PRIMARY KEY, clip_id TEXT NOT NULL, deck TEXT NOT NULL, note_type TEXT NOT NULL, fields TEXT NOT NULL, addresses TEXT NOT NULL, state TEXT NOT NULL, arrived INTEGER NOT NULL) STRICT;

CREATE INDEX inbox_notes_by_clip ON inbox_notes (clip_id);

CREATE INDEX inbox_notes_open ON inbox_notes (state) WHERE state <> 'done';

CREATE TABLE inbox_media (profile INTEGER NOT NULL REFERENCES profiles, name TEXT NOT NULL, sha256 TEXT NOT NULL, created_at TEXT NOT NULL, clip_id TEXT, PRIMARY KEY (profile, name)) STRICT;

CREATE INDEX inbox_media_by_content ON inbox_media (sha256);

CREATE TABLE inbox_names (profile INTEGER NOT NULL REFERENCES profiles, kind TEXT NOT NULL, name TEXT NOT NULL, fields TEXT NOT NULL, PRIMARY KEY (profile, kind, name)) STRICT;

CREATE VIEW cues_searched AS
    SELECT r.seq, r.scope AS scope, r.text AS text
    FROM cues AS r;

CREATE VIEW cues_spaceless AS
    SELECT r.seq, r.text AS text
    FROM cues AS r WHERE r.spaceless;

CREATE VIEW transcripts AS SELECT * FROM all_transcripts WHERE discarded IS NULL;

CREATE VIEW clips_searched AS SELECT r.seq, 'p' || r.profile AS scope, r.sentence AS sentence, r.surface || ' ' || r.lemma || ' ' || coalesce(json_extract(r.focus, '$.reading'), '') AS focus, coalesce(json_extract(r.focus, '$.meanings'), '') AS meanings, coalesce(json_extract(r.focus, '$.language'), '') AS language, r.translation AS translation, r.note AS note, r.tags AS tags, r.source AS source, r.context AS context FROM clips AS r;

CREATE VIEW clips_spaceless AS SELECT r.seq, r.sentence || char(10) || r.surface || ' ' || r.lemma || ' ' || coalesce(json_extract(r.focus, '$.reading'), '') || char(10) || coalesce(json_extract(r.focus, '$.meanings'), '') || char(10) || coalesce(json_extract(r.focus, '$.language'), '') || char(10) || r.translation || char(10) || r.note || char(10) || r.tags || char(10) || r.source || char(10) || r.context AS text FROM clips AS r WHERE r.spaceless;

CREATE VIEW reviews AS SELECT r.*, t.profile, t.seq AS transcript, t.title, t.language FROM all_reviews AS r JOIN transcripts AS t ON t.id = r.transcript_id WHERE r.discarded IS NULL;
