"""The first visit of the template, which is composed before it, in idle time."""

from __future__ import annotations

import pytest
from textual.dom import DOMNode
from textual.pilot import Pilot

from tests.screens.driving import lines, opened, until, until_shown
from tests.screens.forms.template.driving import TEMPLATE
from tui.app import LodeApp
from tui.records.answers import NewTemplate
from tui.screens.forms.template import TemplateScreen
from tui.service.local import LocalService
from tui.widgets.forms.prompt_preview import PreviewText


def composed(pilot: Pilot[None]) -> TemplateScreen | None:
    assert isinstance(pilot.app, LodeApp)
    screen = pilot.app.section_screens.ahead
    assert screen is None or isinstance(screen, TemplateScreen)
    return screen


async def test_the_form_is_there_before_it_is_asked_for_and_shows_what_is_saved_then(service: LocalService) -> None:
    await service.template.save(TEMPLATE)
    async with opened(service, (120, 40)) as pilot:
        await until(pilot, lambda: composed(pilot) is not None)
        screen = composed(pilot)
        assert screen is not None
        await service.template.save(NewTemplate("lexicon:concordance", "What is {{ focus }}?", "Be brief."))
        await pilot.resize_terminal(80, 24)
        pilot.app.theme = "textual-light"
        await pilot.pause()
        await pilot.press("4")
        await until_shown(pilot, "What is {{ focus }}?")
        assert pilot.app.screen is screen
        first = lines(pilot)
        colours = screen.form.styles.background, screen.styles.background
        for key in "14":
            await pilot.press(key)
            await pilot.pause()
        await until_shown(pilot, "What is {{ focus }}?")
        assert lines(pilot) == first
        assert (screen.form.styles.background, screen.styles.background) == colours


async def test_the_form_of_another_profile_is_not_the_one_that_was_composed(service: LocalService) -> None:
    async with opened(service) as pilot:
        await until(pilot, lambda: composed(pilot) is not None)
        app, before = pilot.app, composed(pilot)
        assert isinstance(app, LodeApp)
        await app._show_profile("anna")
        await pilot.press("4")
        await until_shown(pilot, "System message")
        assert isinstance(app.screen, TemplateScreen)
        assert app.screen is not before
        assert app.screen.service.profile == "anna"


async def test_no_widget_is_styled_anew_for_a_first_visit(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    styled: list[DOMNode] = []
    update = LodeApp.update_styles

    def watched(self: LodeApp, node: DOMNode, animate: bool = True) -> None:
        styled.append(node)
        update(self, node, animate)

    async with opened(service) as pilot:
        monkeypatch.setattr(LodeApp, "update_styles", watched)
        for key in "2367":
            await pilot.press(key)
            await pilot.pause()
            assert pilot.app.screen not in styled


async def test_no_letter_of_the_preview_is_behind_its_scroll_bar(service: LocalService) -> None:
    await service.template.save(NewTemplate("lexicon:concordance", "x" * 4000, ""))
    async with opened(service, (120, 40), section="4") as pilot:
        await until_shown(pilot, "xx")
        screen = pilot.app.screen
        assert isinstance(screen, TemplateScreen)
        text = screen.preview.query_one(PreviewText)
        await until(pilot, lambda: text.show_vertical_scrollbar)
        await until(pilot, lambda: text.virtual_size.height == -(-4000 // text.scrollable_content_region.width))
