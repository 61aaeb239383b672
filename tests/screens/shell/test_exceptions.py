"""An exception that nobody foresaw, of whatever handler, is told and reported, and the app goes on."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Static

from tests.conftest import Reports
from tests.hostile import FORBIDDEN
from tests.screens.driving import assert_is_clean, opened, press_until, table, toasts, until, until_shown, until_told
from tui.app import LodeApp
from tui.config import Settings
from tui.screens.dialogs import path_prompt
from tui.screens.dialogs.questions import Confirm, TextPrompt
from tui.screens.lists.clips import ClipsScreen
from tui.screens.lists.files import FilesScreen
from tui.service.local import LocalService
from tui.system import crash_reports
from tui.widgets.table.record_table import RecordTable

pytestmark = pytest.mark.exhaustive

SECRET = "Hoffentlich fährt er ab"
TOLD = "unexpected ZeroDivisionError"


def broken(*_: Any, **__: Any) -> Any:
    sentence = SECRET
    raise ZeroDivisionError(f"{sentence} /home/anna/films sk-secret")


async def broken_later(*_: Any, **__: Any) -> Any:
    broken()


class Unmade(ModalScreen[None]):
    """A screen that can't be composed."""

    def compose(self) -> ComposeResult:
        broken()
        yield Static()


class Unmounted(ModalScreen[None]):
    """A screen that can't be mounted."""

    def compose(self) -> ComposeResult:
        yield Static()

    def on_mount(self) -> None:
        broken()


class Undrawn(Static):
    """A widget that can't be drawn."""

    def render_line(self, y: int) -> Strip:
        raise ZeroDivisionError(SECRET)


async def work(app: LodeApp) -> None:
    app.run_worker(broken_later(), exit_on_error=True)


Break = Callable[[LodeApp], Any]
BREAKS: dict[str, Break] = {
    "an action": lambda app: app.call_later(app.run_action, "copy", app.screen),
    "a callback": lambda app: app.call_later(broken),
    "a callback after a message": lambda app: table_of(app).call_next(broken),
    "a callback after drawing": lambda app: app.screen.call_after_refresh(broken),
    "a timer of a widget": lambda app: table_of(app).set_timer(0.01, broken),
    "a worker that would end the app": lambda app: app.call_later(work, app),
    "a dialog that can't be made": lambda app: app.call_later(app.push_screen, Unmade()),
    "a dialog that can't be mounted": lambda app: app.call_later(app.push_screen, Unmounted()),
    "a dialog's answer": lambda app: app.call_later(push_and_answer, app),
}


def table_of(app: LodeApp) -> RecordTable[Any]:
    return app.screen.query_one(RecordTable)


def push_and_answer(app: LodeApp) -> None:
    question = Confirm("Delete?")
    app.push_screen(question, broken)

    def answer() -> None:
        question.dismiss(True)

    question.call_later(answer)


@pytest.mark.parametrize("name", BREAKS)
async def test_what_breaks_is_told_and_reported_and_everything_goes_on(
    service: LocalService, settings: Settings, monkeypatch: pytest.MonkeyPatch, reports: Reports, name: str
) -> None:
    monkeypatch.setattr(ClipsScreen, "action_copy", broken)
    async with opened(service, clips={"Zug": "Der Zug.", "Haus": "Das Haus."}, section="3", rows=2) as pilot:
        assert isinstance(pilot.app, LodeApp)
        BREAKS[name](pilot.app)
        await until_told(pilot, TOLD)
        await until(pilot, lambda: isinstance(pilot.app.screen, ClipsScreen))
        assert_is_clean(pilot)
        await press_until(pilot, "j", holds=lambda: table(pilot).cursor_row == 1)
        await press_until(pilot, "1", holds=lambda: pilot.app.current_mode == "files")
    texts = reports.take()
    assert texts
    for report in texts:
        assert "builtins.ZeroDivisionError" in report
        assert "tests.screens.shell.test_exceptions:" in report
        assert "Textual 8." in report
        for private in (SECRET, "anna", "sk-secret", str(settings.home), "Zug"):
            assert private not in report


async def test_the_same_fault_again_is_told_and_reported_once(service: LocalService, reports: Reports) -> None:
    async with opened(service) as pilot:
        for _ in range(4):
            pilot.app.call_later(broken)
            await pilot.pause()
        await until_told(pilot, TOLD)
        assert len(toasts(pilot)) == 1
        assert isinstance(pilot.app.screen, FilesScreen)
    assert len(reports.take()) == 1


