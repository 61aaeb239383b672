"""An exception that nobody foresaw, of whatever handler, is told and reported, and the app goes on."""

from __future__ import annotations

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
from tests.screens.driving import assert_is_clean, keep_clips, opened, table, toasts, until, until_rows, until_told
from tui.app import LodeApp
from tui.config import Settings
from tui.screens.dialogs.questions import Confirm
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
    "a callback of a widget": lambda app: table_of(app).call_later(broken),
    "a callback after a message": lambda app: table_of(app).call_next(broken),
    "a callback after drawing": lambda app: app.screen.call_after_refresh(broken),
    "a timer": lambda app: app.set_timer(0.01, broken),
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
    await keep_clips(service, {"Zug": "Der Zug.", "Haus": "Das Haus."})
    async with opened(service, section="3", rows=2) as pilot:
        assert isinstance(pilot.app, LodeApp)
        BREAKS[name](pilot.app)
        await until_told(pilot, TOLD)
        await until(pilot, lambda: isinstance(pilot.app.screen, ClipsScreen))
        assert_is_clean(pilot)
        await pilot.press("j")
        await until(pilot, lambda: table(pilot).cursor_row == 1)
        await pilot.press("1")
        await until(pilot, lambda: pilot.app.current_mode == "files")
    texts = reports.take()
    assert texts
    for report in texts:
        assert "builtins.ZeroDivisionError" in report
        assert "tests.screens.shell.test_exceptions:" in report
        assert "Textual 8." in report
        for private in (SECRET, "anna", "sk-secret", str(settings.home), "Zug"):
            assert private not in report


async def test_a_widget_goes_on_after_its_handler_broke(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, reports: Reports
) -> None:
    await keep_clips(service, {"Zug": "Der Zug.", "Haus": "Das Haus."})
    async with opened(service, section="3", rows=2) as pilot:
        with monkeypatch.context() as patched:
            patched.setattr(ClipsScreen, "_names_of", broken)
            await pilot.press("d")
            await until_told(pilot, TOLD)
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
    assert len(reports.take()) == 1


async def test_the_same_fault_again_and_again_is_told_and_reported_once(
    service: LocalService, reports: Reports
) -> None:
    async with opened(service) as pilot:
        for _ in range(4):
            pilot.app.call_later(broken)
            await pilot.pause()
        await until_told(pilot, TOLD)
        assert len(toasts(pilot)) == 1
        assert isinstance(pilot.app.screen, FilesScreen)
    assert len(reports.take()) == 1


async def come(holds: Callable[[], object]) -> None:
    """As ``until``, which draws the screen itself, and would meet the fault."""
    while not holds():
        await asyncio.sleep(0.01)


async def test_a_section_that_keeps_failing_is_left_and_made_anew_when_it_is_chosen_again(
    service: LocalService, reports: Reports
) -> None:
    await keep_clips(service, {"Zug": "Der Zug."})
    async with opened(service, section="3", rows=1) as pilot:
        failing = pilot.app.screen
        pilot.app.screen.mount(Undrawn("x"))
        await come(lambda: pilot.app.current_mode == "files")
        await until_told(pilot, TOLD)
        assert len(toasts(pilot)) == 1
        await pilot.press("3")
        await until_rows(pilot, 1)
        assert pilot.app.screen is not failing
        assert_is_clean(pilot)
    assert reports.take()


async def test_a_dialog_that_keeps_failing_is_left_for_what_it_lies_over(
    service: LocalService, reports: Reports
) -> None:
    async with opened(service) as pilot:
        answers: list[object] = []
        question = Confirm("Delete?")
        await pilot.app.push_screen(question, answers.append)
        question.mount(Undrawn("x"))
        await come(lambda: isinstance(pilot.app.screen, FilesScreen))
        await until(pilot, lambda: answers == [None])
        await until_told(pilot, TOLD)
    assert reports.take()


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
    (report,) = reports.take()
    assert SECRET not in report


def test_reports_are_few_and_small(tmp_path: Path, reports: Reports) -> None:
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
    reports.take()


def test_a_report_that_cannot_be_written_is_none(tmp_path: Path, reports: Reports) -> None:
    (tmp_path / crash_reports.DIRECTORY).write_text("in the way")
    assert crash_reports.write(tmp_path, ValueError()) is None
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
