"""Questions are asked in the same way everywhere: keys, arrows, enter and esc, and every word is taken literally."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest
from textual.app import App
from textual.binding import BindingType
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from tests.hostile import FORBIDDEN, deal
from tests.settling import on_screen, press, running, settled
from tui.errors import LodeError
from tui.screens.dialogs.questions import Choice, Confirm, TextPrompt
from tui.screens.lists.add_files import AddPrompt, FilesToAdd
from tui.widgets.forms.path_completion import PathMatches


class AskingApp(App[None]):
    """Asks questions, and counts the keys that it gets itself."""

    BINDINGS: ClassVar[list[BindingType]] = [("q", "note", ""), ("1", "note", "")]

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[object] = []
        self.noted = 0

    def action_note(self) -> None:
        self.noted += 1


@asynccontextmanager
async def asking(dialog: Screen[Any], size: tuple[int, int] = (80, 24)) -> AsyncIterator[tuple[AskingApp, Pilot[None]]]:
    app = AskingApp()
    async with running(app, size) as pilot:
        app.push_screen(dialog, app.answers.append)
        await settled(pilot)
        yield app, pilot


async def assert_answers(make: Callable[[], Screen[Any]], *rows: tuple[list[str], object]) -> None:
    """Ask the question once for each row; its keys give that answer."""
    app = AskingApp()
    async with running(app) as pilot:
        for keys, answer in rows:
            app.answers.clear()
            app.push_screen(make(), app.answers.append)
            await settled(pilot)
            await press(pilot, *keys)
            assert app.answers == [answer], keys


async def test_a_confirmation_is_safe_unless_yes_is_chosen() -> None:
    await assert_answers(
        lambda: Confirm("Delete 2 files?", ["3 jobs go with them"]),
        *((keys, False) for keys in (["n"], ["escape"], ["enter"], ["l", "l", "enter"])),
        *((keys, False) for keys in (["up", "down", "enter"], ["k", "j", "enter"])),
        *(
            (keys, True)
            for keys in (["y"], ["left", "enter"], ["right", "enter"], ["shift+tab", "enter"], ["h", "enter"])
        ),
    )


async def test_a_choice_is_made_by_its_key_or_with_the_arrows() -> None:
    await assert_answers(
        lambda: Choice("Unsaved", [("s", "Save"), ("d", "Discard"), ("esc", "Stay")]),
        *((["s"], "s"), (["d"], "d"), (["escape"], "")),
        *((["enter"], "s"), (["right", "enter"], "d"), (["tab", "tab", "enter"], "")),
    )


async def test_a_text_prompt_gives_the_line_or_nothing() -> None:
    await assert_answers(
        lambda: TextPrompt("Export", value="deck.apkg", hint="an .apkg file"),
        *((["enter"], "deck.apkg"), ([*"x", "enter"], "deck.apkgx"), (["escape"], None)),
        (["ctrl+u", "space", "enter", "x", "enter"], "x"),  # an empty line is no answer
    )


async def test_the_keys_of_the_app_do_nothing_while_a_question_is_open_and_a_click_answers() -> None:
    async with asking(Confirm("Delete?")) as (app, pilot):
        await pilot.press("q", "1", "x")
        assert (app.noted, app.answers) == (0, [])
        await pilot.click(Button)
        await settled(pilot)
        assert app.answers == [True]


async def test_many_details_scroll_and_leave_the_answers_in_sight_on_a_small_terminal() -> None:
    details = [f"detail {number}" for number in range(40)]
    async with asking(Confirm("Delete?", details), (60, 16)) as (app, pilot):
        assert "detail 0" in on_screen(app)
        assert "y  Delete" in on_screen(app)
        await press(pilot, "pagedown")
        assert "detail 0\n" not in on_screen(app)
        assert "detail 7" in on_screen(app)
        await press(pilot, "pageup")
        assert "detail 0" in on_screen(app)


async def test_an_error_stands_below_the_field_until_something_is_typed() -> None:
    prompt = TextPrompt("Export", value="x", hint="an .apkg file", error=LodeError("the folder is not there"))
    async with asking(prompt) as (app, pilot):
        hint = app.screen.query_one(".dialog-hint", Static)
        assert "the folder is not there" in str(hint.content)
        await press(pilot, "y")
        assert "an .apkg file" in str(hint.content)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with films, a story and a folder."""
    place = tmp_path / "here"
    (place / "seasons").mkdir(parents=True)
    for name in ("film one.srt", "film two.srt", "story.txt", "seasons/one.ass", ".hidden"):
        (place / name).write_text("x")
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(place))
    return place


