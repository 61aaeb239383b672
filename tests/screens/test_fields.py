"""Every field of every screen and dialog takes so many characters, and no more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.events import Paste
from textual.pilot import Pilot

import tui
from tests.screens.driving import opened, toasts, type_at_once, until
from tests.screens.stage import STATION, add_transcript, timed
from tui.records.clips import FocusWord, NewClip
from tui.service.local import LocalService
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.forms.text_fields import LineField

FIELDS = "widgets/forms"
LONG = "Der Zug fährt ab. " * 3_500

_TEXTUALS = {"Input", "TextArea", "MaskedInput"}


def uses_of_textuals_fields(source: str) -> Iterator[str]:
    """Classes made of Textual's own fields, and places that make one, which have no bound."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            names = {base.id for base in node.bases if isinstance(base, ast.Name)}
            if names & _TEXTUALS:
                yield f"class {node.name}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _TEXTUALS:
            yield f"line {node.lineno} makes an {node.func.id}"


def test_no_field_is_made_without_the_bound_of_text_fields() -> None:
    package = Path(tui.__file__).parent
    found = {
        str(file.relative_to(package)): uses
        for file in sorted(package.rglob("*.py"))
        if (uses := list(uses_of_textuals_fields(file.read_text(encoding="utf-8"))))
    }
    assert found == {
        f"{FIELDS}/text_area_field.py": ["class TextField"],
        f"{FIELDS}/text_fields.py": ["class LineField"],
    }


def test_a_field_without_a_bound_is_found() -> None:
    assert list(uses_of_textuals_fields("class Own(Input): ...\nfield = TextArea()")) == [
        "class Own",
        "line 2 makes an TextArea",
    ]


async def every_field_takes_its_limit(pilot: Pilot[None]) -> int:
    """Paste a long text into each field of the screen in turn; how many there are."""
    fields = [field for field in pilot.app.screen.query("Input, TextArea").results() if field.display]
    for field in fields:
        assert isinstance(field, (LineField, TextField)), field
        pilot.app.screen.set_focus(field)
        if isinstance(field, LineField):
            field.clear()
        pilot.app.clear_notifications()
        await until(pilot, lambda: not toasts(pilot))
        field.post_message(Paste(LONG))
        await until(pilot, lambda: any(toast.startswith("pasted ") for toast in toasts(pilot)))
        length = len(field.value if isinstance(field, LineField) else field.text)
        assert length <= field.limit
    return len(fields)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("keys", "least"),
    [
        (("slash",), 1),
        (("2", "slash"), 1),
        (("3", "slash"), 1),
        (("3", "E"), 5),
        (("4",), 5),
        (("7", "slash"), 1),
        (("ctrl+p",), 1),
        (("question_mark", "slash"), 1),
        (("2", "enter", "slash"), 1),
        (("2", "enter", "O"), 4),
        (("2", "E"), 2),
        (("2", "e"), 1),
        (("2", "M"), 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
async def test_a_long_paste_is_cut_and_told(service: LocalService, keys: tuple[str, ...], least: int) -> None:
    await add_transcript(service, timed(STATION))
    await service.clips.add(NewClip("Der Zug fährt ab.", focus=FocusWord("fährt", language="de")))
    async with opened(service, (120, 40)) as pilot:
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.3)
        await until(pilot, lambda: len(pilot.app.screen.query("Input, TextArea")) >= least)
        assert await every_field_takes_its_limit(pilot) >= least


async def test_many_letters_at_once_fill_a_field_and_the_next_key_is_answered(service: LocalService) -> None:
    given = 0
    async with opened(service) as pilot:
        await pilot.press("ctrl+p")
        field = pilot.app.focused
        assert isinstance(field, LineField)
        replace = field.replace

        def count_replacing(text: str, start: int, end: int) -> None:
            nonlocal given
            given += 1
            replace(text, start, end)

        field.replace = count_replacing  # type: ignore[method-assign]
        type_at_once(pilot, "Zug" * 20_000)
        await until(pilot, lambda: len(field.value) == field.limit)
        await pilot.press("backspace")
        await until(pilot, lambda: len(field.value) == field.limit - 1)
        assert given < 100  # sixty thousand before
        assert not field.value.replace("Zug", "").strip("Zu")
