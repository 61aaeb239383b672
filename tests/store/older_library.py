"""Libraries as they were before a migration, made by the migrations up to it and filled with plain SQL."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE
from tui.store import Store
from tui.store.schema import migrations
from tui.store.tables.words import count_forms

MOMENT = "2026-01-01T00:00:00.000Z"


@contextmanager
def lode_before(migration: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lode as it was before a migration: what it opens, and a new library too, has seen those that came before."""
    at = [each.__name__ for each in migrations.MIGRATIONS].index(migration)
    with monkeypatch.context() as older:
        older.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:at])
        older.setattr(migrations, "create", migrations.bring_up_to_date)
        yield


@contextmanager
def library_before(migration: str, directory: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """A new library with a profile, and with all migrations that came before this one."""
    with lode_before(migration, monkeypatch):
        Store.open(directory).close()
    with closing(sqlite3.connect(directory / "lode.db")) as connection, connection:
        connection.execute("INSERT INTO profiles (name, created_at) VALUES (?, ?)", (PROFILE, MOMENT))
        yield connection


def insert_film(connection: sqlite3.Connection, title: str, language: str, texts: Sequence[str]) -> None:
    """Put a transcript in as Lode did before ``m010_blocks_of_counts``; its words are counted as they are now."""
    transcript = connection.execute(
        "INSERT INTO all_transcripts (id, profile, title, language, origin, cue_count, created_at, folded)"
        " VALUES (?1, 1, ?1, ?2, 'import', ?3, ?4, ?1)",
        (title, language, len(texts), MOMENT),
    ).lastrowid
    connection.executemany(
        "INSERT INTO cues (transcript, position, start_ms, end_ms, text, scope, spaceless)"
        " VALUES (?, ?, ?, ?, ?, ?, 0)",
        [(transcript, at, at * 1000, at * 1000 + 900, text, f"p1x{language}") for at, text in enumerate(texts)],
    )
    (counts,) = count_forms(texts, language)
    for form, number in json.loads(counts).items():
        connection.execute("INSERT OR IGNORE INTO forms (language, form) VALUES (?, ?)", (language, form))
        connection.execute(
            "INSERT INTO form_counts (form, transcript, n) SELECT seq, ?, ? FROM forms WHERE language = ? AND form = ?",
            (transcript, number >> 2, language, form),
        )
