"""Looking a library over changes nothing in it, and tells what is wrong with it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE, AddFilm, run_sql
from tui.errors import StoreError
from tui.records.answers import NewTemplate
from tui.store import Store
from tui.store.inspector import LibraryInspector
from tui.store.schema import migrations


@pytest.fixture
def inspector(directory: Path) -> Iterator[LibraryInspector]:
    inspector = LibraryInspector(directory, busy_seconds=0.05)
    yield inspector
    inspector.close()


def snapshot(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_a_whole_library_is_well_and_looking_leaves_no_trace(
    store: Store, directory: Path, inspector: LibraryInspector, add_film: AddFilm
) -> None:
    file, _ = add_film("Der Zug.", language="de")
    store.blobs.put(b"something that nothing needs")
    store.templates.save(PROFILE, NewTemplate("ollama:qwen3", "p", "s"))
    store.jobs.add(PROFILE, "import", "x")
    store.close()
    before = snapshot(directory)
    inspector.open()
    assert (inspector.pending(), inspector.damage(), inspector.dangling_references()) == ((), (), 0)
    assert inspector.missing_blobs() == 1, "the film was imported without its bytes"
    assert inspector.languages() == ("de",)
    assert (inspector.template(PROFILE), inspector.template("nobody")) == (("ollama:qwen3", "p"), ("", ""))
    assert inspector.orphaned_jobs() == 0, "closing marked it as interrupted"
    assert snapshot(directory) == before
    assert file.sha256


def test_a_library_that_is_open_elsewhere_is_read_as_it_is_now(
    store: Store, inspector: LibraryInspector, directory: Path, add_film: AddFilm
) -> None:
    add_film("Der Zug.", language="de")
    store.jobs.add(PROFILE, "import", "x")
    assert (directory / "lode.db-wal").stat().st_size > 0
    inspector.open()
    assert (inspector.languages(), inspector.dangling_references()) == (("de",), 0)
    assert inspector.orphaned_jobs() == 0, "its process lives: it is this one"
    run_sql(store, "UPDATE jobs SET owner = 'whoisgone'")
    run_sql(store, "UPDATE all_transcripts SET file_id = 'nowhere'")
    assert (inspector.orphaned_jobs(), inspector.dangling_references()) == (1, 1)


def test_nothing_is_made_where_there_is_no_library(inspector: LibraryInspector, directory: Path) -> None:
    assert not inspector.exists()
    with pytest.raises(StoreError):
        inspector.open()
    assert not directory.exists()


def test_what_is_no_database_is_named_and_an_empty_file_holds_nothing_to_ask(directory: Path) -> None:
    directory.mkdir()
    path = directory / "lode.db"
    with closing(LibraryInspector(directory)) as inspector:
        path.touch()
        inspector.open()
        assert (inspector.is_open(), path.stat().st_size) == (False, 0)
        path.write_bytes(b"certainly no database" * 500)
        with pytest.raises(StoreError, match="damaged or no Lode database"):
            inspector.open()
        path.unlink()
        path.mkdir()
        with pytest.raises(StoreError, match=r"lode\.db is no file"):
            inspector.open()


def test_damage_within_is_found_and_told_in_single_lines(
    store: Store, inspector: LibraryInspector, directory: Path, add_film: AddFilm
) -> None:
    add_film(*(f"Zeile {number} vom Zug" for number in range(2000)))
    store.close()
    ((page,),) = run_sql(store, "SELECT rootpage FROM sqlite_master WHERE name = 'cues'")
    with (directory / "lode.db").open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(os.urandom(4096))
    inspector.open()
    damage = inspector.damage()
    assert damage
    assert not any("\n" in line or line.startswith("***") for line in damage)


def test_older_newer_and_foreign_databases_are_told_apart(
    directory: Path, inspector: LibraryInspector, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.open(directory).close()
    inspector.open()
    with monkeypatch.context() as later:
        later.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, _next))
        assert inspector.pending() == ("_next",)
    with monkeypatch.context() as earlier:
        earlier.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:1])
        with pytest.raises(StoreError, match="newer Lode"):
            inspector.pending()
    (directory / "other").mkdir()
    run_sql(directory / "other", "CREATE TABLE x (y)")
    with closing(LibraryInspector(directory / "other")) as other, pytest.raises(StoreError, match="not Lode's"):
        other.open()
        other.pending()


def _next(_: object) -> None:
    """A migration that is not there yet."""


def test_a_restored_backup_has_no_log_until_lode_opens_it(store: Store, directory: Path, tmp_path: Path) -> None:
    restored = tmp_path / "restored"
    restored.mkdir()
    store.backup(restored / "lode.db")
    # whether the file itself says that it has a write-ahead log (https://sqlite.org/fileformat.html, 1.3.3)
    assert (restored / "lode.db").read_bytes()[18:20] != b"\x02\x02"
    Store.open(restored).close()
    assert (restored / "lode.db").read_bytes()[18:20] == b"\x02\x02"


def test_a_library_that_is_locked_is_told_and_not_waited_for(store: Store, inspector: LibraryInspector) -> None:
    store.jobs.add(PROFILE, "import", "x")
    store.close()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("INSERT INTO profiles (name, created_at) VALUES ('x', 'y')")
        with pytest.raises(StoreError, match="another program holds"):
            inspector.open()
