"""Bad places: a library that is locked, read-only, newer or on a full disk, and a terminal that is too small.

One clear error with its next step in the command line and in the app, and nothing that was typed or kept is lost. The
tests of the store hold the causes one by one; here stands what the user sees, with the real app on a real library.
"""

from __future__ import annotations

import resource
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.cli import conftest as command_line
from tests.cli.conftest import Lode
from tests.faults.refusals import assert_one_error, offer, quits, typed_path, until_said
from tests.screens.driving import (
    add_files,
    assert_is_clean,
    keep_clips,
    opened,
    shows,
    table,
    until,
    until_shown,
    until_told,
)
from tui.app import LodeApp
from tui.config import Settings
from tui.screens.forms.clip_form import ClipForm
from tui.service.local import LocalService
from tui.store import Store
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.forms.text_fields import LineField

pytestmark = pytest.mark.exhaustive

lode = command_line.lode
story = command_line.story

READ_ONLY = "can only be read"
HELD = "another program holds the database"
FULL = "the disk failed or is full"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores wait for another program for a moment only."""
    real_open = Store.open
    monkeypatch.setattr(Store, "open", lambda directory: real_open(directory, busy_seconds=0.05))


@pytest.fixture
def cannot_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores are opened as they are where the user may not write; permissions would not stop root."""
    monkeypatch.setattr("tui.store.store._can_be_written", lambda path: False)


