"""Bad input and bad places, in the command line and in the app: one clear error with its next step, nothing lost.

The tests of the store, the import, the command line and the screens hold most of it, each at its place; here stands
what they leave open, all of it with the real app on a real library.
"""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.cli import conftest as command_line
from tests.cli.conftest import Done, Lode
from tests.screens.driving import (
    add_files,
    assert_is_clean,
    keep_clips,
    lines,
    opened,
    paste_prompt,
    shows,
    table,
    toasts,
    type_text,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tui.app import LodeApp
from tui.config import ProviderSettings, Settings
from tui.records import NewTemplate
from tui.screens.clip_form import ClipForm
from tui.screens.dialogs import PathPrompt
from tui.service.local import LocalService
from tui.store import Store
from tui.widgets.prompt_editor import PromptEditor
from tui.widgets.text_fields import LineField, TextField

lode = command_line.lode
story = command_line.story

READ_ONLY = "can only be read"
HELD = "another program holds the database"
FULL = "the disk failed or is full"


# Places that are bad


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
    """No file can grow beyond ``free`` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def make_newer(home: Path) -> bytes:
    """The library as a later Lode leaves it; its bytes."""
    Store.open(home).close()
    with closing(sqlite3.connect(home / "lode.db")) as database, database:
        database.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
            "SELECT migration_set, 'm999_later', applied_at FROM _sqlite_migrations LIMIT 1"
        )
    return (home / "lode.db").read_bytes()


# The command line


def assert_one_error(done: Done, cause: str) -> None:
    """It failed with one line that says why and one that says what next, and nothing else."""
    assert (done.code, done.out) == (1, "")
    error, hint = done.err.splitlines()
    assert error.startswith(("error: ", "refused  "))
    assert cause in error
    assert hint.startswith("hint: ")
    assert len(hint) > len("hint: ")


def test_a_directory_without_subtitles_is_one_error(lode: Lode, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "cat.png").write_bytes(b"\x89PNG")
    assert_one_error(lode("add", str(tmp_path / "pictures")), "pictures")
    assert lode("jobs", "list", "--json").json() == []


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\x7fELF\x02\x01\x01" + bytes(200)], ids=["empty", "blank", "ELF"])
def test_a_file_that_holds_no_subtitles_is_one_error_and_leaves_only_its_job(
    lode: Lode, home: Path, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "story.srt"
    path.write_bytes(content)
    assert_one_error(lode("add", str(path)), "story.srt")
    assert lode("files", "list", "--json").json() == lode("transcripts", "list", "--json").json() == []
    assert not [blob for blob in (home / "blobs").rglob("*") if blob.is_file()]


@pytest.mark.parametrize(
    "args", [["clips", "list"], ["add", "--samples"], ["undo"], ["template", "show"], ["explain", "Bestimmt."]]
)
def test_a_library_of_a_newer_lode_is_one_error_and_stays_as_it_is(lode: Lode, home: Path, args: list[str]) -> None:
    before = make_newer(home)
    assert_one_error(lode(*args), "was written by a newer Lode")
    assert (home / "lode.db").read_bytes() == before


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


@pytest.mark.usefixtures("impatient")
def test_a_library_that_another_program_has_for_itself_is_one_error(lode: Lode, home: Path) -> None:
    Store.open(home).close()
    with held(home, "EXCLUSIVE"):
        assert_one_error(lode("clips", "list"), HELD)
    assert lode("clips", "list").code == 0


def test_a_read_only_library_can_be_read_and_asked_but_what_writes_is_one_error(
    lode: Lode, story: Path, request: pytest.FixtureRequest
) -> None:
    assert lode("add", str(story)).code == 0
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
    assert (done.code, done.err) == (0, "")
    assert "1 time in your library" in done.out


@pytest.mark.parametrize("free", [1_000, 40_000, 60_000])
def test_a_full_disk_is_one_error_and_loses_nothing(lode: Lode, home: Path, story: Path, free: int) -> None:
    """With little room left not even the failure of the job can be recorded: it is told all the same."""
    assert lode("template", "set", "--prompt", "old {{ focus }}").code == 0
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


# The app


async def until_said(pilot: Pilot[None], *parts: str) -> None:
    """Until the parts stand on the screen, wrapped or not, or have been notified."""

    def said() -> bool:
        everything = "".join("".join((*lines(pilot), *toasts(pilot))).split())
        return all("".join(part.split()) in everything for part in parts)

    await until(pilot, said)
    assert_is_clean(pilot)
    assert not shows(pilot, "Traceback")


async def quits(pilot: Pilot[None]) -> None:
    await pilot.press("q")
    await until(pilot, lambda: not pilot.app.is_running)
    assert pilot.app.return_code == 0


async def offer(pilot: Pilot[None], paths: str) -> None:
    """Type paths into the question which files to add, and take them."""
    await pilot.press("1", "a")
    await until(pilot, lambda: isinstance(pilot.app.screen, PathPrompt) and pilot.app.focused is not None)
    await type_text(pilot, paths)
    await pilot.press("enter")


def typed_path(pilot: Pilot[None]) -> str:
    return pilot.app.focused.value if isinstance(pilot.app.focused, Input) else ""


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


async def test_a_directory_without_subtitles_is_explained_where_it_was_typed(
    service: LocalService, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "pictures").mkdir()
    async with opened(service, settings) as pilot:
        await offer(pilot, str(tmp_path / "pictures"))
        await until_said(pilot, "no subtitles")
        await until(pilot, lambda: typed_path(pilot) == str(tmp_path / "pictures"))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, PathPrompt))
        assert (await service.jobs.page()).total == 0
        await quits(pilot)


@pytest.mark.parametrize(
    ("content", "reason"), [(b"", "empty"), (b"\x7fELF\x02\x01\x01" + bytes(200), "program")], ids=["empty", "binary"]
)
async def test_a_file_without_subtitles_is_told_and_its_job_says_why_and_what_next(
    service: LocalService, settings: Settings, tmp_path: Path, content: bytes, reason: str
) -> None:
    (tmp_path / "story.srt").write_bytes(content)
    async with opened(service, settings, (120, 30)) as pilot:
        await offer(pilot, str(tmp_path / "story.srt"))
        await until_told(pilot, "1 refused: see Jobs")
        await pilot.press("6")
        await until_rows(pilot, 1)
        await pilot.press("enter")
        await until_shown(pilot, "import · failed")
        (job,) = (await service.jobs.page()).items
        assert job.error is not None
        cause, hint = job.error.split("\n")
        assert reason in cause
        await until_said(pilot, cause, hint)
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "import · failed"))
        await quits(pilot)


async def test_a_provider_that_is_gone_from_the_settings_is_named_where_it_is_needed(
    settings: Settings, tmp_path: Path
) -> None:
    work = ProviderSettings("work", "openai", "http://127.0.0.1:9")
    before = LocalService(replace(settings, providers=(work,)))
    await before.template.save(NewTemplate("work:large", "Explain {{ focus }}", ""))
    await add_files(before, tmp_path / "films", "zug.srt")
    await before.close()
    service = LocalService(settings, environ={})
    async with opened(service, settings, (120, 30)) as pilot:
        await until_rows(pilot, 1)
        await pilot.press("enter")
        await until_shown(pilot, "Hoffentlich fährt er")
        await pilot.press("enter")
        await until_said(pilot, "unknown provider 'work'", "there are lexicon")
        assert shows(pilot, "Hoffentlich fährt er überhaupt noch ab."), "the sentence stays"
        await pilot.press("4")
        await until_shown(pilot, "Preview")
        await pilot.press("f2")
        await until_said(pilot, "no provider 'work'")
        await pilot.press("escape")
        kept = await service.template.get()
        assert kept is not None
        assert kept.model == "work:large"
        await quits(pilot)


@pytest.mark.parametrize(
    ("prompt", "said", "hint"),
    [
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "the template calls itself without end", "let it end"),
        (
            f"{'{% for a in sentence %}' * 9}{'{% endfor %}' * 9}",
            "the template takes longer than",
            "look for a loop without end",
        ),
        ("{% for a in sentence %}{{ focus }}", "line 1, column", "write {% endfor %}"),
    ],
    ids=["calls", "loops", "open"],
)
async def test_a_template_without_end_is_refused_in_the_form_and_stays_there_as_it_was_typed(
    service: LocalService, settings: Settings, prompt: str, said: str, hint: str
) -> None:
    async with opened(service, settings) as pilot:
        await pilot.press("4")
        await until_shown(pilot, "≈")  # the first preview
        await paste_prompt(pilot, prompt)
        await until_said(pilot, said, hint)
        await pilot.press("f2")
        await pilot.app.workers.wait_for_complete()
        await until_said(pilot, said, hint, "unsaved changes")
        assert pilot.app.screen.query_one(PromptEditor).text == prompt
        assert await service.template.get() is None
        await pilot.press("escape", "q")
        await until_shown(pilot, "The template has unsaved changes.")
        await pilot.press("d")
        await until(pilot, lambda: not pilot.app.is_running)


@pytest.mark.usefixtures("impatient")
async def test_in_a_locked_library_everything_typed_stays_until_it_can_be_saved(
    service: LocalService, settings: Settings, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "neu.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nBestimmt.\n", "utf-8")
    await keep_clips(service, {"fährt": "Hoffentlich fährt er überhaupt noch ab."})
    async with opened(service, settings, (120, 30)) as pilot:
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


@pytest.mark.usefixtures("impatient")
async def test_a_library_that_another_program_has_for_itself_is_explained_and_r_tries_again(
    service: LocalService, settings: Settings, home: Path
) -> None:
    Store.open(home).close()
    with held(home, "EXCLUSIVE"):
        async with LodeApp(service, settings).run_test(size=(80, 24), notifications=True) as pilot:
            await until_said(pilot, HELD, "close it there", "r   tries again", "q   quits")
            await quits(pilot)


async def test_a_read_only_library_can_be_walked_through_and_says_why_nothing_can_be_kept(
    settings: Settings, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    before = LocalService(settings)
    await add_files(before, tmp_path / "films", "zug.srt")
    await keep_clips(before, {"fährt": "Hoffentlich fährt er überhaupt noch ab."})
    await before.close()
    request.getfixturevalue("cannot_write")
    service = LocalService(settings, environ={})
    async with opened(service, settings, (120, 30)) as pilot:
        await until_rows(pilot, 1)
        await pilot.press("enter")
        await until_shown(pilot, "Bestimmt, der letzte Zug ist zug.")
        await pilot.press("c")
        await until_told(pilot, READ_ONLY)
        await pilot.press("enter")
        await until_shown(pilot, "· done ·")
        form = await edit_first_clip(pilot, "at the station")
        await until_said(pilot, READ_ONLY, "writable")
        assert form.query_one("#note", TextField).text == "at the station"
        await pilot.press("q", "escape")
        await until_shown(pilot, "This clip has unsaved changes.")
        await pilot.press("d")
        await until(pilot, lambda: pilot.app.screen is not form)
        await pilot.press("u")
        await until(pilot, lambda: sum(READ_ONLY in toast for toast in toasts(pilot)) >= 2)
        await quits(pilot)


async def test_on_a_full_disk_everything_typed_stays_until_there_is_room_again(
    service: LocalService, settings: Settings, tmp_path: Path
) -> None:
    await add_files(service, tmp_path / "films", "zug.srt")
    await keep_clips(service, {"fährt": "Hoffentlich fährt er überhaupt noch ab."})
    (tmp_path / "neu.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nBestimmt.\n", "utf-8")
    async with opened(service, settings, (120, 30)) as pilot:
        await until_rows(pilot, 1)
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


async def test_what_was_typed_outlives_a_terminal_that_is_too_small_for_a_while(
    service: LocalService, settings: Settings
) -> None:
    await keep_clips(service, {"fährt": "Hoffentlich fährt er überhaupt noch ab."})
    async with opened(service, settings, (80, 24)) as pilot:
        await pilot.press("3")
        await until_rows(pilot, 1)
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


async def test_a_terminal_that_is_too_small_can_be_quit_at_once(service: LocalService, settings: Settings) -> None:
    async with opened(service, settings) as pilot:
        await pilot.resize_terminal(50, 10)
        await until_shown(pilot, "this terminal is 50×10")
        await quits(pilot)
