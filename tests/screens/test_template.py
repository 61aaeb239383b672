"""The template screen: the preview follows every key, errors stand at their field, nothing typed is lost unasked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from tests.hostile import FORBIDDEN, WORST
from tests.screens.stage import Stage
from tui.config import ProviderSettings, Settings
from tui.records import NewTemplate
from tui.screens.dialogs import Choice, Confirm
from tui.screens.messages import GoBack, LibraryChanged
from tui.screens.template import TemplateScreen
from tui.service.local import LocalService
from tui.service.protocol import BreakdownRequest
from tui.widgets.picker import Picker
from tui.widgets.prompt_editor import PromptEditor
from tui.widgets.prompt_preview import PreviewText
from tui.widgets.text_fields import LineField, TextField

TEMPLATE = NewTemplate(
    model="lexicon:concordance",
    prompt='Explain "{{ focus }}".\n{{ sentence }}\n{% if context %}Around it: {{ context }}{% endif %}',
    sys_msg="You are patient.",
)


@pytest.fixture
async def service(home: Path) -> AsyncIterator[LocalService]:
    """With a provider of the user's whose server is not there."""
    absent = ProviderSettings("absent", "openai", "http://127.0.0.1:9", label="Absent")
    service = LocalService(Settings(home=home, config_path=home / "config.toml", providers=(absent,)), environ={})
    yield service
    await service.close()


@pytest.fixture
async def screen(service: LocalService) -> TemplateScreen:
    await service.template.save(TEMPLATE)
    return TemplateScreen(service)


@pytest.fixture
def app(screen: TemplateScreen) -> Stage:
    return Stage(screen)


