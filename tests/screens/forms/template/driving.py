"""Driving the template screen: waiting for what it does, and reading what it shows."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from tui.records.answers import NewTemplate
from tui.screens.forms.template import TemplateScreen
from tui.widgets.forms.picker import Picker
from tui.widgets.forms.prompt_preview import PreviewText
from tui.widgets.forms.text_fields import FieldError, LineField

TEMPLATE = NewTemplate(
    model="lexicon:concordance",
    prompt='Explain "{{ focus }}".\n{{ sentence }}\n{% if context %}Around it: {{ context }}{% endif %}',
    sys_msg="You are patient.",
)


TO_PROMPT = ("tab", "tab", "tab")
"""Keys that lead into the prompt from where the screen opens."""


async def until_asked(pilot: Pilot[None], dialog: type) -> None:
    """Wait for a question; the worker that asks it goes on only after the answer."""
    while not isinstance(pilot.app.screen, dialog):
        await pilot.pause()


async def read_saved(screen: TemplateScreen) -> NewTemplate:
    template = await screen.service.template.get()
    assert template is not None
    return template


def shown_error(screen: TemplateScreen, field: str) -> str:
    return screen.query_one(f"#{field}-error", FieldError).message


def listed(screen: TemplateScreen, picker: str) -> list[str]:
    """What the list of a picker shows, line by line; nothing while it is closed."""
    found = screen.query_one(f"#{picker}", Picker)
    return [str(option.prompt) for option in found.query_one(OptionList).options] if found.is_open else []


def preview(screen: TemplateScreen) -> PreviewText:
    return screen.query_one(PreviewText)


def note(screen: TemplateScreen) -> str:
    """What is said beneath the preview."""
    return str(screen.query_one("#preview-note", Static).content)


def field(screen: TemplateScreen, picker: str) -> LineField:
    return screen.query_one(f"#{picker}", Picker).query_one(LineField)
