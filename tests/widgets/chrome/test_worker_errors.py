"""A defect in a worker is told wherever the worker belongs, and the app goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Reports
from tests.hostile import FORBIDDEN
from tests.screens.driving import add_files, assert_is_clean, opened, toasts, until_shown, until_told
from tui.screens.dialogs import path_prompt
from tui.service.local import LocalService
from tui.widgets.transcript.cue_reader import CueReader

TOLD = "unexpected ZeroDivisionError: [b]a defect[/"


def break_down(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("[b]a \x1b[31mdefect\x1b[0m[/\x07")


async def broken(*_: Any, **__: Any) -> Any:
    break_down()


@pytest.mark.exhaustive
async def test_a_defect_behind_the_app_a_screen_or_a_dialog_is_told_and_nothing_stops(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, reports: Reports
) -> None:
    await add_files(service, "zug.srt")
    monkeypatch.setattr(service, "undo", broken)
    monkeypatch.setattr(service.clips, "keep", broken)
    monkeypatch.setattr(path_prompt, "complete", break_down)
    async with opened(service, rows=1) as pilot:
        for keys in (("u",), ("a",), ("escape", "enter")):
            pilot.app.clear_notifications()
            await pilot.press(*keys)
            if keys[-1] == "enter":
                await until_shown(pilot, "Hoffentlich")
                await pilot.press("c")
            await until_told(pilot, TOLD)
            await until_shown(pilot, "unexpected ZeroDivisionError")
            assert_is_clean(pilot)
            assert not set("".join(toasts(pilot))) & set(FORBIDDEN)
        assert pilot.app.is_running
    assert len(reports.take()) == 3


@pytest.mark.exhaustive
async def test_a_defect_while_an_answer_comes_is_told_once_below_it(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_files(service, "zug.srt")
    monkeypatch.setattr(service.llm, "breakdown", break_down)
    async with opened(service, rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Hoffentlich")
        await pilot.press("enter")
        await until_shown(pilot, "the answer broke off: [b]a defect[/")
        await pilot.pause()
        assert not toasts(pilot)


async def test_a_defect_while_cues_are_read_is_told(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, reports: Reports
) -> None:
    await add_files(service, "zug.srt")
    monkeypatch.setattr(service.transcripts, "cues", broken)
    async with opened(service, rows=1) as pilot:
        await pilot.press("enter")
        await until_told(pilot, TOLD)
        assert pilot.app.screen.query(CueReader)
    (report,) = reports.take()
    assert "[b]a defect" not in report
    assert "builtins.ZeroDivisionError" in report
