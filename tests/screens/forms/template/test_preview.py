"""The template's preview follows every key; where the prompt has an error, the rest is shown."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from textual.message_pump import MessagePump

from tests.screens.forms.template.driving import TEMPLATE, note, preview, shown_error
from tests.screens.stage import Stage
from tests.settling import on_screen, press, running, settled
from tui.screens.forms.template import TemplateScreen
from tui.service.requests import BreakdownRequest
from tui.store import Store
from tui.widgets.forms.prompt_editor import PromptEditor

pytestmark = pytest.mark.exhaustive


async def test_the_preview_follows_every_key(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        await press(pilot, "enter", *"Hi ")
        assert preview(screen).text.startswith('Hi Explain "fährt".')
        assert screen.query_one(PromptEditor).text == "Hi " + TEMPLATE.prompt


async def test_the_preview_follows_undo_and_redo_too(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        await press(pilot, "enter", *"Hi ")
        await press(pilot, "ctrl+z")
        assert preview(screen).text.startswith('Explain "fährt".')
        await press(pilot, "ctrl+y")
        assert preview(screen).text.startswith('Hi Explain "fährt".')


async def test_an_error_stands_below_the_prompt_and_the_rest_is_shown(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        good = preview(screen).text
        await press(pilot, "enter", *"{{ contxt }}")
        said = shown_error(screen, "prompt")
        assert said.startswith('line 1, column 4: no value "contxt": there are sentence, focus')
        assert '\n ╰ line 1, column 4: no value "contxt": there are sentence, ' in on_screen(app)
        assert on_screen(app).count("line 1") == 1
        assert preview(screen).text == "{{ contxt }}" + good
        assert not preview(screen).is_stale
        assert note(screen) == "(as far as it can be rendered)"
        assert note(screen) in on_screen(app)
        await press(pilot, *["backspace"] * 12)
        assert (shown_error(screen, "prompt"), note(screen)) == ("", "")
        assert preview(screen).text == good


async def test_a_saved_prompt_that_is_refused_by_now_is_shown_with_its_error_at_its_line(
    app: Stage, screen: TemplateScreen, home: Path
) -> None:
    old = replace(TEMPLATE, prompt="Explain\n{{ focus.upper() }}")
    store = Store.open(home)
    store.templates.save("default", old)
    store.close()
    async with running(app, (120, 40)) as pilot:
        assert screen.query_one(PromptEditor).text == preview(screen).text == old.prompt
        assert "line 2, column 10: a prompt cannot call 'upper': write it as a filter" in shown_error(screen, "prompt")
        await press(pilot, "f2")
        assert screen.query_one(PromptEditor).cursor_location == (1, 9)
        assert app.said() == []


async def test_while_a_tag_is_being_typed_the_other_lines_stay_as_they_are(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        rest = preview(screen).text.split("\n")[1:]
        await pilot.press("enter")
        for key in "{{ focus }}":
            await press(pilot, key)
            assert preview(screen).text.split("\n")[1:] == rest
            assert not preview(screen).is_stale
        assert note(screen) == ""


async def test_where_nothing_can_be_shown_the_last_preview_stays_dimmed(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        good = preview(screen).text
        screen.query_one(PromptEditor).load_text("{% set a = sentence %}" + "{% set a = a ~ a %}" * 12 + "{{ a }}")
        screen.show_preview()
        await settled(pilot)
        assert "too long" in shown_error(screen, "prompt")
        assert preview(screen).is_stale
        assert note(screen) == "(the last that could be shown)"
        screen.form.fill(TEMPLATE)
        screen.show_preview()
        await settled(pilot)
        assert (preview(screen).text, preview(screen).is_stale, note(screen)) == (good, False, "")


async def test_an_error_moves_nothing(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        places = [widget.region for widget in screen.query("TextField, PreviewText, Picker")]
        await press(pilot, "enter", *"{{")
        assert shown_error(screen, "prompt")
        assert [widget.region for widget in screen.query("TextField, PreviewText, Picker")] == places


async def test_the_sample_can_be_changed(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        for name, key in (("sentence", "A"), ("focus", "B"), ("context", "C")):
            screen.query_one(f"#sample-{name}").focus()
            await press(pilot, "home", key)
        assert preview(screen).text.startswith('Explain "Bfährt".\nAHoffentlich')
        assert "Around it: CDas" in preview(screen).text
        assert not screen.has_unsaved_changes


async def test_the_sample_is_the_last_sentence_looked_at(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        screen.use_sample(BreakdownRequest("Wohin fahren Sie?", "Wohin", context="Und?\nWie?", language="de"))
        await settled(pilot)
        assert preview(screen).text == 'Explain "Wohin".\nWohin fahren Sie?\nAround it: Und? Wie?'


async def test_painting_goes_on_although_no_preview_comes(
    app: Stage, screen: TemplateScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*args: object, **kwargs: object) -> None:
        """What a timer of Textual's that ticks once may do on a busy machine."""

    async with running(app, (120, 40)) as pilot:
        screen.query_one(PromptEditor).focus()
        await settled(pilot)
        with monkeypatch.context() as context:
            context.setattr(MessagePump, "set_timer", never)
            screen.query_one(PromptEditor).insert("X")
            assert app._batch_count == 1
            screen.workers.cancel_group(screen, "preview")
            while app._batch_count:
                await asyncio.sleep(0.001)
        await settled(pilot)
        assert "XExplain" in on_screen(app)


async def test_keys_that_come_faster_than_their_previews_are_painted_without_them(
    app: Stage, screen: TemplateScreen
) -> None:
    async with running(app, (120, 40)) as pilot:
        for held in (1, 0, 1, 0):
            screen.query_one(PromptEditor).insert("X")
            assert app._batch_count == held
        await settled(pilot)
        assert app._batch_count == 0
        assert preview(screen).text.startswith("XXXXExplain")
