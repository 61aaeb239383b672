"""Preview of the prompt as a model would get it, with sample values that can be changed beneath it."""

import re
from itertools import zip_longest
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static

from tui.compat.app import set_virtual_size
from tui.language.scripts import RANGES, SPACELESS
from tui.service.requests import BreakdownRequest, PreviewRequest
from tui.text.display import number
from tui.text.sanitize import without_controls
from tui.text.wrapping import Span, wrap
from tui.widgets.forms.text_fields import LineField

_DENSE = re.compile("[" + "".join(RANGES[name] for name in (*SPACELESS, "Hangul")) + "]")

SAMPLE = PreviewRequest(
    sentence="Hoffentlich fährt er überhaupt noch ab.",
    focus="fährt",
    context="Das ist der letzte heute, danach kommt bis morgen früh nichts mehr.",
    language="de",
    source="Der letzte Zug",
)
"""Sample values of the preview until a sentence has been looked at."""
_SAMPLED = ("sentence", "focus", "context")


def tokens_of(text: str) -> int:
    """Estimate of the tokens of a text: one for four characters, or for one in scripts with short words."""
    dense = len(_DENSE.findall(text))
    return dense + -(-(len(text) - dense) // 4)


class PreviewText(ScrollView, can_focus=True):
    """Scrollable text that is wrapped as a whole and drawn where it is in sight; a stale text is dimmed."""

    BINDING_GROUP_TITLE = "Preview"
    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"preview-text--stale"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "scroll", show=False),
        Binding("k,up", "scroll_up", show=False),
        Binding("pagedown,ctrl+d", "page_down", show=False),
        Binding("pageup,ctrl+u", "page_up", show=False),
        Binding("g,home", "scroll_home", show=False),
        Binding("G,end", "scroll_end", show=False),
    ]

    is_stale: reactive[bool] = reactive(False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.text = ""
        self._lines: list[Span] = []
        self._wrapped: dict[str, list[Span]] = {}
        self._width = 0
        self._style = Style()

    def show(self, text: str) -> None:
        before = self._in_sight()
        self.text, self.is_stale = without_controls(text).replace("\t", "    "), False
        self._wrap()
        width = self.size.width
        pairs = enumerate(zip_longest(before, self._in_sight()))
        if changed := [Region(0, y, width, 1) for y, (old, new) in pairs if old != new]:
            self.refresh(*changed)

    def on_resize(self) -> None:
        self._wrap()
        self.refresh()

    def watch_show_vertical_scrollbar(self) -> None:
        self.call_next(self.on_resize)  # the bar takes a column, of which no event tells

    def _in_sight(self) -> list[str]:
        first = self.scroll_offset.y
        return [self.text[start:end] for start, end in self._lines[first : first + self.size.height]]

    def _wrap(self) -> None:
        width, height = self.scrollable_content_region.size
        known = self._wrapped if width == self._width else {}
        self._wrapped, self._width, self._lines = {}, width, []
        begin = 0
        for part in self.text.split("\n") if width > 0 else ():
            # Most of the text is as it was before the last key: what is wrapped already is not wrapped again.
            spans = self._wrapped[part] = known.get(part) or wrap(part, width)
            self._lines.extend((begin + start, begin + end) for start, end in spans)
            begin += len(part) + 1
        size = Size(width, len(self._lines))
        if size == self.virtual_size:
            return
        if (size.height > height) == (self.virtual_size.height > height):
            # Nothing but the scroll bar changes; the layout of the whole screen would be the dearest part of a key.
            set_virtual_size(self, size)
        else:
            self.virtual_size = size

    def render_lines(self, crop: Region) -> list[Strip]:
        self._style = self.get_component_rich_style("preview-text--stale") if self.is_stale else self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        style = self._style
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        if row >= len(self._lines):
            return Strip.blank(width, style)
        start, end = self._lines[row]
        return Strip([Segment(self.text[start:end], style)]).adjust_cell_length(width, style)


class PreviewHead(Widget):
    """Head of the preview, with an estimate of its tokens at the right."""

    head: reactive[str] = reactive("Preview")
    tokens: reactive[str] = reactive("")

    def render(self) -> Content:
        return Content(self.head + self.tokens.rjust(self.content_size.width - len(self.head)))


class SampleFields(Widget):
    """Fields of the sample values; their labels are drawn beside them, as widgets of their own take a while to make."""

    def compose(self) -> ComposeResult:
        for name in _SAMPLED:
            yield LineField(getattr(SAMPLE, name), id=f"sample-{name}")

    def render(self) -> Content:
        return Content("\n".join("Sample" if name == "sentence" else name.capitalize() for name in _SAMPLED))


class PromptPreview(Vertical):
    """Preview pane: ``request`` is what to render; ``show`` and ``fail`` get the result."""

    class SampleChanged(Message):
        """Sent when another sample value was typed."""

    def __init__(self) -> None:
        super().__init__()
        self._language, self._source = SAMPLE.language, SAMPLE.source
        self._note = ""

    def compose(self) -> ComposeResult:
        yield PreviewHead()
        yield PreviewText(id="preview-text")
        yield Static(id="preview-note")  # always there, as nothing moves for an error
        yield SampleFields()

    @property
    def is_composed(self) -> bool:
        """Whether all its fields are there."""
        return bool(self.query(f"#sample-{_SAMPLED[-1]}"))

    def request(self, prompt: str) -> PreviewRequest:
        sampled = {name: self.query_one(f"#sample-{name}", LineField).value for name in _SAMPLED}
        return PreviewRequest(prompt=prompt, language=self._language, source=self._source, **sampled)

    def use(self, request: BreakdownRequest) -> None:
        """Take other sample values: those of a sentence that was looked at."""
        self._language, self._source = request.language, request.source
        with self.prevent(Input.Changed):
            for name in _SAMPLED:
                self.query_one(f"#sample-{name}", LineField).value = getattr(request, name)
        self.post_message(self.SampleChanged())

    def show(self, text: str, *, partly: bool = False, of: str = "") -> None:
        """Show a prompt, or ``partly``: what could be rendered of one with an error, which is shown at the prompt.

        ``of`` says what else is shown than the prompt of a breakdown.
        """
        self.query_one(PreviewText).show(text)
        head = self.query_one(PreviewHead)
        head.head = f"Preview: {of}" if of else "Preview"
        head.tokens = f"≈ {number(tokens_of(text))} tokens"
        self._say("(as far as it can be rendered)" if partly else "")
        if not self.has_focus_within:
            self.scroll_home(animate=False)  # on a small screen a sample field may have been scrolled to

    def fail(self, why: str = "(the last that could be shown)") -> None:
        """Dim the text: it is the last that could be rendered."""
        self.query_one(PreviewText).is_stale = True
        self._say(why)

    def _say(self, note: str) -> None:
        if note != self._note:
            self._note = note
            # A layout of the whole screen for every key would cost more than everything else together.
            self.query_one("#preview-note", Static).update(Content(note), layout=False)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.SampleChanged())
