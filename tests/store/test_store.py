"""Opening: a new library, a current one, and all the ones that cannot be opened."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from tests.store.conftest import Child, run_sql, running
from tui.errors import InvalidInput, StoreError
from tui.records.clip_selection import ClipSelection
from tui.records.clips import NewClip
from tui.store import Store
from tui.store.schema import migrations


def test_a_new_directory_becomes_a_library_with_strict_tables_and_a_write_ahead_log(directory: Path) -> None:
    place = directory / "deep" / "down"
    with closing(Store.open(place)) as store:
        assert run_sql(store, "PRAGMA journal_mode") == [("wal",)]
        own = "('clips', 'cues', 'files', 'jobs', 'trash', 'requests')"
        assert run_sql(store, f"SELECT strict FROM pragma_table_list WHERE name IN {own}") == [(1,)] * 6
        clip = store.clips.add("anna", NewClip("Wohin fährt der Zug?"))
    with closing(Store.open(place)) as again:
        assert again.clips.get("anna", clip.id) == clip


def test_reading_a_page_never_imports_sqlite_utils(directory: Path, run_python: Callable[[str], str]) -> None:
    Store.open(directory).close()
    out = run_python(
        "import sys; from pathlib import Path; from tui.store import Store; "
        f"store = Store.open(Path({str(directory)!r})); store.clips.page('anna', q='zug'); store.close(); "
        "print(*sys.modules)"
    )
    assert "tui.store.tables.clips" in out.split()
    assert not {"sqlite_utils", "budoux", "simplemma", "asyncio"} & set(out.split())


def test_two_processes_can_make_the_same_library_at_once(directory: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tui.store import Store; from tui.records.clips import NewClip;"
        "import sqlite_utils; print('ready', flush=True); sys.stdin.readline();"
        "store = Store.open(Path(sys.argv[1])); print(store.clips.add('anna', NewClip('x')).id); store.close()"
    )
    with ExitStack() as stack:
        children = [stack.enter_context(running(code, directory))[0] for _ in "12"]
        for child in children:
            assert child.stdin is not None
            child.stdin.write("\n")
            child.stdin.flush()
        ids = {child.communicate(timeout=60)[0].strip() for child in children}
    with closing(Store.open(directory)) as store:
        assert {clip.id for clip in store.clips.page("anna").items} == ids
    assert len(ids) == 2


def test_a_library_of_a_newer_lode_is_refused_and_left_alone(directory: Path) -> None:
    Store.open(directory).close()
    run_sql(directory, "INSERT INTO _sqlite_migrations VALUES (NULL, 'lode', 'm999_later', '2030-01-01')")
    with pytest.raises(StoreError, match="newer Lode") as caught:
        Store.open(directory)
    assert caught.value.code == "store_too_new"
    assert "update Lode" in caught.value.hint


def test_what_is_no_database_of_lode_is_refused_and_left_alone(directory: Path, tmp_path: Path) -> None:
    directory.mkdir()
    path = directory / "lode.db"
    run_sql(tmp_path, "CREATE TABLE recipes (name TEXT)")
    for content, said, hint in (
        (b"this is no database at all, but long enough for a header" * 40, "damaged or no Lode database", "backup"),
        (b"SQLite format 3\0junk", "damaged or no Lode database", "backup"),
        ((tmp_path / "lode.db").read_bytes(), "not Lode's", "move it away"),
    ):
        path.write_bytes(content)
        with pytest.raises(StoreError, match=said) as caught:
            Store.open(directory)
        assert hint in caught.value.hint
        assert path.read_bytes() == content
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match="is a directory"):
        Store.open(directory)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be made") as caught:
        Store.open(tmp_path / "file" / "library")
    assert "--home" in caught.value.hint


ORDINARY_USER = """
import os, sys, tempfile
from pathlib import Path
import tui.store, tui.store.write_ahead_log, tui.errors  # whoever it becomes may not be allowed to read them
from tui.records.clips import NewClip
from tui.store.schema import migrations
with tempfile.TemporaryDirectory() as known:  # what is imported on first use, by Python's own modules too
    rehearsal = tui.store.Store.open(Path(known))
    rehearsal.clips.add("anna", NewClip("Der Zug kommt."))
    rehearsal.clips.page("anna", q="zug")
    rehearsal.close()
