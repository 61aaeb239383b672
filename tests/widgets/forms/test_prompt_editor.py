"""The prompt editor shows what is a tag, a name and an error, wherever in the text it stands."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tests.hostile import FORBIDDEN, HOSTILE
from tests.settling import STYLES, settled
from tui.widgets.forms.prompt_editor import PromptEditor, highlights
from tui.widgets.forms.prompt_preview import tokens_of


def named(text: str) -> list[tuple[str, str]]:
    """Each highlighted piece with its name."""
    rows = text.split("\n")
    return [(rows[row][start:end], part) for row, start, end, part in highlights(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no tag { here }", []),
        ("{{ focus }}", [("{{", "delimiter"), ("focus", "name"), ("}}", "delimiter")]),
        ("{{ contxt }}", [("{{", "delimiter"), ("}}", "delimiter")]),
        (
            "äö {%- if context %}ü{% endif -%}",
            [
                *(("{%-", "delimiter"), ("if", "keyword"), ("context", "name"), ("%}", "delimiter")),
                *(("{%", "delimiter"), ("endif", "keyword"), ("-%}", "delimiter")),
            ],
        ),
        (
            '{{ focus|upper ~ "focus }}" }}',
            [
                *(("{{", "delimiter"), ("focus", "name"), ("upper", "filter")),
                *(('"focus }}"', "string"), ("}}", "delimiter")),
            ],
        ),
        ("日本\n{# one\ntwo #} x", [("{# one", "comment"), ("two #}", "comment")]),
        ("{{\n  sentence\n}}", [("{{", "delimiter"), ("sentence", "name"), ("}}", "delimiter")]),
        ("{{ foc", [("{{", "delimiter")]),
        ("{{ focus", [("{{", "delimiter"), ("focus", "name")]),
    ],
)
def test_the_parts_of_tags_are_told_apart(text: str, found: list[tuple[str, str]]) -> None:
    assert named(text) == found


def test_any_text_can_be_highlighted() -> None:
    for name, text in HOSTILE.items():
        for around in (text, "{{ " + text, "{% " + text + " %}", "{# " + text):
            rows = around.split("\n")
            assert all(0 <= start < end <= len(rows[row]) for row, start, end, _ in highlights(around)), name


class EditorApp(App[None]):
    CSS_PATH: ClassVar = [STYLES / "forms/template.tcss", STYLES / "forms/fields.tcss"]

    def compose(self) -> ComposeResult:
        yield PromptEditor("{{ focus }}\nzwei\ndrei")


def underlined(editor: PromptEditor) -> str:
    return "".join(
        segment.text
        for y in range(editor.size.height)
        for segment in editor.render_line(y)
        if segment.style is not None and segment.style.underline
    )


@asynccontextmanager
async def editing(size: tuple[int, int] = (40, 10)) -> AsyncIterator[tuple[PromptEditor, Pilot[None]]]:
    async with EditorApp().run_test(size=size) as pilot:
        yield pilot.app.query_one(PromptEditor), pilot


async def test_the_word_at_an_error_is_underlined_until_it_is_mended() -> None:
    async with editing() as (editor, pilot):
        for place, shown in (((2, 1), "2zwei"), ((99, 1), ""), ((3, 99), None), ((0, 0), "")):
            editor.mark(*place)
            await settled(pilot)
            assert shown is None or underlined(editor) == shown


async def test_the_number_of_the_line_with_the_error_is_marked_once_wherever_the_cursor_is() -> None:
    async with editing((20, 12)) as (editor, pilot):
        editor.load_text("\n" * 8 + "{{ a }} and a long line that is wrapped\nlast")
        editor.mark(9, 4)
        for row in (0, 8):
            editor.move_cursor((row, 0))
            await settled(pilot)
            assert underlined(editor) == "9a"
            assert editor.render_line(8).text.startswith(" 9  {{ a }}")
        error = editor.get_component_rich_style("prompt-editor--error").color
        [number] = [segment for segment in editor.render_line(8) if segment.text == "9"]
        assert number.style is not None and number.style.color == error
        editor.mark(0, 0)
        await settled(pilot)
        assert underlined(editor) == ""


async def test_lines_keep_their_colours_under_the_cursor_and_show_what_they_hold_after_every_edit() -> None:
    async with editing() as (editor, pilot):

        def shown() -> list[str]:
            return [editor.render_line(y).text.split(maxsplit=1)[-1].strip() for y in range(editor.document.line_count)]

        editor.focus()
        await settled(pilot)
        name = editor.get_component_rich_style("prompt-editor--name").color
        for row in (0, 2):
            editor.move_cursor((row, 0))
            await settled(pilot)
            [focus] = [segment for segment in editor.render_line(0) if segment.text.strip() == "focus"]
            assert focus.style is not None and focus.style.color == name
        editor.move_cursor((0, 0))
        await settled(pilot)
        assert shown() == ["{{ focus }}", "zwei", "drei"]
        editor.insert("neu\n", (1, 0))
        await settled(pilot)
        assert shown() == ["{{ focus }}", "neu", "zwei", "drei"]
        editor.delete((0, 0), (1, 0))
        await settled(pilot)
        assert shown() == ["neu", "zwei", "drei"]
        await pilot.press("tab")
        editor.load_text("eins\nzwei")
        await settled(pilot)
        assert shown() == ["eins", "zwei"]


@pytest.mark.exhaustive
async def test_hostile_texts_typed_or_pasted_are_only_text() -> None:
    async with editing() as (editor, pilot):
        for name, text in HOSTILE.items():
            editor.load_text("")
            editor.insert(text)
            await settled(pilot)
            drawn = "".join(editor.render_line(y).text for y in range(10))
            assert not set(FORBIDDEN) & set(drawn + editor.text), name


def test_tokens_are_estimated_by_the_script() -> None:
    assert {text: tokens_of(text) for text in ("", "four", "fives", "日本語", "한국 abcd")} == {
        "": 0,
        "four": 1,
        "fives": 2,
        "日本語": 3,
        "한국 abcd": 4,
    }
