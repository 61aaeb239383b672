"""Line that offers to read on where one left off: the first thing of a start."""

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from tui.records.transcripts import LastRead
from tui.text.cells import cut
from tui.text.display import clock, share_read, title_with_series
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

_HEAD = "▌  "
_WORD = "Continue  "
_KEY = "⏎ "


class ContinueLine(Widget, can_focus=True):
    """Line above the list, with the focus until a key is pressed that is not its own: that one is the list's.

    So all keys mean what they mean without it, but enter. Without the focus it is an empty line: nothing moves.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    ContinueLine {
        height: 1; width: 1fr; max-width: 140; color: $foreground;
        &:focus { background: $block-cursor-background; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "read_on", "continue", key_display="⏎"),
        Binding("ctrl+j", "read_on", show=False),  # enter, typed before the app had the terminal
    ]

    @dataclass(eq=False)
    class Chosen(Message):
        """Sent on enter or a click; not ``is_first`` where another key came before enter, which is the list's then."""

        transcript_id: str
        is_first: bool = True

    def __init__(self, last: LastRead) -> None:
        super().__init__()
        each = self._transcript = last.transcript
        self._has_given_way = False
        self._title = one_line(title_with_series(each.title, each.series, each.season, each.episode))
        place = clock(last.start_ms) or f"line {last.place.cue_index + 1}"
        self._facts = f" · {place} · {share_read(each.read_cues, each.cue_count)}"

    def render(self) -> Content:
        room = self.size.width - sum(map(cell_len, (_HEAD, _WORD, self._facts, _KEY)))
        title = cut(self._title, max(1, room))
        return Content("").join(
            (
                Content.styled(_HEAD, "$accent"),
                Content.styled(_WORD, MUTED),
                Content.styled(title, "bold"),
                Content.styled(self._facts + " " * max(0, room - cell_len(title)) + _KEY, MUTED),
            )
        )

    def action_read_on(self) -> None:
        self.post_message(self.Chosen(self._transcript.id, is_first=not self._has_given_way))

    def on_click(self) -> None:
        self.post_message(self.Chosen(self._transcript.id))

    def on_key(self, event: events.Key) -> None:
        # Before the app looks for what the key is bound to, which then is that of the list.
        bound = self.screen.active_bindings.get(event.key)
        if bound is None or bound.node is not self:
            self._has_given_way = True  # the list may not be there yet to take the focus
            self.screen.focus_next()

    def on_blur(self) -> None:
        if self.app.app_focus:  # else the terminal has lost it, and gives it back
            self.visible = False
