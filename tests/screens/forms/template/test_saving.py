"""Saving, deleting and leaving the template: nothing typed is lost unasked, and an error stands at its field."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.screens.driving import opened, type_at_once, until, until_shown
from tests.screens.forms.template.driving import TEMPLATE, TO_PROMPT, field, read_saved, shown_error, until_asked
from tests.screens.stage import Stage
from tests.settling import on_screen, press, running, settled
from tui.errors import StoreError
from tui.records.answers import NewTemplate
from tui.screens.dialogs.questions import Choice, Confirm
from tui.screens.forms.template import TemplateScreen
from tui.screens.messages import GoBack, LibraryChanged
from tui.service.local import LocalService
from tui.widgets.forms.prompt_editor import PromptEditor
from tui.widgets.forms.text_area_field import TextField

pytestmark = pytest.mark.exhaustive


async def test_saving_keeps_what_was_typed(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        for typed, key in (("X", "f2"), ("XX", "ctrl+s")):
            screen.query_one(PromptEditor).focus()
            await press(pilot, "X")
            assert "unsaved changes ●" in on_screen(app)
            await press(pilot, key)
            assert (await read_saved(screen)).prompt == typed + TEMPLATE.prompt
            assert "unsaved changes" not in on_screen(app)
        assert app.said() == ["template saved"] * 2
        assert [message.kinds for message in app.all_asked(LibraryChanged)] == [{"template"}] * 2
        field(screen, "srt-provider").focus()
        await press(pilot, *"lexicon", "tab", *"concordance", "tab", *"Mend.", "f2")
        template = await read_saved(screen)
        assert (template.srt_model, template.srt_sys_msg) == ("lexicon:concordance", "Mend.")


async def test_keys_right_after_the_one_that_opens_the_section_or_saves_are_not_lost(service: LocalService) -> None:
    async with opened(service) as pilot:
        await pilot.press("4", *TO_PROMPT, *"Hi there ")
        await until(pilot, lambda: isinstance(pilot.app.screen, TemplateScreen) and not list(pilot.app.workers))
        assert pilot.app.screen.query_one(PromptEditor).text.startswith("Hi there Explain")
        await until_shown(pilot, "concordance")
        type_at_once(pilot, "\x1b[12~2")  # F2 and the digit right behind it
        await until(pilot, lambda: pilot.app.current_mode == "transcripts")
        template = await service.template.get()
        assert template is not None
        assert template.model == "lexicon:concordance"


async def test_what_is_wrong_is_said_at_its_field_and_the_cursor_goes_there(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        for where, typed, error_at, said in (
            ("model-name", "", "model", "choose a model"),
            ("model-provider", "nobody", "model", "no provider 'nobody'"),
            ("srt-provider", "lexicon", "srt", "choose a model"),
            ("srt-provider", "nobody", "srt", "no provider 'nobody'"),
        ):
            screen.form.fill(TEMPLATE)
            field(screen, where).value = typed
            await settled(pilot)
            await press(pilot, "f2")
            assert said in shown_error(screen, error_at)
            assert field(screen, f"{error_at}-name").has_focus
            assert field(screen, where).value == typed
            await press(pilot, "x")
            assert shown_error(screen, error_at) == ""
        for prompt in ("", "{{ nope }}", "{% if %}"):
            screen.form.fill(TEMPLATE)
            screen.query_one(PromptEditor).load_text(prompt)
            await settled(pilot)
            await press(pilot, "f2")
            assert shown_error(screen, "prompt")
            assert screen.query_one(PromptEditor).has_focus
        saved = await read_saved(screen)
        assert (saved.model, saved.prompt, saved.srt_model) == (TEMPLATE.model, TEMPLATE.prompt, TEMPLATE.srt_model)


async def test_deleting_asks_first_and_what_others_saved_is_shown_unless_something_is_being_typed(
    app: Stage, screen: TemplateScreen, service: LocalService
) -> None:
    async def tell_of(saved: NewTemplate) -> None:
        await service.template.save(saved)
        screen.library_changed(frozenset({"template"}))
        await settled(pilot)

    async with running(app, (120, 40)) as pilot:
        await pilot.press("f8")
        await until_asked(pilot, Confirm)
        await press(pilot, "n")
        assert await service.template.get() is not None
        await pilot.press("f8")
        await until_asked(pilot, Confirm)
        await press(pilot, "y")
        assert await service.template.get() is None
        assert screen.form.values() == await service.template.effective(), "the built-in one"
        assert not screen.has_unsaved_changes
        await press(pilot, "f8")
        assert any("no template" in said for said in app.said())
        await service.undo()
        screen.library_changed(frozenset({"template"}))
        await settled(pilot)
        assert screen.form.values() == TEMPLATE
        await tell_of(NewTemplate("lexicon:concordance", "{{ sentence }}", ""))
        assert screen.query_one(PromptEditor).text == "{{ sentence }}"
        await pilot.press(*TO_PROMPT, "X")
        await tell_of(TEMPLATE)
        assert screen.query_one(PromptEditor).text == "X{{ sentence }}"


async def test_leaving_with_unsaved_changes_asks(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        for keys, key, goes, prompt, kept in (
            ((*TO_PROMPT, "X"), "escape", 0, "X" + TEMPLATE.prompt, TEMPLATE.prompt),
            (TO_PROMPT, "d", 1, TEMPLATE.prompt, TEMPLATE.prompt),
            ((*TO_PROMPT, "X"), "s", 2, "X" + TEMPLATE.prompt, "X" + TEMPLATE.prompt),
            ((*TO_PROMPT, *"{{ nope }}"), "s", 2, "{{ nope }}X" + TEMPLATE.prompt, "X" + TEMPLATE.prompt),
        ):
            screen.query_one(PromptEditor).move_cursor((0, 0))
            await pilot.press(*keys, "escape", "escape")
            await until_asked(pilot, Choice)
            await press(pilot, key)
            assert len(list(app.all_asked(GoBack))) == goes, key
            assert screen.query_one(PromptEditor).text == prompt
            assert (await read_saved(screen)).prompt == kept
        assert "nope" in shown_error(screen, "prompt"), "what cannot be saved keeps the screen"


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


async def test_what_is_typed_early_is_kept(app: Stage, screen: TemplateScreen, arrives: asyncio.Event) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("tab", *"absent")
        screen.query_one("#sys-msg", TextField).focus()
        await pilot.press(*"Sir! ")
        field(screen, "srt-name").focus()
        await pilot.press(*"mender")
        screen.query_one(PromptEditor).focus()
        await pilot.press(*"Hi ")
        arrives.set()
        await settled(pilot)
        assert screen.form.values() == NewTemplate(
            "absent:", "Hi " + TEMPLATE.prompt, "Sir! " + TEMPLATE.sys_msg, "mender", TEMPLATE.srt_sys_msg
        )
        assert screen.query_one(PromptEditor).cursor_location == (0, 3)
        assert screen.has_unsaved_changes
        assert "unsaved changes" in on_screen(app)
        await pilot.press(*"all ")
        assert screen.form.values().prompt == "Hi all " + TEMPLATE.prompt
        field(screen, "srt-name").focus()
        await pilot.press("end", "!")
        assert screen.form.values().srt_model == "mender!"


async def test_saving_waits_for_the_template_and_what_is_typed_while_it_is_read_again_is_kept(
    app: Stage, screen: TemplateScreen, arrives: asyncio.Event
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*TO_PROMPT, *"Hi ", "f2")
        arrives.set()
        await settled(pilot)
        template = await read_saved(screen)
        assert (template.model, template.prompt) == (TEMPLATE.model, "Hi " + TEMPLATE.prompt)
        arrives.clear()
        screen.library_changed(frozenset({"template"}))
        await pilot.press(*TO_PROMPT, *"all ")
        arrives.set()
        await settled(pilot)
        assert screen.query_one(PromptEditor).text == "Hi all " + TEMPLATE.prompt


async def test_leaving_early_asks_too(app: Stage, screen: TemplateScreen, arrives: asyncio.Event) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*TO_PROMPT, *"Hi ", "escape", "escape")
        arrives.set()
        await until_asked(pilot, Choice)
        await press(pilot, "d")
        assert screen.form.values() == TEMPLATE


async def test_a_template_that_cannot_be_read_takes_nothing_that_was_typed(
    app: Stage, screen: TemplateScreen, service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken() -> NewTemplate:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(service.template, "effective", broken)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, *TO_PROMPT, *"Hi ")
        assert screen.query_one(PromptEditor).text == "Hi "
        assert app.said() == ["the disk is gone"]
