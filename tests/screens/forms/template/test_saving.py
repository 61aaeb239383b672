"""Saving, deleting and leaving the template: nothing typed is lost unasked, and an error stands at its field."""

from __future__ import annotations

import pytest

from tests.screens.driving import opened, type_at_once, until, until_shown
from tests.screens.forms.template.driving import TEMPLATE, field, read_saved, shown_error, until_asked
from tests.screens.stage import Stage
from tests.settling import on_screen, press, running, settled
from tui.records.answers import NewTemplate
from tui.screens.dialogs.questions import Choice, Confirm
from tui.screens.forms.template import TemplateScreen
from tui.screens.messages import GoBack, LibraryChanged
from tui.service.local import LocalService
from tui.widgets.forms.prompt_editor import PromptEditor

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize("key", ["f2", "ctrl+s"])
async def test_saving_keeps_what_was_typed(app: Stage, screen: TemplateScreen, key: str) -> None:
    async with running(app, (120, 40)) as pilot:
        await press(pilot, "enter", "X")
        assert "unsaved changes ●" in on_screen(app)
        await press(pilot, key)
        assert (await read_saved(screen)).prompt == "X" + TEMPLATE.prompt
        assert "unsaved changes" not in on_screen(app)
        assert app.said() == ["template saved"]
        assert [message.kinds for message in app.all_asked(LibraryChanged)] == [{"template"}]


async def test_after_saving_a_digit_chooses_a_section_again(service: LocalService) -> None:
    async with opened(service, section="4") as pilot:
        await until_shown(pilot, "concordance")
        await pilot.press("tab", "tab")
        type_at_once(pilot, "\x1b[12~2")  # F2 and the digit right behind it
        await until(pilot, lambda: pilot.app.current_mode == "transcripts")
        template = await service.template.get()
        assert template is not None
        assert template.model == "lexicon:concordance"


async def test_the_models_for_subtitles_are_saved_too(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        field(screen, "srt-provider").focus()
        await press(pilot, *"lexicon", "tab", *"concordance", "tab", *"Mend.", "f2")
        template = await read_saved(screen)
        assert (template.srt_model, template.srt_sys_msg) == ("lexicon:concordance", "Mend.")


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
    app: Stage, screen: TemplateScreen, where: str, typed: str, error_at: str, said: str
) -> None:
    async with running(app, (120, 40)) as pilot:
        field(screen, where).value = typed
        await settled(pilot)
        await press(pilot, "f2")
        assert said in shown_error(screen, error_at)
        assert field(screen, f"{error_at}-name").has_focus
        assert (await read_saved(screen)).model == TEMPLATE.model
        assert field(screen, where).value == typed
        await press(pilot, "x")
        assert shown_error(screen, error_at) == ""


@pytest.mark.parametrize("prompt", ["", "{{ nope }}", "{% if %}"])
async def test_a_prompt_that_is_no_template_is_not_saved(app: Stage, screen: TemplateScreen, prompt: str) -> None:
    async with running(app, (120, 40)) as pilot:
        screen.query_one(PromptEditor).load_text(prompt)
        await settled(pilot)
        await press(pilot, "f2")
        assert shown_error(screen, "prompt")
        assert screen.query_one(PromptEditor).has_focus
        assert (await read_saved(screen)).prompt == TEMPLATE.prompt


async def test_deleting_asks_first_and_leaves_the_built_in_template(
    app: Stage, screen: TemplateScreen, service: LocalService
) -> None:
    async with running(app, (120, 40)) as pilot:
        await pilot.press("f8")
        await until_asked(pilot, Confirm)
        await press(pilot, "n")
        assert await service.template.get() is not None
        await pilot.press("f8")
        await until_asked(pilot, Confirm)
        await press(pilot, "y")
        assert await service.template.get() is None
        assert screen.form.values() == await service.template.effective()
        assert not screen.has_unsaved_changes
        await service.undo()
        screen.library_changed(frozenset({"template"}))
        await settled(pilot)
        assert screen.form.values() == TEMPLATE


@pytest.mark.parametrize(
    ("key", "goes", "prompt", "kept"),
    [
        ("s", True, "X" + TEMPLATE.prompt, "X" + TEMPLATE.prompt),
        ("d", True, TEMPLATE.prompt, TEMPLATE.prompt),
        ("escape", False, "X" + TEMPLATE.prompt, TEMPLATE.prompt),
    ],
)
async def test_leaving_with_unsaved_changes_asks(
    app: Stage, screen: TemplateScreen, key: str, goes: bool, prompt: str, kept: str
) -> None:
    async with running(app, (120, 40)) as pilot:
        await pilot.press("enter", "X", "escape", "escape")
        await until_asked(pilot, Choice)
        await press(pilot, key)
        assert bool(list(app.all_asked(GoBack))) is goes
        assert screen.query_one(PromptEditor).text == prompt
        assert (await read_saved(screen)).prompt == kept


async def test_changes_that_cannot_be_saved_keep_the_screen(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        await pilot.press("enter", *"{{ nope }}", "escape", "escape")
        await until_asked(pilot, Choice)
        await press(pilot, "s")
        assert not list(app.all_asked(GoBack))
        assert "nope" in shown_error(screen, "prompt")


async def test_what_others_saved_is_shown_unless_something_is_being_typed(
    app: Stage, screen: TemplateScreen, service: LocalService
) -> None:
    async with running(app, (120, 40)) as pilot:
        await service.template.save(NewTemplate("lexicon:concordance", "{{ sentence }}", ""))
        screen.library_changed(frozenset({"template"}))
        await settled(pilot)
        assert screen.query_one(PromptEditor).text == "{{ sentence }}"
        await pilot.press("enter", "X")
        await service.template.save(TEMPLATE)
        screen.library_changed(frozenset({"template"}))
        await settled(pilot)
        assert screen.query_one(PromptEditor).text == "X{{ sentence }}"
