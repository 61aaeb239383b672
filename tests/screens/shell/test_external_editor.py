"""An editor of one's own: which one, what it is given, and what becomes of what it leaves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual.widgets import Input

from tests.screens.driving import keep_clips, opened, press_until, until
from tui.app import LodeApp
from tui.errors import InvalidInput
from tui.screens.forms.clip_form import ClipForm
from tui.screens.shell.external_editor import editor_command
from tui.service.local import LocalService
from tui.widgets.forms.prompt_editor import PromptEditor


@pytest.fixture
def suspending(monkeypatch: pytest.MonkeyPatch) -> None:
    """An app whose terminal can be left, as a real one's."""

    @contextmanager
    def suspend(app: LodeApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(LodeApp, "suspend", suspend)


def make_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = tmp_path / "my editor"
    program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("EDITOR", f"'{program}'")
    monkeypatch.delenv("VISUAL", raising=False)


def test_the_editor_is_the_one_that_is_named_with_its_options_else_one_that_is_there() -> None:
    assert editor_command({"EDITOR": "ed", "VISUAL": "code --wait"}) == ["code", "--wait"]
    assert editor_command({"EDITOR": "'/opt/my editor' -x"}) == ["/opt/my editor", "-x"]
    with pytest.raises(InvalidInput, match=r"\$EDITOR cannot be read"):
        editor_command({"EDITOR": "'vi"})


async def test_the_text_of_a_field_is_edited_outside_and_can_be_saved(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suspending: None
) -> None:
    make_editor(tmp_path, monkeypatch, 'printf "Der neue Satz.\\n" > "$1"')
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, section="3", rows=1) as pilot:
        await press_until(pilot, "E", at=ClipForm)
        await pilot.press("f3")
        await until(pilot, lambda: "Der neue Satz." in _texts(pilot.app))
        await press_until(pilot, "f2", shown="Der neue Satz.")
        assert (await service.clips.page()).items[0].sentence == "Der neue Satz."


async def test_the_prompt_is_edited_outside_also_where_no_field_has_the_focus(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suspending: None
) -> None:
    make_editor(tmp_path, monkeypatch, 'printf "{{ focus }} in\\n{{ sentence }}\\n" > "$1"')
    async with opened(service) as pilot:
        await press_until(pilot, "4", shown="Prompt")
        assert pilot.app.focused is None
        editor = pilot.app.screen.query_one(PromptEditor)
        await until(pilot, lambda: editor.text)
        before = editor.text
        await press_until(pilot, "ctrl+e", holds=lambda: editor.text == "{{ focus }} in\n{{ sentence }}")
        editor.undo()
        assert editor.text == before


async def test_what_an_editor_breaks_leaves_the_text_as_it_was(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suspending: None
) -> None:
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, section="3", rows=1) as pilot:
        await press_until(pilot, "E", at=ClipForm)
        before = _texts(pilot.app)
        for script, said in (
            ('echo other > "$1"; exit 3', "ended with 3: the text is as it was"),
            ('printf "\\377\\376" > "$1"', "cannot be read: the text is as it was"),
            ('rm "$1"', "cannot be read: the text is as it was"),
        ):
            make_editor(tmp_path, monkeypatch, script)
            await press_until(pilot, "f3", told=said)
            assert _texts(pilot.app) == before
        monkeypatch.setenv("EDITOR", "/nowhere/at/all")
        await press_until(pilot, "f3", told="could not be started")
        assert _texts(pilot.app) == before


async def test_in_a_terminal_that_cannot_be_left_it_is_said(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung."})
    async with opened(service, section="3", rows=1) as pilot:
        await press_until(pilot, "E", at=ClipForm)
        await press_until(pilot, "f3", told="no editor can be opened in this terminal")


def _texts(app: object) -> list[str]:
    assert isinstance(app, LodeApp)
    from textual.widgets import TextArea

    fields = app.screen.query("*")
    return [each.value for each in fields if isinstance(each, Input)] + [
        each.text for each in fields if isinstance(each, TextArea)
    ]
