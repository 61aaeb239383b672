"""The template's form and its preview: what they show, where keys type, how they look on any terminal."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from textual.message_pump import MessagePump
from textual.widgets import OptionList

from tests.hostile import FORBIDDEN, deal
from tests.screens.forms.template.driving import TEMPLATE, TO_PROMPT, field, listed, note, preview, shown_error
from tests.screens.stage import Stage
from tests.settling import on_screen, press, running, settled
from tui.records.answers import NewTemplate
from tui.screens.forms.template import TemplateScreen
from tui.screens.messages import GoBack
from tui.service.requests import BreakdownRequest
from tui.store import Store
from tui.widgets.forms.prompt_editor import PromptEditor
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.forms.text_fields import FieldError, LineField


async def test_keys_type_in_a_field_of_the_form_and_lead_away_outside(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        assert screen.form.values() == TEMPLATE
        assert preview(screen).text == (
            'Explain "fährt".\nHoffentlich fährt er überhaupt noch ab.\n'
            "Around it: Das ist der letzte heute, danach kommt bis morgen früh nichts mehr."
        )
        assert "≈ 34 tokens" in on_screen(app)
        assert not screen.has_unsaved_changes
        seen = []
        for _ in range(11):
            await pilot.press("tab")
            focused = screen.focused
            assert focused is not None
            seen.append(focused.id or focused.parent.id if focused.parent else "")
        assert [name for name in seen if name] == [
            *("model-provider", "model-name", "prompt", "sys-msg", "srt-provider", "srt-name", "srt-sys-msg"),
            *("preview-text", "sample-sentence", "sample-focus", "sample-context"),
        ]
        await pilot.press("shift+tab")
        assert screen.focused is screen.query_one("#sample-focus")
        await pilot.press("escape", "1", "q", "u")
        assert app.pressed == ["1", "q", "u"]
        await press(pilot, "enter")
        assert screen.focused is field(screen, "model-provider"), "the lexicon has but one model"
        assert listed(screen, "model-provider")
        await pilot.press("escape", "escape")
        assert screen.focused is None
        assert not list(app.all_asked(GoBack))
        await press(pilot, "escape")
        assert len(list(app.all_asked(GoBack))) == 1
        app.pressed.clear()
        await pilot.press(*TO_PROMPT, "1", "q", "u", "6", "question_mark")
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


async def test_texts_are_a_line_each_until_they_have_the_focus_and_an_error_is_never_under_a_list(
    app: Stage, screen: TemplateScreen
) -> None:
    async with running(app, (120, 40)) as pilot:
        texts = {each.id: each for each in screen.query(TextField)}
        assert {each.size.height for each in texts.values()} == {1}
        for name in ("prompt", "sys-msg", "srt-sys-msg"):
            texts[name].focus()
            await settled(pilot)
            assert [each for each, area in texts.items() if area.size.height > 1] == [name]
        for size in ((120, 40), (80, 24), (60, 16)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            for part in ("model", "srt"):
                screen.form.show_error(part, "what is wrong, at some length " * 3)
                await settled(pilot)
                screen.form._picker(f"{part}-provider").open()
                await settled(pilot)
                (shown,) = (each for each in screen.query(OptionList) if each.display)
                for said in screen.query(FieldError):
                    assert said.id != f"{part}-error" or not shown.region.overlaps(said.region)
                assert not shown.region.overlaps(field(screen, f"{part}-provider").region)
                await pilot.press("escape")


async def test_on_any_terminal_all_has_one_edge_and_an_error_is_in_sight(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (80, 24)) as pilot:
        for size in ((80, 24), (120, 40), (200, 50)):
            await pilot.resize_terminal(*size)
            for name in ("prompt", "model"):
                screen.form.show_error(name, "what is wrong")
            await settled(pilot)
            rows = [row for row in screen.form.children if row.display]
            assert {row.region.x for row in rows} == {screen.form.region.x}
            assert len({row.region.right for row in rows}) == 1
            form = screen.form.region
            lines = on_screen(app).split("\n")
            shown = [lines[row.region.y][: form.right - 1] for row in rows if row.region.y < form.bottom]
            assert {len(line) - len(line.lstrip()) for line in shown if line.strip()} == {1}
        for size in ((80, 24), (60, 16)):
            await pilot.resize_terminal(*size)
            screen.form.clear_errors()
            screen.form.fill(TEMPLATE)
            screen.query_one(PromptEditor).focus()
            screen.query_one(PromptEditor).move_cursor((0, 0))
            await press(pilot, *"{{ x }}")
            for piece in ("{{ x }}", 'no value "x"', "Preview", 'Explain "fährt"'):
                assert piece in on_screen(app)
            if size == (80, 24):
                assert " ".join(shown_error(screen, "prompt").split()) in " ".join(on_screen(app).split())
            for name in ("#sys-msg", "#srt-sys-msg", "#sample-context"):
                screen.query_one(name).focus()
                await settled(pilot)
                await pilot.pause()
                assert screen.query_one(name).region.overlaps(screen.region.shrink((1, 0, 1, 0)))


@pytest.mark.exhaustive
async def test_hostile_text_is_edited_and_previewed_as_text(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        for model, prompt, system, srt_model, srt_system, sentence, focus, context, inserted in deal(9):
            screen.form.fill(NewTemplate(f"lexicon:{model}", "{{ sentence }}" + prompt, system, srt_model, srt_system))
            screen.use_sample(BreakdownRequest(sentence, focus, context=context, source=context))
            editor = screen.query_one(PromptEditor)
            editor.focus()
            editor.insert(inserted)
            await settled(pilot)
            assert not set(FORBIDDEN) & set(on_screen(app))
            await press(pilot, "f2")
            assert not set(FORBIDDEN) & set(on_screen(app))
        assert not set(FORBIDDEN) & set("".join(app.said()))


@pytest.mark.exhaustive
async def test_the_preview_follows_every_key_and_shows_what_is_no_error(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        good = preview(screen).text
        screen.query_one(PromptEditor).focus()  # which unfolds it
        await settled(pilot)
        places = [widget.region for widget in screen.query("TextField, PreviewText, Picker")]
        screen.set_focus(None)
        for keys, begins in (((*TO_PROMPT, *"Hi "), "Hi Exp"), (("ctrl+z",), "Exp"), (("ctrl+y",), "Hi Exp")):
            await press(pilot, *keys)
            assert preview(screen).text.startswith(f'{begins}lain "fährt".')
        assert screen.query_one(PromptEditor).text == "Hi " + TEMPLATE.prompt
        await press(pilot, *["backspace"] * 3, *"{{ contxt }}")
        said = shown_error(screen, "prompt")
        assert said.startswith('line 1, column 4: no value "contxt": there are sentence, focus')
        assert '\n ╰ line 1, column 4: no value "contxt": there are sentence, ' in on_screen(app)
        assert on_screen(app).count("line 1") == 1
        assert [widget.region for widget in screen.query("TextField, PreviewText, Picker")] == places
        assert preview(screen).text == "{{ contxt }}" + good
        assert not preview(screen).is_stale
        assert note(screen) == "(as far as it can be rendered)"
        assert note(screen) in on_screen(app)
        await press(pilot, *["backspace"] * 12)
        assert (shown_error(screen, "prompt"), note(screen)) == ("", "")
        assert preview(screen).text == good
        for key in "{{ focus }}":
            await press(pilot, key)
            assert preview(screen).text.split("\n")[1:] == good.split("\n")[1:]
            assert not preview(screen).is_stale
        assert note(screen) == ""
        await press(pilot, *["backspace"] * 11)
        screen.query_one(PromptEditor).load_text("{% set a = sentence %}" + "{% set a = a ~ a %}" * 12 + "{{ a }}")
        screen.show_preview()
        await settled(pilot)
        assert "too long" in shown_error(screen, "prompt")
        assert (preview(screen).is_stale, note(screen)) == (True, "(the last that could be shown)")
        screen.form.fill(TEMPLATE)
        screen.show_preview()
        await settled(pilot)
        assert (preview(screen).text, preview(screen).is_stale, note(screen)) == (good, False, "")


@pytest.mark.exhaustive
async def test_the_sample_is_the_last_sentence_looked_at_and_can_be_changed(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        screen.use_sample(BreakdownRequest("Wohin fahren Sie?", "Wohin", context="Und?\nWie?", language="de"))
        await settled(pilot)
        assert preview(screen).text == 'Explain "Wohin".\nWohin fahren Sie?\nAround it: Und? Wie?'
        for name, key in (("sentence", "A"), ("focus", "B"), ("context", "C")):
            screen.query_one(f"#sample-{name}").focus()
            await press(pilot, "home", key)
        assert preview(screen).text == 'Explain "BWohin".\nAWohin fahren Sie?\nAround it: CUnd? Wie?'
        assert not screen.has_unsaved_changes


@pytest.mark.exhaustive
async def test_a_saved_prompt_may_be_refused_by_now(app: Stage, screen: TemplateScreen, home: Path) -> None:
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


@pytest.mark.exhaustive
async def test_painting_goes_on_although_no_preview_comes_or_keys_come_faster(
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
        for held in (1, 0, 1, 0):
            screen.query_one(PromptEditor).insert("X")
            assert app._batch_count == held
        await settled(pilot)
        assert app._batch_count == 0
        assert preview(screen).text.startswith("XXXXXExplain")


async def test_in_the_fields_of_the_subtitles_the_preview_is_what_their_model_is_sent(
    app: Stage, screen: TemplateScreen
) -> None:
    async with running(app, (120, 40)) as pilot:
        before = preview(screen).text
        screen.query_one("#srt-sys-msg", TextField).focus()
        await settled(pilot)
        assert "Preview: subtitles" in on_screen(app)
        sent = preview(screen).text
        assert '1 "Hoffentlich fährt er überhaupt noch ab."' in sent and "Correct these subtitles in German." in sent
        await press(pilot, "ctrl+end", "X")
        assert preview(screen).text.startswith(screen.form.values().srt_sys_msg)
        assert "X\n\nCorrect these subtitles" in preview(screen).text
        screen.query_one("#srt-sys-msg", TextField).clear()
        await settled(pilot)
        assert preview(screen).text.startswith("You are a careful proof-reader of subtitles.")
        await press(pilot, "escape")
        assert preview(screen).text == before and "Preview: subtitles" not in on_screen(app)
