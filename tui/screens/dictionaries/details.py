"""Dialog with the details of a dictionary: what it is, where it is from, and what its text is to be shown with."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.records.dictionaries import Dictionary
from tui.screens.dictionaries.rows import languages_of
from tui.screens.input_queue import AnswersOnce
from tui.text.display import age, count_of, size
from tui.text.sanitize import one_line, without_controls
from tui.widgets.chrome.scroll_panel import ScrollPanel


class DictionaryDetails(ModalScreen[None], AnswersOnce[None]):
    DEFAULT_CSS = """
    DictionaryDetails {
        align: center middle;
        background: $background 60%;
        ScrollPanel {
            width: 80%; min-width: 56; max-width: 100; height: auto; max-height: 100%;
            padding: 0 2; background: $surface; scrollbar-size-vertical: 1;
            border: round $foreground 35%; border-subtitle-color: $text-muted; border-subtitle-align: left;
        }
        Static { width: 1fr; height: auto; }
        Horizontal { height: auto; }
        .name { width: 12; color: $text-muted; }
        .part { margin-top: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,ctrl+c", "dismiss(None)", "close", show=False),
    ]

    def __init__(self, dictionary: Dictionary) -> None:
        super().__init__()
        self._dictionary = dictionary

    def compose(self) -> ComposeResult:
        each = self._dictionary
        with ScrollPanel() as panel:
            panel.border_subtitle = "esc closes"  # on the frame: what is said of a dictionary may be long
            yield Static(Content.styled(one_line(each.title), "bold"))
            for number, (name, value) in enumerate(self._facts()):
                with Horizontal(classes="" if number else "part"):
                    yield Static(Content(name), classes="name")
                    yield Static(Content(one_line(value)))
            if each.description:
                yield Static(Content(without_controls(each.description)), classes="part")

    def _facts(self) -> list[tuple[str, str]]:
        """Names and values of what is known of it."""
        each = self._dictionary
        has = f"{count_of(each.entry_count, 'entry', 'entries')} · {size(each.size_bytes)}"
        added = age(each.created_at)
        facts = (
            ("languages", languages_of(each)),
            ("has", has),
            ("format", each.format),
            ("revision", each.revision),
            ("added", "just now" if added == "now" else f"{added} ago"),
            ("from", each.file_name),
            ("author", each.author),
            ("licence", each.license),
            ("source", each.attribution),
            ("address", each.url),
        )
        return [(name, value) for name, value in facts if value]
