"""A library of which any byte was flipped is said to be damaged, or works; nothing crashes, hangs or copies it."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli import conftest as command_line
from tests.cli.conftest import Lode
from tests.faults.damaged_library import flipped, flips, small_library
from tests.screens.driving import assert_is_clean
from tui.app import LodeApp
from tui.config import Settings
from tui.service.doctor.checks import CheckStopped, FullCheck
from tui.service.local import LocalService
from tui.store import Store
from tui.store.inspector import LibraryInspector

pytestmark = pytest.mark.exhaustive

lode = command_line.lode

UNSAID = ("unexpected", "cannot be looked at", "Traceback")
DAMAGED_INDEX = "row 1 missing from index clips_profile"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return small_library(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def put(home: Path) -> Callable[[bytes], Path]:
    """Put a database in the home's place."""

    def put(content: bytes) -> Path:
        for path in home.glob("lode.db*"):
            path.unlink()
        (home / "lode.db").write_bytes(content)
        return home

    return put


def lose_rows_of_an_index(path: Path) -> None:
    """What a disk that lost a write leaves: an index without the first rows of its table."""
    change = "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = 'clips_profile'"
    for old, new in (("(profile)", "(profile) WHERE seq > 20"), ("(profile) WHERE seq > 20", "(profile)")):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute(change, (old, new))
        with closing(sqlite3.connect(path)) as connection, connection:
            if "WHERE" in new:
                connection.execute("REINDEX clips_profile")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)


def test_whatever_byte_is_flipped_every_command_says_so_or_works(
    lode: Lode, put: Callable[[bytes], Path], whole: bytes, tmp_path: Path
) -> None:
    deck, copy = tmp_path / "deck.apkg", tmp_path / "copy.db"
    for at, bit in flips(whole, 12, 1):
        put(flipped(whole, at, bit))
        for command in (
            *(["clips", "list", "--json"], ["clips", "list", "--search", "zug"], ["transcripts", "list"]),
            *(["files", "list"], ["history", "list"], ["jobs", "list"], ["template", "show"], ["usage"], ["undo"]),
            *(["export", str(deck)], ["backup", str(copy)], ["doctor"], ["doctor", "--full"]),
        ):
            done = lode(*command)
            assert not any(word in done.err + done.out for word in UNSAID), (at, bit, command, done)
            assert done.code in (0, 1), (at, bit, command)
            assert done.code == 0 or command[0] == "doctor" or done.err.count("\nhint: ") == 1, (at, bit, command)
        if copy.exists():
            with closing(sqlite3.connect(copy)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",), (at, bit)
            copy.unlink()


async def test_whatever_is_flipped_the_app_lives(
    put: Callable[[bytes], Path], whole: bytes, settings: Settings
) -> None:
    for at, bit in flips(whole, 3, 2):
        put(flipped(whole, at, bit))
        app = LodeApp(LocalService(settings, environ={}), settings)
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            for key in ("2", "enter", "escape", "3", "enter", "escape", "4", "5", "H", "escape", "6", "u"):
                await pilot.press(key)
                await pilot.pause()
            assert app.is_running, (at, bit)
            assert_is_clean(pilot)


def test_damage_in_the_schema_is_called_damage(lode: Lode, put: Callable[[bytes], Path], whole: bytes) -> None:
    for old, new in (
        (b"CREATE TABLE clips", b"CREATE T\xe1BLE clips"),
        (b"_sqlite_migrations", b"_sqlite_migratioms"),
        (b"m003_requests", b"m003_rcquests"),
        (b"sentence TEXT", b"semtence TEXT"),
        (b"USING fts5", b"USING fts7"),
    ):
        assert old in whole
        put(whole.replace(old, new))
        done = lode("clips", "list", "--search", "zug")
        assert (done.code, done.out) == (1, ""), old
        assert "damaged" in done.err.splitlines()[0], (old, done.err)
        assert "backup" in done.err.splitlines()[1]


def test_rows_that_are_missing_from_an_index_are_found_by_the_full_look_keep_a_backup_away_and_are_mended(
    lode: Lode, put: Callable[[bytes], Path], whole: bytes, tmp_path: Path
) -> None:
    home = put(whole)
    lose_rows_of_an_index(home / "lode.db")
    assert "at a quick look" in lode("doctor").out
    full = lode("doctor", "--full")
    assert full.code == 1
    assert DAMAGED_INDEX in full.out
    assert "lode doctor --full --repair" in full.out
    refused = lode("backup", str(tmp_path / "copy.db"))
    assert (refused.code, refused.out) == (1, "")
    assert "no backup is written" in refused.err
    assert DAMAGED_INDEX in refused.err
    assert list(tmp_path.glob("*copy.db*")) == []
    mended = lode("doctor", "--full", "--repair")
    assert "is mended" in " ".join(mended.out.split())
    (before,) = home.glob("lode.db.before-repair-*")
    with closing(sqlite3.connect(before)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == (DAMAGED_INDEX,)
    assert "every row, index, reference and search table is whole" in lode("doctor", "--full").out
    assert lode("backup", str(tmp_path / "copy.db")).code == 0


def test_a_wrong_search_table_and_wrong_bytes_are_found(lode: Lode, put: Callable[[bytes], Path], whole: bytes) -> None:
    home = put(whole)
    with closing(sqlite3.connect(home / "lode.db")) as connection, connection:
        connection.execute("DELETE FROM cues_words_data WHERE id > 10")
    store = Store.open(home)
    blob = store.blobs.path(store.blobs.put(b"Der Zug kommt."))
    store.close()
    blob.write_bytes(b"Der Zug kommt?")
    assert blob.parent.name + blob.name == hashlib.sha256(b"Der Zug kommt.").hexdigest()
    assert lode("doctor").code == 0
    full = lode("doctor", "--full")
    assert full.code == 1
    assert "the search table cues_words does not match its texts" in full.out
    assert "the bytes of 1 imported file are not those that were imported" in full.out
    repaired = lode("doctor", "--full", "--repair")
    assert "is mended" in repaired.out
    blob.write_bytes(b"Der Zug kommt.")
    assert "every row" in lode("doctor", "--full").out
    assert lode("transcripts", "list").code == 0


def test_the_full_look_ends_when_nobody_waits_for_it_any_more(put: Callable[[bytes], Path], whole: bytes) -> None:
    inspector = LibraryInspector(put(whole))
    inspector.open()
    said: list[str] = []
    looking = FullCheck(said.append, repair=False)
    assert looking.integrity(inspector, "").state == "ok"
    assert {text.partition(" … ")[0] for text in said} == {
        "looking at every row and index",
        "looking at the search tables",
    }
    looking.stopped.set()
    with pytest.raises(CheckStopped):
        looking.integrity(inspector, "")
    inspector.close()


def test_a_damaged_library_is_copied_before_a_migration_all_the_same_and_pushes_out_no_whole_copy(
    put: Callable[[bytes], Path], whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tui.store.schema import migrations

    home = put(whole)
    lose_rows_of_an_index(home / "lode.db")
    for number in range(3):
        (home / f"lode.db.before-m00{number}-20200101T000000000000Z").write_bytes(b"whole")
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, m900_later))
    store = Store.open(home)
    assert store.trouble == "the library is damaged: see lode doctor --full"
    store.close()
    assert len(list(home.glob("lode.db.before-*"))) == 4


def m900_later(_: object) -> None:
    """A migration that is not there yet."""
