"""Questions are asked in the same way everywhere: keys, arrows, enter and esc, and every word is taken literally."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest
from textual.app import App
from textual.binding import BindingType
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from tests.hostile import FORBIDDEN, WORST
from tests.settling import on_screen, press, running, settled
from tui.errors import LodeError
from tui.screens.dialogs.questions import Choice, Confirm, TextPrompt
from tui.screens.lists.add_files import AddPrompt, FilesToAdd
from tui.widgets.forms.path_completion import PathMatches


class AskingApp(App[None]):
    """Asks one question, and counts the keys that it gets itself."""

    BINDINGS: ClassVar[list[BindingType]] = [("q", "note", ""), ("1", "note", "")]

    def __init__(self, dialog: Screen[Any]) -> None:
        super().__init__()
        self.dialog = dialog
        self.answers: list[object] = []
        self.noted = 0

    def on_mount(self) -> None:
        self.push_screen(self.dialog, self.answers.append)

    def action_note(self) -> None:
        self.noted += 1


async def answer(dialog: Screen[Any], *keys: str) -> list[object]:
    app = AskingApp(dialog)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *keys)
        return app.answers


@pytest.mark.parametrize(
    ("keys", "answered"),
    [
        (["y"], True),
        (["n"], False),
        (["escape"], False),
        (["enter"], False),
        (["left", "enter"], True),
        (["shift+tab", "enter"], True),
        (["right", "enter"], True),
        (["h", "enter"], True),
        (["l", "l", "enter"], False),
        (["up", "down", "enter"], False),
        (["k", "j", "enter"], False),
    ],
)
async def test_a_confirmation_is_safe_unless_yes_is_chosen(keys: list[str], answered: bool) -> None:
    assert await answer(Confirm("Delete 2 files?", ["3 jobs go with them"]), *keys) == [answered]


@pytest.mark.parametrize(
    ("keys", "answered"),
    [
        (["s"], "s"),
        (["d"], "d"),
        (["escape"], ""),
        (["enter"], "s"),
        (["right", "enter"], "d"),
        (["tab", "tab", "enter"], ""),
    ],
)
async def test_a_choice_is_made_by_its_key_or_with_the_arrows(keys: list[str], answered: str) -> None:
    assert await answer(Choice("Unsaved", [("s", "Save"), ("d", "Discard"), ("esc", "Stay")]), *keys) == [answered]


async def test_a_click_answers() -> None:
    app = AskingApp(Confirm("Delete?"))
    async with app.run_test() as pilot:
        await pilot.click(Button)
        await settled(pilot)
        assert app.answers == [True]


async def test_the_keys_of_the_app_do_nothing_while_a_question_is_open() -> None:
    app = AskingApp(Confirm("Delete?"))
    async with app.run_test() as pilot:
        await pilot.press("q", "1", "x")
        assert (app.noted, app.answers) == (0, [])


async def test_many_details_scroll_and_leave_the_answers_in_sight_on_a_small_terminal() -> None:
    app = AskingApp(Confirm("Delete?", [f"detail {number}" for number in range(40)]))
    async with running(app, (60, 16)) as pilot:
        assert "detail 0" in on_screen(app)
        assert "y  Delete" in on_screen(app)
        await press(pilot, "pagedown")
        assert "detail 0\n" not in on_screen(app)
        assert "detail 7" in on_screen(app)
        await press(pilot, "pageup")
        assert "detail 0" in on_screen(app)


@pytest.mark.parametrize(
    ("keys", "answered"), [(["enter"], "deck.apkg"), ([*"x", "enter"], "deck.apkgx"), (["escape"], None)]
)
async def test_a_text_prompt_gives_the_line_or_nothing(keys: list[str], answered: str | None) -> None:
    assert await answer(TextPrompt("Export", value="deck.apkg", hint="an .apkg file"), *keys) == [answered]


async def test_an_empty_line_is_no_answer() -> None:
    assert await answer(TextPrompt("Export"), "space", "enter") == []


async def test_an_error_stands_below_the_field_until_something_is_typed() -> None:
    app = AskingApp(TextPrompt("Export", value="x", hint="an .apkg file", error=LodeError("the folder is not there")))
    async with app.run_test() as pilot:
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


async def test_tab_completes_paths_and_enter_takes_them(folder: Path) -> None:
    app = AskingApp(AddPrompt(FilesToAdd()))
    async with app.run_test() as pilot:
        field = app.screen.query_one(Input)
        await typed(pilot, "st")
        await press(pilot, "tab")
        assert field.value == "story.txt "
        await typed(pilot, "fi")
        await press(pilot, "tab")
        assert field.value == "story.txt film\\ "
        await press(pilot, "tab")
        assert field.value == "story.txt film\\ one.srt"
        await press(pilot, "tab")
        assert field.value == "story.txt film\\ two.srt"
        await press(pilot, "shift+tab")
        assert field.value == "story.txt film\\ one.srt"
        await press(pilot, "enter")
        assert app.answers == ["story.txt film\\ one.srt"]


async def test_a_folder_is_gone_into_and_arrows_go_through_the_names(folder: Path) -> None:
    app = AskingApp(AddPrompt(FilesToAdd("~/")))
    async with running(app) as pilot:
        field = app.screen.query_one(Input)
        await press(pilot, "down")
        assert field.value == "~/seasons/"
        await press(pilot, "down")
        assert field.value == "~/film\\ one.srt"
        await press(pilot, "up")
        assert field.value == "~/seasons/"
        await press(pilot, "o")
        await press(pilot, "backspace", "tab")
        assert field.value == "~/seasons/one.ass "


async def test_the_names_are_listed_folders_first_and_hidden_ones_only_when_asked_for(folder: Path) -> None:
    app = AskingApp(AddPrompt(FilesToAdd()))
    async with running(app) as pilot:
        names = [match.name for match in app.screen.query_one(PathMatches)._matches]
        assert names == ["seasons/", "film one.srt", "film two.srt", "story.txt"]
        await typed(pilot, ".")
        assert [match.name for match in app.screen.query_one(PathMatches)._matches] == [".hidden"]


async def test_a_wildcard_lists_what_it_means_and_is_left_as_it_is(folder: Path) -> None:
    app = AskingApp(AddPrompt(FilesToAdd()))
    async with app.run_test() as pilot:
        await typed(pilot, "*.srt")
        await press(pilot, "tab")
        names = [match.name for match in app.screen.query_one(PathMatches)._matches]
        assert names == ["film one.srt", "film two.srt"]
        assert app.screen.query_one(Input).value == "*.srt"


async def test_an_open_quote_is_refused_and_what_was_typed_stays(folder: Path) -> None:
    app = AskingApp(AddPrompt(FilesToAdd()))
    async with app.run_test() as pilot:
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


async def test_escape_gives_no_path(folder: Path) -> None:
    assert await answer(AddPrompt(FilesToAdd()), "s", "escape") == [None]


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
async def test_hostile_text_is_shown_as_text_in_every_dialog(text: str) -> None:
    dialogs: list[Screen[Any]] = [
        Confirm(text, [text], yes=text, no=text),
        Choice(text, [("a", text)]),
        TextPrompt(text, value=text, hint=text, error=LodeError(text)),
        AddPrompt(FilesToAdd(text, text, text), error=LodeError(text)),
    ]
    for dialog in dialogs:
        app = AskingApp(dialog)
        async with running(app, (60, 16)):
            assert not set(FORBIDDEN) & set(on_screen(app))
