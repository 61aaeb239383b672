"""The template's form: what it shows, where keys type, how it looks on any terminal."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from tests.hostile import FORBIDDEN, WORST
from tests.screens.forms.template.driving import TEMPLATE, field, preview, shown_error
from tests.screens.stage import Stage
from tests.settling import on_screen, press, running, settled
from tui.records.answers import NewTemplate
from tui.screens.forms.template import TemplateScreen
from tui.screens.messages import GoBack
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest
from tui.widgets.forms.picker import Picker
from tui.widgets.forms.prompt_editor import PromptEditor
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.forms.text_fields import LineField


async def test_the_form_shows_the_template_and_the_preview_what_comes_of_it(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)):
        assert screen.form.values() == TEMPLATE
        assert preview(screen).text == (
            'Explain "fährt".\nHoffentlich fährt er überhaupt noch ab.\n'
            "Around it: Das ist der letzte heute, danach kommt bis morgen früh nichts mehr."
        )
        assert "≈ 34 tokens" in on_screen(app)
        assert not screen.has_unsaved_changes


@pytest.mark.exhaustive
async def test_without_a_saved_template_the_built_in_one_is_shown(service: LocalService) -> None:
    screen = TemplateScreen(service)
    async with running(Stage(screen), (120, 40)) as pilot:
        assert screen.form.values() == await service.template.effective()
        assert not screen.has_unsaved_changes
        await press(pilot, "f8")
        assert isinstance(pilot.app, Stage)
        assert any("no template" in said for said in pilot.app.said())


@pytest.mark.exhaustive
async def test_letters_digits_and_question_marks_type_in_a_field_and_are_keys_outside(
    app: Stage, screen: TemplateScreen
) -> None:
    async with running(app, (120, 40)) as pilot:
        await pilot.press("1", "q", "u")
        assert app.pressed == ["1", "q", "u"]
        app.pressed.clear()
        await pilot.press("enter", "1", "q", "u", "6", "question_mark")
        for name in ("#sys-msg", "#sample-sentence"):
            screen.query_one(name).focus()
            await pilot.press("1", "q")
        field(screen, "model-name").focus()
        await press(pilot, "1", "q")
        assert app.pressed == []
        assert screen.query_one(PromptEditor).text.startswith("1qu6?")
        assert screen.query_one("#sys-msg", TextField).text.startswith("1q")
        assert field(screen, "model-name").value == "1q"  # in place of what stood there
        assert screen.query_one("#sample-sentence", LineField).value.endswith("1q")


@pytest.mark.exhaustive
async def test_tab_goes_through_all_fields_and_shift_tab_back(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        seen = []
        for _ in range(11):
            await pilot.press("tab")
            focused = screen.focused
            assert focused is not None
            seen.append(focused.id or focused.parent.parent.id if focused.parent and focused.parent.parent else "")
        assert [name for name in seen if name] == [
            *("model-provider", "model-name", "prompt", "sys-msg", "srt-provider", "srt-name", "srt-sys-msg"),
            *("preview-text", "sample-sentence", "sample-focus", "sample-context"),
        ]
        await pilot.press("shift+tab")
        assert screen.focused is screen.query_one("#sample-focus")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_everything_in_the_form_has_one_left_and_one_right_edge(
    app: Stage, screen: TemplateScreen, size: tuple[int, int]
) -> None:
    async with running(app, size) as pilot:
        screen.form.show_error("prompt", "what is wrong")
        screen.form.show_error("model", "what is wrong")
        await settled(pilot)
        rows = [row for row in screen.form.children if row.display]
        assert {row.region.x for row in rows} == {screen.form.region.x}
        assert len({row.region.right for row in rows}) == 1
        form = screen.form.region
        lines = on_screen(app).split("\n")
        shown = [lines[row.region.y][: form.right - 1] for row in rows if row.region.y < form.bottom]
        assert {len(line) - len(line.lstrip()) for line in shown if line.strip()} == {1}


async def test_in_eighty_columns_the_error_is_read_to_its_end(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        await press(pilot, "enter", *"{{ contxt }}")
        assert " ".join(shown_error(screen, "prompt").split()) in " ".join(on_screen(app).split())


async def test_escape_leaves_the_field_and_then_the_screen(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        await pilot.press("enter")
        assert screen.focused is screen.query_one(PromptEditor)
        await pilot.press("escape")
        assert screen.focused is None
        assert not list(app.all_asked(GoBack))
        await press(pilot, "escape")
        assert len(list(app.all_asked(GoBack))) == 1


@pytest.mark.exhaustive
async def test_providers_are_listed_with_what_they_lack_and_models_of_the_chosen_one(
    app: Stage, screen: TemplateScreen
) -> None:
    async with running(app, (120, 40)) as pilot:
        field(screen, "model-provider").focus()
        await press(pilot, "down")
        shown = on_screen(app)
        assert "OPENAI_API_KEY" in shown
        assert "lexicon" in shown
        await pilot.press("escape")
        assert screen.focused is field(screen, "model-provider")
        await press(pilot, *["backspace"] * 7, *"abs")
        assert screen.query_one("#model-provider", Picker).is_open
        await press(pilot, "down", "enter")
        assert screen.query_one("#model-provider", Picker).value == "absent"
        await press(pilot, "tab", *["backspace"] * 11, *"my-model")
        assert screen.form.values().model == "absent:my-model"
        assert not screen.query_one("#model-name", Picker).is_open
        await press(pilot, "shift+tab", *["backspace"] * 6, *"lexicon", "tab", *["backspace"] * 8, "down")
        options = screen.query_one("#model-name", Picker).query_one(OptionList)
        assert [str(option.prompt) for option in options.options] == ["concordance"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(80, 24), (60, 16)])
async def test_on_a_small_terminal_prompt_error_and_preview_are_in_sight_together(
    app: Stage, screen: TemplateScreen, size: tuple[int, int]
) -> None:
    async with running(app, size) as pilot:
        await press(pilot, "enter", *"{{ x }}")
        shown = on_screen(app)
        for piece in ("{{ x }}", 'no value "x"', "Preview", 'Explain "fährt"'):
            assert piece in shown
        for name in ("#sys-msg", "#srt-sys-msg", "#sample-context"):
            screen.query_one(name).focus()
            await settled(pilot)
            await pilot.pause()
            assert screen.query_one(name).region.overlaps(screen.region.shrink((1, 0, 1, 0)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
async def test_hostile_text_is_edited_and_previewed_as_text(service: LocalService, text: str) -> None:
    screen = TemplateScreen(service)
    app = Stage(screen)
    async with running(app, (120, 40)) as pilot:
        screen.form.fill(NewTemplate(f"lexicon:{text}", "{{ sentence }} {{ focus }}" + text, text, text, text))
        screen.use_sample(BreakdownRequest(text, text, context=text, source=text))
        editor = screen.query_one(PromptEditor)
        editor.focus()
        editor.insert(text)
        await settled(pilot)
        assert not set(FORBIDDEN) & set(on_screen(app))
        await press(pilot, "f2")
        assert not set(FORBIDDEN) & set(on_screen(app))
        assert not set(FORBIDDEN) & set("".join(app.said()))