if os.getuid() == 0:
    os.setuid(65534)
for name in sys.argv[1:]:
    if name.endswith("older"):
        migrations.MIGRATIONS += (lambda db: None,)
    try:
        store = tui.store.Store.open(Path(name))
        print(store.read_only, [clip.sentence for clip in store.clips.page("anna", q="zug").items], end=" ")
        store.clips.add("anna", NewClip("neu"))
    except tui.errors.StoreError as error:
        print(error.message, "|", error.hint)
"""
"""A user whom file permissions stop (root is stopped by none) reads and writes libraries, and is told why not."""


def test_what_an_ordinary_user_cannot_write_can_be_read_and_says_why_it_cannot_be_written(run_child: Child) -> None:
    modes = {"file": (0o444, 0o755), "directory": (0o644, 0o555), "both": (0o444, 0o555), "older": (0o444, 0o755)}
    with tempfile.TemporaryDirectory(prefix="lode-test-") as name:  # which others can reach; pytest's own they cannot
        outside = Path(name)
        outside.chmod(0o755)
        places = [outside / "empty", *(outside / each for each in modes)]
        places[0].mkdir()
        for place in places[1:]:
            with closing(Store.open(place)) as store:
                store.clips.add("anna", NewClip("Der Zug kommt."))
        for path in outside.rglob("*") if os.getuid() == 0 else ():
            os.chown(path, 65534, 65534)
        places[0].chmod(0o555)
        for place, (file_mode, directory_mode) in zip(places[1:], modes.values(), strict=True):
            (place / "lode.db").chmod(file_mode)
            place.chmod(directory_mode)
        done = run_child(ORDINARY_USER, *places)
    empty, *readable, older = done.stdout.splitlines() or [done.stderr]
    assert "cannot be written" in empty and "make it writable" in empty, done.stderr
    assert len(readable) == 3
    for said in readable:
        assert said.startswith("True ['Der Zug kommt.'] ") and "can only be read" in said and "writable" in said
    assert "older Lode" in older and "writable" in older


def test_a_library_held_by_another_program_or_closed_says_so(directory: Path) -> None:
    Store.open(directory).close()
    store = Store.open(directory, busy_seconds=0.05)
    with closing(sqlite3.connect(directory / "lode.db", isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        assert store.clips.page("anna").total == 0, "reading goes on beside a writer"
        with pytest.raises(StoreError, match="another program holds the database") as caught:
            store.clips.add("anna", NewClip("x"))
        assert "try again" in caught.value.hint
    assert store.clips.add("anna", NewClip("x")).sentence == "x"
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.clips.page("anna")


def later_migration(db: Database) -> None:
    db.execute("ALTER TABLE clips ADD COLUMN starred INTEGER NOT NULL DEFAULT 0")


def broken_migration(db: Database) -> None:
    db.execute("ALTER TABLE clips ADD COLUMN half INTEGER")
    db.execute("ALTER TABLE nowhere ADD COLUMN gone INTEGER")


def test_a_migration_keeps_a_copy_first_and_three_in_all(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Store.open(directory)) as store:
        clip = store.clips.add("anna", NewClip("alt"))
    assert not list(directory.glob("*.before-*")), "a new library has no old state to keep"
    for year in range(2001, 2006):
        (directory / f"lode.db.before-m0-{year}0101T000000000000Z").write_text("")
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, later_migration))
    with closing(Store.open(directory)) as store:
        assert store.clips.get("anna", clip.id).sentence == "alt"
    assert run_sql(directory, "SELECT sentence, starred FROM clips") == [("alt", 0)]
    copy, *others = sorted(directory.glob("lode.db.before-*"))
    assert [path.name[18:22] for path in others] == ["2004", "2005"]
    assert copy.name.startswith("lode.db.before-later_migration-")
    copy.replace(directory / "lode.db")
    assert run_sql(directory, "SELECT sentence FROM clips") == [("alt",)]
    assert run_sql(directory, "SELECT 1 FROM pragma_table_info('clips') WHERE name = 'starred'") == []


def test_a_migration_that_fails_leaves_the_library_as_it_was(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Store.open(directory)) as store:
        store.clips.add("anna", NewClip("alt"))
    with monkeypatch.context() as later:
        later.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, broken_migration))
        with pytest.raises(StoreError):
            Store.open(directory)
    with closing(Store.open(directory)) as store:
        assert run_sql(store, "SELECT 1 FROM pragma_table_info('clips') WHERE name = 'half'") == []
        assert store.clips.page("anna").total == 1


def test_a_backup_is_one_whole_file_that_opens_as_a_library_and_never_overwrites(store: Store, tmp_path: Path) -> None:
    clip = store.clips.add("anna", NewClip("Der Zug kommt."))
    (tmp_path / "copy").mkdir()
    target = store.backup(tmp_path / "copy" / "lode.db")
    assert [path.name for path in target.parent.iterdir()] == ["lode.db"]
    whole = target.read_bytes()
    with pytest.raises(InvalidInput, match="exists already"):
        store.backup(target)
    with pytest.raises(InvalidInput, match="no directory"):
        store.backup(tmp_path / "nowhere" / "out.db")
    assert target.read_bytes() == whole
    with closing(Store.open(target.parent)) as copy:
        assert copy.clips.page("anna", q="zug").items == (clip,)


def test_a_statement_that_cannot_be_met_and_an_error_of_ours_are_no_damage_of_a_whole_library(store: Store) -> None:
    store.clips.add("anna", NewClip("Der Zug kommt."))
    for statement, kind in (
        ("SELECT no_such_column FROM clips", sqlite3.OperationalError),
        ("SELECT * FROM clips WHERE " + " AND ".join(["true"] * 1001), sqlite3.OperationalError),
        ("SELECT 'x' LIKE '" + "%" * 60_000 + "'", sqlite3.OperationalError),
        ("INSERT INTO profiles (name, created_at) VALUES ('anna', '')", sqlite3.IntegrityError),
        ("INSERT INTO profiles (seq, name, created_at) VALUES ('x', 'y', '')", sqlite3.IntegrityError),
    ):
        with pytest.raises(kind), store.clips._connections.read() as connection:
            connection.execute(statement)
        with pytest.raises(kind), store.clips._connections.write() as connection, store.clips._connections.read():
            connection.execute("DELETE FROM clips")
            connection.execute(statement)
    with pytest.raises(KeyError), store.clips._connections.read():
        raise KeyError("nothing")
    with pytest.raises(UnicodeDecodeError), store.clips._connections.write():
        b"\xff".decode()
    assert store.clips.page("anna").total == 1


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE sqlite_master SET sql = replace(sql, 'sentence TEXT', 'semtence TEXT') WHERE name = 'clips'",
        "UPDATE sqlite_master SET sql = replace(sql, 'focus', 'fokus') WHERE name = 'clips_words_update'",
        "UPDATE clips SET tags = '[nonsense'",
        "UPDATE clips SET sentence = CAST(X'ff41' AS TEXT)",
        "UPDATE clips_words_config SET v = 9 WHERE k = 'version'",
    ],
)
def test_what_a_statement_fails_of_in_a_damaged_library_is_told_as_damage(directory: Path, damage: str) -> None:
    with closing(Store.open(directory)) as store:
        clip = store.clips.add("anna", NewClip("Der Zug kommt.", tags=("verb",)))
    with closing(sqlite3.connect(directory / "lode.db")) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(damage)
    with pytest.raises(StoreError) as told, closing(Store.open(directory)) as store:
        store.exports.select("anna", "Lode", ClipSelection(tag="verb"))
        store.clips.page("anna", q="zug")
        store.clips.edit("anna", clip.id, NewClip("Der Zug steht."))
    assert told.value.code == "library_damaged"