async def typed(pilot: Pilot[None], text: str) -> None:
    await press(pilot, *("space" if character == " " else character for character in text))


async def test_paths_are_listed_completed_and_gone_into(folder: Path) -> None:
    async with asking(AddPrompt(FilesToAdd("~/"))) as (app, pilot):
        field = app.screen.query_one(Input)
        names = app.screen.query_one(PathMatches)

        async def type_and(text: str, *then: tuple[str, str]) -> None:
            """Type the text in place of what is there; then each key makes of it what stands beside it."""
            field.clear()
            app.screen.set_focus(field)
            await typed(pilot, text)
            for key, value in then:
                await press(pilot, key)
                assert field.value == value

        for key, value in (("down", "~/seasons/"), ("down", "~/film\\ one.srt"), ("up", "~/seasons/")):
            await press(pilot, key)
            assert field.value == value
        await press(pilot, "o")
        await press(pilot, "backspace", "tab")
        assert field.value == "~/seasons/one.ass "
        await type_and("")
        assert [match.name for match in names._matches] == ["seasons/", "film one.srt", "film two.srt", "story.txt"]
        await type_and(".")
        assert [match.name for match in names._matches] == [".hidden"], "only when they are asked for"
        await type_and("*.srt", ("tab", "*.srt"))
        assert [match.name for match in names._matches] == ["film one.srt", "film two.srt"]
        await type_and("st", ("tab", "story.txt "))
        await typed(pilot, "fi")
        for key, value in (("tab", ""), ("tab", "one.srt"), ("tab", "two.srt"), ("shift+tab", "one.srt")):
            await press(pilot, key)
            assert field.value == f"story.txt film\\ {value}"
        await press(pilot, "enter")
        assert app.answers == ["story.txt film\\ one.srt"]


async def test_an_open_quote_is_refused_and_what_was_typed_stays(folder: Path) -> None:
    async with asking(AddPrompt(FilesToAdd())) as (app, pilot):
        await typed(pilot, "'film")
        await press(pilot, "enter")
        assert app.answers == []
        assert "quotation mark is left open" in on_screen(app)
        await press(pilot, "tab")
        assert app.screen.query_one(Input).value == "'film "
        await press(pilot, "tab")
        await typed(pilot, "'")
        await press(pilot, "enter")
        assert app.answers == ["'film one.srt'"]
    await assert_answers(lambda: AddPrompt(FilesToAdd()), (["s", "escape"], None))


@pytest.mark.exhaustive
async def test_hostile_text_is_shown_as_text_in_every_dialog() -> None:
    app = AskingApp()
    async with running(app, (60, 16)) as pilot:
        dialogs: list[Screen[Any]] = [
            *(Confirm(text, [detail], yes=yes, no=no) for text, detail, yes, no in deal(4)),
            *(Choice(text, [("a", label)]) for text, label in deal(2)),
            *(TextPrompt(text, value=value, hint=hint, error=LodeError(error)) for text, value, hint, error in deal(4)),
            *(
                AddPrompt(FilesToAdd(paths, language, encoding), error=LodeError(error))
                for paths, language, encoding, error in deal(4)
            ),
        ]
        for dialog in dialogs:
            app.push_screen(dialog)
            await settled(pilot)
            assert app.screen is dialog
            assert not set(FORBIDDEN) & set(on_screen(app))
            app.pop_screen()