async def settled(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def until_asked(pilot: Pilot[None], dialog: type) -> None:
    """Wait for a question; the worker that asks it goes on only after the answer."""
    async with asyncio.timeout(10):
        while not isinstance(pilot.app.screen, dialog):
            await pilot.pause()


def on_screen(app: Stage) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def shown_error(screen: TemplateScreen, field: str) -> str:
    return str(screen.query_one(f"#{field}-error", Static).content)


def preview(screen: TemplateScreen) -> PreviewText:
    return screen.query_one(PreviewText)


def field(screen: TemplateScreen, picker: str) -> LineField:
    return screen.query_one(f"#{picker}", Picker).query_one(LineField)


async def test_the_form_shows_the_template_and_the_preview_what_comes_of_it(app: Stage, screen: TemplateScreen) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert screen.form.values() == TEMPLATE
        assert preview(screen).text == (
            'Explain "fährt".\nHoffentlich fährt er überhaupt noch ab.\n'
            "Around it: Das ist der letzte heute, danach kommt bis morgen früh nichts mehr."
        )
        assert "≈ 34 tokens" in on_screen(app)
        assert not screen.has_unsaved_changes


async def test_without_a_saved_template_the_built_in_one_is_shown(service: LocalService) -> None:
    screen = TemplateScreen(service)
    async with Stage(screen).run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert screen.form.values() == await service.template.effective()
        assert not screen.has_unsaved_changes
        await pilot.press("f8")
        await settled(pilot)
        assert any("no template" in said for said in Stage.said(pilot.app))  # type: ignore[arg-type]


async def test_the_preview_follows_every_key(app: Stage, screen: TemplateScreen) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("enter", *"Hi ")
        await settled(pilot)
        assert preview(screen).text.startswith('Hi Explain "fährt".')
        assert screen.query_one(PromptEditor).text == "Hi " + TEMPLATE.prompt


async def test_the_preview_follows_undo_and_redo_too(app: Stage, screen: TemplateScreen) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("enter", *"Hi ")
        await settled(pilot)
        await pilot.press("ctrl+z")
        await settled(pilot)
        assert preview(screen).text.startswith('Explain "fährt".')
        await pilot.press("ctrl+y")
        await settled(pilot)
        assert preview(screen).text.startswith('Hi Explain "fährt".')


async def test_letters_digits_and_question_marks_type_in_a_field_and_are_keys_outside(
    app: Stage, screen: TemplateScreen
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("1", "q", "u")
        assert app.pressed == ["1", "q", "u"]
        app.pressed.clear()
        await pilot.press("enter", "1", "q", "u", "6", "question_mark")
        for name in ("#sys-msg", "#sample-sentence"):
            screen.query_one(name).focus()
            await pilot.press("1", "q")
        field(screen, "model-name").focus()
        await pilot.press("1", "q")
        await settled(pilot)
        assert app.pressed == []
        assert screen.query_one(PromptEditor).text.startswith("1qu6?")
        assert screen.query_one("#sys-msg", TextField).text.startswith("1q")
        assert field(screen, "model-name").value == "concordance1q"
        assert screen.query_one("#sample-sentence", LineField).value.endswith("1q")


async def test_tab_goes_through_all_fields_and_shift_tab_back(app: Stage, screen: TemplateScreen) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
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


async def test_an_error_stands_below_the_prompt_and_the_last_good_preview_stays_dimmed(
    app: Stage, screen: TemplateScreen
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        good = preview(screen).text
        await pilot.press("enter", *"{{ contxt }}")
        await settled(pilot)
        said = shown_error(screen, "prompt")
        assert said.startswith('╰ line 1, column 4: no value "contxt"; there are sentence, focus')
        assert said[2:] in " ".join(on_screen(app).split()) or "contxt" in on_screen(app)
        assert preview(screen).is_stale
        assert preview(screen).text == good or preview(screen).text.endswith(good[-30:])
        await pilot.press(*["backspace"] * 12)
        await settled(pilot)
        assert shown_error(screen, "prompt") == ""
        assert (preview(screen).text, preview(screen).is_stale) == (good, False)


async def test_an_error_moves_nothing(app: Stage, screen: TemplateScreen) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        places = [widget.region for widget in screen.query("TextField, PreviewText, Picker")]
        await pilot.press("enter", *"{{")
        await settled(pilot)
        assert shown_error(screen, "prompt")
        assert [widget.region for widget in screen.query("TextField, PreviewText, Picker")] == places


async def test_the_sample_can_be_changed(app: Stage, screen: TemplateScreen) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        for name, key in (("sentence", "A"), ("focus", "B"), ("context", "C")):
            screen.query_one(f"#sample-{name}").focus()
            await pilot.press("home", key)
            await settled(pilot)
        assert preview(screen).text.startswith('Explain "Bfährt".\nAHoffentlich')
        assert "Around it: CDas" in preview(screen).text
        assert not screen.has_unsaved_changes


async def test_the_sample_is_the_last_sentence_looked_at(app: Stage, screen: TemplateScreen) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        screen.use_sample(BreakdownRequest("Wohin fahren Sie?", "Wohin", context="Und?\nWie?", language="de"))
        await settled(pilot)
        assert preview(screen).text == 'Explain "Wohin".\nWohin fahren Sie?\nAround it: Und? Wie?'


@pytest.mark.parametrize("key", ["f2", "ctrl+s"])
async def test_saving_keeps_what_was_typed(app: Stage, screen: TemplateScreen, service: LocalService, key: str) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("enter", "X")
        await settled(pilot)
        assert "unsaved changes ●" in on_screen(app)
        await pilot.press(key)
        await settled(pilot)
        saved = await service.template.get()
        assert saved is not None
        assert saved.prompt == "X" + TEMPLATE.prompt
        assert "unsaved changes" not in on_screen(app)
        assert app.said() == ["template saved"]
        assert [message.kinds for message in app.all_asked(LibraryChanged)] == [{"template"}]


async def test_the_models_for_subtitles_are_saved_too(
    app: Stage, screen: TemplateScreen, service: LocalService
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        field(screen, "srt-provider").focus()
        await pilot.press(*"lexicon", "tab", *"concordance", "tab", *"Mend.", "f2")
        await settled(pilot)
        saved = await service.template.get()
        assert saved is not None
        assert (saved.srt_model, saved.srt_sys_msg) == ("lexicon:concordance", "Mend.")


@pytest.mark.parametrize(
    ("where", "typed", "error_at", "said"),
    [
        ("model-name", "", "model", "choose a model"),
        ("model-provider", "nobody", "model", "no provider 'nobody'"),
        ("srt-provider", "lexicon", "srt", "choose a model"),
        ("srt-provider", "nobody", "srt", "no provider 'nobody'"),
    ],
)
async def test_what_is_wrong_with_a_model_is_said_at_it_and_the_cursor_goes_there(
    app: Stage, screen: TemplateScreen, service: LocalService, where: str, typed: str, error_at: str, said: str
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        field(screen, where).value = typed
        await settled(pilot)
        await pilot.press("f2")
        await settled(pilot)
        assert said in shown_error(screen, error_at)
        assert field(screen, f"{error_at}-name").has_focus
        kept = await service.template.get()
        assert kept is not None
        assert kept.model == TEMPLATE.model
        assert field(screen, where).value == typed
        await pilot.press("x")
        await settled(pilot)
        assert shown_error(screen, error_at) == ""


@pytest.mark.parametrize("prompt", ["", "{{ nope }}", "{% if %}"])
async def test_a_prompt_that_is_no_template_is_not_saved(
    app: Stage, screen: TemplateScreen, service: LocalService, prompt: str
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        screen.query_one(PromptEditor).load_text(prompt)
        await settled(pilot)
        await pilot.press("f2")
        await settled(pilot)
        assert shown_error(screen, "prompt")
        assert screen.query_one(PromptEditor).has_focus
        kept = await service.template.get()
        assert kept is not None
        assert kept.prompt == TEMPLATE.prompt


async def test_deleting_asks_first_and_leaves_the_built_in_template(
    app: Stage, screen: TemplateScreen, service: LocalService
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("f8")
        await until_asked(pilot, Confirm)
        await pilot.press("n")
        await settled(pilot)
        assert await service.template.get() is not None
        await pilot.press("f8")
        await until_asked(pilot, Confirm)
        await pilot.press("y")
        await settled(pilot)
        assert await service.template.get() is None
        assert screen.form.values() == await service.template.effective()
        assert not screen.has_unsaved_changes
        await service.undo()
        screen.library_changed(frozenset({"template"}))
        await settled(pilot)
        assert screen.form.values() == TEMPLATE


async def test_escape_leaves_the_field_and_then_the_screen(app: Stage, screen: TemplateScreen) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        assert screen.focused is screen.query_one(PromptEditor)
        await pilot.press("escape")
        assert screen.focused is None
        assert not list(app.all_asked(GoBack))
        await pilot.press("escape")
        await settled(pilot)
        assert len(list(app.all_asked(GoBack))) == 1


@pytest.mark.parametrize(
    ("key", "goes", "prompt", "saved"),
    [
        ("s", True, "X" + TEMPLATE.prompt, "X" + TEMPLATE.prompt),
        ("d", True, TEMPLATE.prompt, TEMPLATE.prompt),
        ("escape", False, "X" + TEMPLATE.prompt, TEMPLATE.prompt),
    ],
)
async def test_leaving_with_unsaved_changes_asks(
    app: Stage, screen: TemplateScreen, service: LocalService, key: str, goes: bool, prompt: str, saved: str
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("enter", "X", "escape", "escape")
        await until_asked(pilot, Choice)
        await pilot.press(key)
        await settled(pilot)
        assert bool(list(app.all_asked(GoBack))) is goes
        assert screen.query_one(PromptEditor).text == prompt
        kept = await service.template.get()
        assert kept is not None
        assert kept.prompt == saved


async def test_changes_that_cannot_be_saved_keep_the_screen(app: Stage, screen: TemplateScreen) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("enter", *"{{ nope }}", "escape", "escape")
        await until_asked(pilot, Choice)
        await pilot.press("s")
        await settled(pilot)
        assert not list(app.all_asked(GoBack))
        assert "nope" in shown_error(screen, "prompt")


async def test_what_others_saved_is_shown_unless_something_is_being_typed(
    app: Stage, screen: TemplateScreen, service: LocalService
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await service.template.save(NewTemplate("lexicon:concordance", "{{ sentence }}", ""))
        screen.library_changed(frozenset({"template"}))
        await settled(pilot)
        assert screen.query_one(PromptEditor).text == "{{ sentence }}"
        await pilot.press("enter", "X")
        await service.template.save(TEMPLATE)
        screen.library_changed(frozenset({"template"}))
        await settled(pilot)
        assert screen.query_one(PromptEditor).text == "X{{ sentence }}"


async def test_providers_are_listed_with_what_they_lack_and_models_of_the_chosen_one(
    app: Stage, screen: TemplateScreen
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        field(screen, "model-provider").focus()
        await pilot.press("down")
        await settled(pilot)
        shown = on_screen(app)
        assert "OPENAI_API_KEY" in shown
        assert "lexicon" in shown
        await pilot.press("escape")
        assert screen.focused is field(screen, "model-provider")
        await pilot.press(*["backspace"] * 7, *"abs")
        await settled(pilot)
        assert screen.query_one("#model-provider", Picker).is_open
        await pilot.press("down", "enter")
        await settled(pilot)
        assert screen.query_one("#model-provider", Picker).value == "absent"
        await pilot.press("tab", *["backspace"] * 11, *"my-model")
        await settled(pilot)
        assert screen.form.values().model == "absent:my-model"
        assert not screen.query_one("#model-name", Picker).is_open
        await pilot.press("shift+tab", *["backspace"] * 6, *"lexicon", "tab", *["backspace"] * 8, "down")
        await settled(pilot)
        options = screen.query_one("#model-name", Picker).query_one(OptionList)
        assert [str(option.prompt) for option in options.options] == ["concordance"]


@pytest.mark.parametrize("size", [(80, 24), (60, 16)])
async def test_on_a_small_terminal_prompt_error_and_preview_are_in_sight_together(
    app: Stage, screen: TemplateScreen, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("enter", *"{{ x }}")
        await settled(pilot)
        shown = on_screen(app)
        for piece in ("{{ x }}", 'no value "x"', "Preview", 'Explain "fährt"'):
            assert piece in shown
        for name in ("#sys-msg", "#srt-sys-msg", "#sample-context"):
            screen.query_one(name).focus()
            await settled(pilot)
            await pilot.pause()
            assert screen.query_one(name).region.overlaps(screen.region.shrink((1, 0, 1, 0)))


@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
async def test_hostile_text_is_edited_and_previewed_as_text(service: LocalService, text: str) -> None:
    screen = TemplateScreen(service)
    app = Stage(screen)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        screen.form.fill(NewTemplate(f"lexicon:{text}", "{{ sentence }} {{ focus }}" + text, text, text, text))
        screen.use_sample(BreakdownRequest(text, text, context=text, source=text))
        editor = screen.query_one(PromptEditor)
        editor.focus()
        editor.insert(text)
        await settled(pilot)
        assert not set(FORBIDDEN) & set(on_screen(app))
        await pilot.press("f2")
        await settled(pilot)
        assert not set(FORBIDDEN) & set(on_screen(app))
        assert not set(FORBIDDEN) & set("".join(app.said()))