@contextmanager
def held(home: Path, lock: str = "IMMEDIATE") -> Iterator[None]:
    """Another program is in the middle of writing."""
    with closing(sqlite3.connect(home / "lode.db", isolation_level=None)) as connection:
        if lock == "EXCLUSIVE":
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute(f"BEGIN {lock}")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def full_disk(free: int) -> Iterator[None]:
    """No file can grow beyond ``free`` bytes.

    Python would keep half a compiled module, of any that is imported meanwhile, and be unable to read it later.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    compiles, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = compiles


def make_newer(home: Path) -> bytes:
    """The library as a later Lode leaves it; its bytes."""
    Store.open(home).close()
    with closing(sqlite3.connect(home / "lode.db")) as database, database:
        database.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
            "SELECT migration_set, 'm999_later', applied_at FROM _sqlite_migrations LIMIT 1"
        )
    return (home / "lode.db").read_bytes()


async def edit_first_clip(pilot: Pilot[None], note: str) -> ClipForm:
    """Type a note into the form of the newest clip and save."""
    await pilot.press("3")
    await until(pilot, lambda: table(pilot).current is not None)
    await pilot.press("E")
    await until(pilot, lambda: isinstance(pilot.app.screen, ClipForm))
    form = pilot.app.screen
    assert isinstance(form, ClipForm)
    form.query_one("#note", TextField).load_text(note)
    await pilot.press("f2")
    return form


def test_a_library_of_a_newer_lode_is_one_error_and_stays_as_it_is(lode: Lode, home: Path) -> None:
    before = make_newer(home)
    for args in (["clips", "list"], ["add", "--samples"], ["undo"], ["explain", "Bestimmt."]):
        assert_one_error(lode(*args), "was written by a newer Lode")
    assert (home / "lode.db").read_bytes() == before


@pytest.mark.usefixtures("impatient")
async def test_a_library_that_cannot_be_opened_is_explained_in_place_of_the_list(
    settings: Settings, home: Path
) -> None:
    Store.open(home).close()
    with held(home, "EXCLUSIVE"):
        async with LodeApp(LocalService(settings), settings).run_test(size=(80, 24), notifications=True) as pilot:
            await until_said(pilot, HELD, "close it there", "r   tries again", "q   quits")
            await quits(pilot)
    make_newer(home)
    async with LodeApp(LocalService(settings), settings).run_test(size=(160, 24)) as pilot:
        await until_said(pilot, "was written by a newer Lode", "update Lode", "q   quits")
        assert not table(pilot).display
        await quits(pilot)


@pytest.mark.usefixtures("impatient")
def test_a_locked_library_can_be_read_but_what_writes_is_one_error(lode: Lode, home: Path, story: Path) -> None:
    assert lode("add", str(story)).code == 0
    (file,) = lode("files", "list", "--json").json()
    with held(home):
        assert [found["id"] for found in lode("files", "list", "--json").json()] == [file["id"]]
        for args in (
            ["add", "--samples"],
            ["files", "delete", file["id"]],
            ["template", "set", "--prompt", "mine {{ focus }}"],
        ):
            assert_one_error(lode(*args), HELD)
        assert lode("explain", "Der Zug fährt ab.").code == 0, "an answer needs no history"
    assert [found["id"] for found in lode("files", "list", "--json").json()] == [file["id"]]
    assert lode("template", "show", "--json").json()["created_at"] is None
    assert lode("files", "delete", file["id"]).code == 0
    with held(home, "EXCLUSIVE"):
        assert_one_error(lode("clips", "list"), HELD)
    assert lode("clips", "list").code == 0


def test_what_writes_where_all_is_read_only_is_an_error(
    lode: Lode, story: Path, request: pytest.FixtureRequest
) -> None:
    assert lode("add", str(story)).code == 0
    (transcript,) = lode("transcripts", "list", "--json").json()
    assert lode("transcripts", "edit", transcript["id"], "--title", "A train").code == 0  # which undo would take back
    request.getfixturevalue("cannot_write")
    (file,) = lode("files", "list", "--json").json()
    for args in (
        ["add", "--samples"],
        ["files", "delete", file["id"]],
        ["template", "set", "--prompt", "mine {{ focus }}"],
        ["undo"],
    ):
        assert_one_error(lode(*args), READ_ONLY)
    done = lode("breakdown", "Der Zug fährt ab.", "--focus", "Zug")
    assert (done.code, "error" in done.err) == (0, False)
    assert "1 time in your library" in done.out


def test_a_full_disk_is_one_error_and_loses_nothing(lode: Lode, home: Path, story: Path) -> None:
    """With little room left not even the failure of the job can be recorded: it is told all the same."""
    assert lode("template", "set", "--prompt", "old {{ focus }}").code == 0
    for free in (1_000, 40_000, 60_000):
        with full_disk(free):
            assert_one_error(lode("add", str(story)), FULL)
        assert lode("files", "list", "--json").json() == lode("transcripts", "list", "--json").json() == []
    with full_disk(1_000):
        assert_one_error(lode("template", "set", "--prompt", "new {{ focus }}"), FULL)
        assert_one_error(lode("backup", str(home / "copy.db")), "")
    assert not list(home.glob("*copy.db*"))
    assert lode("template", "show", "--json").json()["prompt"] == "old {{ focus }}"
    assert lode("add", str(story)).code == 0
    with closing(sqlite3.connect(home / "lode.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.usefixtures("impatient")
async def test_in_a_locked_library_what_is_typed_stays_typed(service: LocalService, home: Path, tmp_path: Path) -> None:
    (tmp_path / "neu.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nBestimmt.\n", "utf-8")
    await keep_clips(service, {"fährt": "Hoffentlich fährt er überhaupt noch ab."})
    async with opened(service, (120, 30)) as pilot:
        with held(home):
            form = await edit_first_clip(pilot, "at the station")
            await until_said(pilot, HELD, "close it there")
        assert form.query_one("#note", TextField).text == "at the station"
        await pilot.press("f2")
        await until(pilot, lambda: pilot.app.screen is not form)
        assert [clip.note for clip in (await service.clips.page()).items] == ["at the station"]

        with held(home):
            await pilot.press("d")
            await until_shown(pilot, "Delete this clip")
            await pilot.press("y")
            await until_told(pilot, HELD)
            assert shows(pilot, "Hoffentlich fährt er")
            await offer(pilot, str(tmp_path / "neu.srt"))
            await until_said(pilot, HELD)
            await until(pilot, lambda: typed_path(pilot) == str(tmp_path / "neu.srt"))
        await pilot.press("enter")
        await until_told(pilot, "1 imported")
        await quits(pilot)


async def test_on_a_full_disk_what_was_typed_stays_until_there_is_room(service: LocalService, tmp_path: Path) -> None:
    await add_files(service, "zug.srt")
    await keep_clips(service, {"fährt": "Hoffentlich fährt er überhaupt noch ab."})
    (tmp_path / "neu.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nBestimmt.\n", "utf-8")
    async with opened(service, (120, 30), rows=1) as pilot:
        with full_disk(1_000):
            await pilot.press("enter")
            await until_shown(pilot, "Bestimmt, der letzte Zug ist zug.")
            await pilot.press("c")
            await until_told(pilot, FULL)
            await pilot.press("enter")
            await until_shown(pilot, "· done ·")
            await offer(pilot, str(tmp_path / "neu.srt"))
            await until_said(pilot, FULL)
            await until(pilot, lambda: typed_path(pilot) == str(tmp_path / "neu.srt"))
            await pilot.press("escape")
            form = await edit_first_clip(pilot, "at the station")
            await until_said(pilot, FULL)
        assert form.query_one("#note", TextField).text == "at the station"
        await pilot.press("f2")
        await until(pilot, lambda: pilot.app.screen is not form)
        assert [clip.note for clip in (await service.clips.page()).items] == ["at the station"]
        await quits(pilot)


async def test_what_was_typed_outlives_a_terminal_that_is_too_small_for_a_while(service: LocalService) -> None:
    await keep_clips(service, {"fährt": "Hoffentlich fährt er überhaupt noch ab."})
    async with opened(service, section="3", rows=1) as pilot:
        await pilot.press("E")
        await until(pilot, lambda: isinstance(pilot.app.screen, ClipForm))
        form = pilot.app.screen
        form.query_one("#focus", LineField).focus()
        await pilot.press("end", "X")
        await pilot.resize_terminal(50, 10)
        await until_shown(pilot, "this terminal is 50×10")
        assert_is_clean(pilot)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: pilot.app.screen is form)
        await until_shown(pilot, "fährtX")
        await pilot.press("Y")
        assert form.query_one("#focus", LineField).value == "fährtXY"
        await pilot.resize_terminal(50, 10)
        await until_shown(pilot, "this terminal is 50×10")
        await pilot.press("q")
        await until_shown(pilot, "This clip has unsaved changes.")
        await pilot.press("s")
        await until(pilot, lambda: not pilot.app.is_running)


async def test_a_terminal_that_is_too_small_can_be_quit_at_once(service: LocalService) -> None:
    async with opened(service) as pilot:
        await pilot.resize_terminal(50, 10)
        await until_shown(pilot, "this terminal is 50×10")
        await quits(pilot)
