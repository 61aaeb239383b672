"""Every field of every screen and dialog takes so many characters, and no more."""

from __future__ import annotations

import re
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

_TEXTUALS = r"\b(?:Input|TextArea|MaskedInput)\b"
_USES = re.compile(rf"class (\w+)\([^)]*{_TEXTUALS}|(?<!\.){_TEXTUALS}\(")
"""Classes made of Textual's own fields, and places that make one, which have no bound."""


def test_no_field_is_made_without_the_bound_of_text_fields() -> None:
    package = Path(tui.__file__).parent
    found = {
        str(file.relative_to(package)): [use[1] or use[0] for use in uses]
        for file in sorted(package.rglob("*.py"))
        if (uses := list(_USES.finditer(file.read_text(encoding="utf-8"))))
    }
    assert found == {f"{FIELDS}/text_area_field.py": ["TextField"], f"{FIELDS}/text_fields.py": ["LineField"]}


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
async def test_a_long_paste_is_cut_and_told(service: LocalService) -> None:
    await add_transcript(service, timed(STATION))
    await service.clips.add(NewClip("Der Zug fährt ab.", focus=FocusWord("fährt", language="de")))
    async with opened(service, (120, 40), rows=1) as pilot:
        for keys, least in (  # one of each kind of screen: a list, dialogs, the reader, forms
            (("1", "slash"), 1),
            (("escape", "ctrl+p"), 1),
            (("escape", "question_mark", "slash"), 1),
            (("escape", "escape", "2", "E"), 2),
            (("escape", "e"), 1),
            (("escape", "enter", "O"), 4),
            (("escape", "escape", "3", "E"), 5),
        ):
            for key in keys:
                await pilot.press(key)
                await pilot.pause(0.1)
            await until(pilot, lambda least=least: len(pilot.app.screen.query("Input, TextArea")) >= least)  # type: ignore[misc]
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
        type_at_once(pilot, "Zug" * 4_000)
        await until(pilot, lambda: len(field.value) == field.limit)
        await pilot.press("backspace")
        await until(pilot, lambda: len(field.value) == field.limit - 1)
        assert given < 100  # twelve thousand before
        assert not field.value.replace("Zug", "").strip("Zu")
