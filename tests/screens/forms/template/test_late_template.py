"""What is typed before the template is there is kept when it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.screens.driving import opened, until
from tests.screens.forms.template.driving import TEMPLATE, field, read_saved, until_asked
from tests.screens.stage import Stage
from tests.settling import on_screen, press, settled
from tui.errors import StoreError
from tui.records.answers import NewTemplate
from tui.screens.dialogs.questions import Choice
from tui.screens.forms.template import TemplateScreen
from tui.service.local import LocalService
from tui.widgets.forms.prompt_editor import PromptEditor
from tui.widgets.forms.text_area_field import TextField

pytestmark = pytest.mark.exhaustive


@pytest.fixture
def arrives(service: LocalService, monkeypatch: pytest.MonkeyPatch) -> Iterator[asyncio.Event]:
    """The template is read only once this is set."""
    event = asyncio.Event()
    read = service.template.effective

    async def late() -> NewTemplate:
        await event.wait()
        return await read()

    monkeypatch.setattr(service.template, "effective", late)
    yield event
    event.set()


async def test_what_is_typed_into_the_prompt_stands_before_the_template(
    app: Stage, screen: TemplateScreen, arrives: asyncio.Event
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", *"Hi ")
        arrives.set()
        await settled(pilot)
        editor = screen.query_one(PromptEditor)
        assert editor.text == "Hi " + TEMPLATE.prompt
        assert editor.cursor_location == (0, 3)
        assert screen.has_unsaved_changes
        assert "unsaved changes" in on_screen(app)
        await pilot.press(*"all ")
        assert editor.text == "Hi all " + TEMPLATE.prompt
        await press(pilot, "f2")
        assert (await read_saved(screen)).prompt == "Hi all " + TEMPLATE.prompt


async def test_what_is_typed_into_the_other_fields_is_kept_too(
    app: Stage, screen: TemplateScreen, arrives: asyncio.Event
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("tab", *"absent")
        screen.query_one("#sys-msg", TextField).focus()
        await pilot.press(*"Sir! ")
        field(screen, "srt-name").focus()
        await pilot.press(*"mender")
        arrives.set()
        await settled(pilot)
        assert screen.form.values() == NewTemplate(
            "absent:", TEMPLATE.prompt, "Sir! " + TEMPLATE.sys_msg, "mender", TEMPLATE.srt_sys_msg
        )
        await pilot.press("!")
        assert screen.form.values().srt_model == "mender!"


async def test_saving_waits_for_the_template(app: Stage, screen: TemplateScreen, arrives: asyncio.Event) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", *"Hi ", "f2")
        arrives.set()
        await settled(pilot)
        template = await read_saved(screen)
        assert (template.model, template.prompt) == (TEMPLATE.model, "Hi " + TEMPLATE.prompt)


async def test_leaving_before_it_is_there_asks_about_what_was_typed(
    app: Stage, screen: TemplateScreen, arrives: asyncio.Event
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", *"Hi ", "escape", "escape")
        arrives.set()
        await until_asked(pilot, Choice)
        await press(pilot, "d")
        assert screen.form.values() == TEMPLATE


async def test_what_is_typed_while_it_is_read_again_is_kept(
    app: Stage, screen: TemplateScreen, arrives: asyncio.Event
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        arrives.set()
        await settled(pilot)
        arrives.clear()
        screen.library_changed(frozenset({"template"}))
        await pilot.press("enter", *"Hi ")
        arrives.set()
        await settled(pilot)
        assert screen.query_one(PromptEditor).text == "Hi " + TEMPLATE.prompt


async def test_a_template_that_cannot_be_read_takes_nothing_that_was_typed(
    app: Stage, screen: TemplateScreen, service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken() -> NewTemplate:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(service.template, "effective", broken)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "enter", *"Hi ")
        assert screen.query_one(PromptEditor).text == "Hi "
        assert app.said() == ["the disk is gone"]


async def test_keys_right_after_the_one_that_opens_the_section_find_the_prompt(service: LocalService) -> None:
    async with opened(service) as pilot:
        await pilot.press("4", "enter", *"Hi there ")
        await until(pilot, lambda: isinstance(pilot.app.screen, TemplateScreen) and not list(pilot.app.workers))
        assert pilot.app.screen.query_one(PromptEditor).text.startswith("Hi there Explain")
