"""The one line of chrome above: the sections, and at the right whose library this is and what is going on."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.controls import one_line

SECTIONS = ("files", "transcripts", "clips", "template", "breakdown", "jobs")

_OWN = "local"
_FIRST = "default"
"""The profile without a name of its own."""
_BARS = "▁▂▃▄▅▆▇█"
_MOST_BARS = 8
_SHORT = 6
"""A shortened section name has at most this many cells, the ellipsis included."""

Tab = tuple[str, str]
"""What stands for a section in the line ("2 Transcripts", "2 Trans…", "2"), and the section."""
Tabs = tuple[list[Tab], int]
"""Those that stand there, and how many cells apart."""


class TopLine(Widget):
    """``section`` is highlighted; ``status`` (a stream's state, unsaved changes) stands in place of ``place``.

    ``place`` is "profile · location", ``jobs`` counts what is queued or running, ``progress`` (0 to 1 each) draws one
    small bar per running job. ``trouble`` is what keeps the library from answering: it stands in place of the location,
    and beside a status. Where the width is short, first the right side says less, then the names shrink.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"top-line--here", "top-line--running", "top-line--trouble"}
    DEFAULT_CSS = """
    TopLine {
        dock: top; height: 1; background: $background; color: $text-muted;
        & > .top-line--here { color: $accent; text-style: bold; }
        & > .top-line--running { color: $success; }
        & > .top-line--trouble { color: $text-error; }
    }
    """

    section: reactive[str] = reactive("files")
    place: reactive[str] = reactive("")
    status: reactive[str] = reactive("")
    jobs: reactive[int] = reactive(0)
    progress: reactive[tuple[float, ...]] = reactive(())
    trouble: reactive[str] = reactive("")

    class SectionChosen(Message):
        """A section's name was clicked."""

        def __init__(self, section: str) -> None:
            super().__init__()
            self.section = section

    def __init__(self, section: str, place: str, trouble: str = "") -> None:
        super().__init__()
        self.set_reactive(TopLine.trouble, trouble)
        self.set_reactive(TopLine.section, section)
        self.set_reactive(TopLine.place, place)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        plain = self.rich_style
        here = self.get_component_rich_style("top-line--here")
        (tabs, gap), right = self._laid_out(width)
        segments: list[Segment] = []
        for text, section in tabs:
            segments.append(Segment(" " * gap, plain) if segments else Segment(" ", plain))
            segments.append(Segment(text, here if section == self.section else plain))
        used = sum(cell_len(segment.text) for segment in segments)
        room = max(0, width - used - 2)
        right = _beginning(right, room) if self.trouble else _ending(right, room)
        segments.append(Segment(" " * max(0, width - used - cell_len(right) - 1), plain))
        segments.extend(self._right_segments(right, plain))
        segments.append(Segment(" ", plain))
        return Strip(segments).adjust_cell_length(width, plain)

    def _right_segments(self, right: str, plain: Style) -> list[Segment]:
        running = self.get_component_rich_style("top-line--running")
        if self.trouble:
            before, found, rest = right.rpartition(one_line(self.trouble))
            trouble = self.get_component_rich_style("top-line--trouble")
            if not found:  # it was cut
                return [Segment(right, trouble)]
            said = running if self.status.endswith("●") else plain
            return [Segment(before, said), Segment(found, trouble), Segment(rest, plain)]
        if self.status or not self.jobs or self._jobs_text not in right:
            return [Segment(right, running if self.status.endswith("●") else plain)]
        before, found, bars = right.partition(self._jobs_text)
        return [Segment(before, plain), Segment(found + bars, running)]

    @property
    def _jobs_text(self) -> str:
        return f"{self.jobs} job{'' if self.jobs == 1 else 's'}"

    def _laid_out(self, width: int) -> tuple[Tabs, str]:
        """The fullest tabs with the fullest right side that go into ``width`` cells."""
        rights = self._rights()
        for needed in dict.fromkeys((cell_len(self._needed()), 0)):
            for tabs, gap in self._tabs(width):
                used = 1 + sum(cell_len(text) for text, _ in tabs) + gap * (len(tabs) - 1)
                for right in rights:
                    if used + 2 + max(needed, cell_len(right)) + 1 <= width:
                        return (tabs, gap), right
        return self._tabs(0)[-1], rights[-1]

    def _tabs(self, width: int) -> list[Tabs]:
        """Ways to write the sections, the fullest that suits ``width`` first."""
        names = [(str(number), section.capitalize(), section) for number, section in enumerate(SECTIONS, 1)]
        full = [(f"{number} {name}", section) for number, name, section in names]
        short = [
            (f"{number} {name if section == self.section else _shortened(name)}", section)
            for number, name, section in names
        ]
        numbers = [
            (f"{number} {name}" if section == self.section else number, section) for number, name, section in names
        ]
        alone = [tab for tab in full if tab[1] == self.section]
        ways = [(full, 2), (full, 1), (short, 1), (numbers, 1), (alone, 1)]
        return ways[0 if width >= 80 else 1 if width >= 70 else 3 :]

    def _needed(self) -> str:
        """What the sections make room for: where the library is, unless it is this machine's own, and trouble."""
        if self.trouble:
            return self._rights()[0]
        if self.status or self.place.endswith(f" · {_OWN}"):
            return ""
        return self._places()[-1]

    def _places(self) -> list[str]:
        """Whose library it is and where, the fullest first.

        The profile that everyone begins with says less than the name of a server.
        """
        place = one_line(self.place)
        profile, _, location = place.partition(" · ")
        return [place] if profile != _FIRST or location == _OWN else [place, location]

    def _rights(self) -> list[str]:
        """What may stand at the right, the fullest first."""
        profile = one_line(self.place).partition(" · ")[0]
        if trouble := one_line(self.trouble):
            return [f"{one_line(self.status) or profile} · {trouble}", trouble]
        if self.status:
            return [one_line(self.status)]
        places = self._places()
        if not self.jobs:
            return [*places, profile, ""]
        jobs = self._jobs_text
        bars = "".join(_BARS[round(min(1, max(0, part)) * 7)] for part in self.progress[:_MOST_BARS])
        return [
            f"{places[0]} · {jobs} {bars}".rstrip(),
            *(f"{each} · {jobs}" for each in places),
            f"{profile} · {jobs}",
            jobs,
        ]

    async def _on_click(self, event: events.Click) -> None:
        x = 1
        (tabs, gap), _ = self._laid_out(self.size.width)
        for text, section in tabs:
            if x <= event.x < x + cell_len(text):
                self.post_message(self.SectionChosen(section))
                return
            x += cell_len(text) + gap


def _beginning(text: str, width: int) -> str:
    """As much of the text as goes into ``width`` cells."""
    from tui.widgets.cells import cut

    return cut(text, width) if width else ""


def _ending(text: str, width: int) -> str:
    """As much of the text as goes into ``width`` cells: its end, since that is what changes."""
    if cell_len(text) <= width:
        return text
    text = text[-width:] if width else ""
    while text and cell_len(text) >= width:
        text = text[1:]
    return f"…{text}" if width else ""


def _shortened(name: str) -> str:
    return name if len(name) <= _SHORT else name[: _SHORT - 1] + "…"