async def test_a_defect_behind_the_app_a_dialog_or_a_screen_is_told_as_text_and_below_an_answer_that_it_broke(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, reports: Reports
) -> None:
    def break_down(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("[b]a \x1b[31mdefect\x1b[0m[/\x07")

    async def broken_down(*_: Any, **__: Any) -> Any:
        break_down()

    async with opened(service, files=("zug.srt",), rows=1) as pilot:
        for keys, owner, name in (
            (("u",), service, "undo"),
            (("a",), path_prompt, "complete"),
            (("escape", "enter"), service.transcripts, "cues"),
            (("c",), service.clips, "keep"),
        ):
            pilot.app.clear_notifications()
            with monkeypatch.context() as patched:
                patched.setattr(owner, name, break_down if owner is path_prompt else broken_down)
                await press_until(pilot, *keys, told=f"{TOLD}: [b]a defect[/")
            await until_shown(pilot, TOLD)
            assert_is_clean(pilot)
            assert not set("".join(toasts(pilot))) & set(FORBIDDEN)
            if name == "cues":
                await press_until(pilot, "escape", "enter", shown="Hoffentlich")
        pilot.app.clear_notifications()
        monkeypatch.setattr(service.llm, "breakdown", break_down)
        await press_until(pilot, "enter", shown="the answer broke off: [b]a defect[/")
        await pilot.pause()
        assert not toasts(pilot)
    texts = reports.take()
    assert len(texts) == 4
    assert not any("a defect" in text for text in texts)


async def come(holds: Callable[[], object]) -> None:
    """As ``until``, which draws the screen itself, and would meet the fault."""
    while not holds():
        await asyncio.sleep(0.01)


async def test_a_section_that_keeps_failing_is_left_and_made_anew(service: LocalService, reports: Reports) -> None:
    async with opened(service, clips={"Zug": "Der Zug."}, section="3", rows=1) as pilot:
        failing = pilot.app.screen
        pilot.app.screen.mount(Undrawn("x"))
        await come(lambda: pilot.app.current_mode == "files")
        await until_told(pilot, TOLD)
        assert len(toasts(pilot)) == 1
        await press_until(pilot, "3", rows=1)
        assert pilot.app.screen is not failing
        assert_is_clean(pilot)
    assert reports.take()


async def test_a_dialog_that_keeps_failing_is_left(service: LocalService, reports: Reports) -> None:
    async with opened(service) as pilot:
        answers: list[object] = []
        question = Confirm("Delete?")
        await pilot.app.push_screen(question, answers.append)
        question.mount(Undrawn("x"))
        await come(lambda: isinstance(pilot.app.screen, FilesScreen))
        await until(pilot, lambda: answers == [None])
        await until_told(pilot, TOLD)
    assert reports.take()


@pytest.mark.parametrize("dialog", [TextPrompt, Confirm])
async def test_an_end_while_a_dialog_opens_is_no_fault(
    service: LocalService, reports: Reports, dialog: Callable[[str], ModalScreen[Any]]
) -> None:
    async with opened(service) as pilot:

        def open_and_end() -> None:
            pilot.app.push_screen(dialog("What now?"))
            pilot.app.exit()

        pilot.app.call_later(open_and_end)
    assert not reports.faults


async def test_lode_ends_in_order_where_nothing_works_any_more(service: LocalService, reports: Reports) -> None:
    async with opened(service) as pilot:
        pilot.app.screen.mount(Undrawn("x"))
        await come(lambda: not pilot.app.is_running)
        assert pilot.app.return_code == 1
    assert reports.take()


async def test_a_start_that_fails_ends_with_1_and_a_report(
    service: LocalService, settings: Settings, monkeypatch: pytest.MonkeyPatch, reports: Reports
) -> None:
    monkeypatch.setattr(FilesScreen, "columns", broken)
    app = LodeApp(service, settings)
    with pytest.raises(ZeroDivisionError):  # the pilot raises what ended the app
        async with app.run_test() as pilot:
            await come(lambda: not pilot.app.is_running)
    assert app.return_code == 1
    written = reports.take()  # of each part of the start that asked for the columns
    assert written and not any(SECRET in report for report in written)


def test_reports_are_few_and_small_or_none(tmp_path: Path, reports: Reports) -> None:
    def endless(depth: int) -> None:
        endless(depth + 1)

    for _ in range(25):
        try:
            endless(0)
        except RecursionError as error:
            assert crash_reports.write(tmp_path, error) is not None
    written = crash_reports.list_reports(tmp_path)
    assert len(written) == 20
    assert max(path.stat().st_size for path in written) < 10_000
    (tmp_path / "full" / crash_reports.DIRECTORY).parent.mkdir()
    (tmp_path / "full" / crash_reports.DIRECTORY).write_text("in the way")
    assert crash_reports.write(tmp_path / "full", ValueError()) is None
    reports.take()


def test_a_report_names_every_exception_of_a_chain_and_a_group(tmp_path: Path, reports: Reports) -> None:
    try:
        try:
            broken()
        except ZeroDivisionError as cause:
            raise ExceptionGroup(SECRET, [KeyError(SECRET), OSError(SECRET)]) from cause
    except ExceptionGroup as error:
        path = crash_reports.write(tmp_path, error)
    assert path is not None
    text = path.read_text("utf-8")
    names = ["builtins.ZeroDivisionError", "builtins.ExceptionGroup", "builtins.KeyError", "builtins.OSError"]
    assert [name for name in names if name in text] == names
    assert SECRET not in text
    reports.take()
