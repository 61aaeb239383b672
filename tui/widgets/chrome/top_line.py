"""Top line: the sections and, at the right, profile and location, running jobs or a status."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.text.cells import cut
from tui.text.display import count_of
from tui.text.sanitize import one_line

_OWN = "local"
_INBOX = "inbox"
"""Sign of an inbox where there is no room for its port."""
_FIRST = "default"
"""Profile without a name of its own."""
_BARS = "▁▂▃▄▅▆▇█"
_MOST_BARS = 8
_SHORT = 5
"""Cells of a shortened section name at most, the ellipsis included."""
_BETWEEN = " · "
_LEAST_STATUS = 17
"""Cells for which a longer status makes the names move together: "streaming · 3.2 s"."""
_LEAST_NAME = 7
"""Cells of a model's or a profile's name at least: fewer say nothing."""

Tab = tuple[str, str]
"""Label of a section in the line ("2 Transcripts", "2 Trans…", "2"), and the section."""
Tabs = tuple[list[Tab], int]
"""Tabs in the line, and how many cells apart they are."""


class TopLine(Widget):
    """Line of ``sections``, with ``section`` highlighted; ``status`` (a stream's state, unsaved changes) stands in
    place of ``library``, or the first of the ``shorter`` texts for it that fits.

    ``library`` is "profile · location", ``jobs`` counts what is queued or running, ``progress`` (0 to 1 each) draws one
    small bar per running job; ``inbox`` says where cards of other programs are taken. ``trouble`` is what keeps the
    library from answering: it stands in place of the location, and beside a status. Where the width is short, first the
    right side says less, then the names are shortened, then the right side is cut; for nothing but trouble do the names
    become numbers in a width that has room for names.
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
    library: reactive[str] = reactive("")
    status: reactive[str] = reactive("")
    shorter: reactive[tuple[str, ...]] = reactive(())
    jobs: reactive[int] = reactive(0)
    progress: reactive[tuple[float, ...]] = reactive(())
    inbox: reactive[str] = reactive("")
    trouble: reactive[str] = reactive("")

    @dataclass(eq=False)
    class SectionChosen(Message):
        """Sent when a section's name was clicked."""

        section: str

    class ProfileClicked(Message):
        """Sent when the name of the profile was clicked, or what stands beside it."""

    def __init__(self, sections: Sequence[str], section: str, library: str, trouble: str = "") -> None:
        super().__init__()
        self._sections = sections
        self.set_reactive(TopLine.trouble, trouble)
        self.set_reactive(TopLine.section, section)
        self.set_reactive(TopLine.library, library)

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
        segments.append(Segment(" " * max(0, width - used - cell_len(right) - 1), plain))
        segments.extend(self._right_segments(right, plain))
        segments.append(Segment(" ", plain))
        return Strip(segments).adjust_cell_length(width, plain)

    def _right_segments(self, right: str, plain: Style) -> list[Segment]:
        running = self.get_component_rich_style("top-line--running")
        said = running if self.status.endswith("●") else plain
        if self.trouble:
            before, found, rest = right.rpartition(one_line(self.trouble))
            trouble = self.get_component_rich_style("top-line--trouble")
            if not found:  # it was cut
                return [Segment(right, trouble)]
            return [Segment(before, said), Segment(found, trouble), Segment(rest, plain)]
        if self.status or not (self.jobs or self.inbox):
            return [Segment(right, said)]
        # A profile may be called so, too: the sign stands behind it.
        start = right.rfind(_INBOX if self.inbox else self._jobs_text)
        at_work = right.find(self._jobs_text) if start < 0 else start
        return [Segment(right[: max(at_work, 0)], plain), Segment(right[max(at_work, 0) :], running)]

    @property
    def _jobs_text(self) -> str:
        return count_of(self.jobs, "job")

    def _laid_out(self, width: int) -> tuple[Tabs, str]:
        """Layout: the fullest tabs that leave room for what has to stand at the right, and the text there."""
        rights = self._right_texts()
        for ways, needed in self._attempts(self._tabs(width)):
            for tabs in ways:
                if needed <= (room := _room(tabs, width)):
                    return tabs, next((right for right in rights if cell_len(right) <= room), self._cut(room))
        room = _room(tabs := self._tabs(width)[-1], width)
        shorter = map(one_line, self.shorter if self.status else ())
        return tabs, next((each for each in shorter if cell_len(each) <= room), self._cut(room))

    def _tabs(self, width: int) -> list[Tabs]:
        """Ways to write the sections, the fullest that suits ``width`` first."""
        full = [(f"{number} {section.capitalize()}", section) for number, section in enumerate(self._sections, 1)]
        here = [tab for tab in full if tab[1] == self.section]
        short = [(text if (text, name) in here else _shortened(text), name) for text, name in full]
        numbers = [(text if (text, name) in here else text.partition(" ")[0], name) for text, name in full]
        ways = [(full, 2), (full, 1), (short, 1), (numbers, 1), (here, 1)]
        first = 0 if width >= 80 else 1 if width >= 76 else 3
        return ways[first:] if self.trouble else ways[first:3] or [ways[3]]

    def _attempts(self, ways: list[Tabs]) -> list[tuple[list[Tabs], int]]:
        """Ways to try, and how many cells each must leave: for a status, where the library is, or trouble."""
        if self.trouble:
            return [(ways, cell_len(right)) for right in self._right_texts()[-2:]]
        if self.status:
            whole = cell_len(one_line(self.status))
            words = [way for way in ways if way[0] == ways[0][0]]
            close = [way for way in ways if way[1] == 1]
            return [(words, whole), (close, min(whole, _LEAST_STATUS))]
        if self.library.endswith(f" · {_OWN}"):
            # A name that is cut after two letters says nothing: rather the sections move together.
            return [(ways, min(cell_len(self._right_texts()[-1]), _LEAST_NAME)), (ways, 0)]
        return [(ways, cell_len(self._library_texts()[-1]))]

    def _library_texts(self) -> list[str]:
        """Texts for profile and location, the fullest first.

        The profile that everyone begins with says less than the name of a server.
        """
        place = one_line(self.library)
        profile, _, location = place.partition(_BETWEEN)
        return [place] if profile != _FIRST or location == _OWN else [place, location]

    def _right_texts(self) -> list[str]:
        """Texts that may stand at the right, the fullest first."""
        profile = one_line(self.library).partition(_BETWEEN)[0]
        if trouble := one_line(self.trouble):
            status = _shorter_status(one_line(self.status), _LEAST_STATUS)
            beside = dict.fromkeys((one_line(self.status) or profile, status or profile))
            return [*(f"{each}{_BETWEEN}{trouble}" for each in beside), trouble]
        if self.status:
            return [*map(one_line, (self.status, *self.shorter))]
        places = self._library_texts()
        if self.inbox:
            places = [*(f"{each}{_BETWEEN}{self.inbox}" for each in (*places, profile)), self.inbox, _INBOX]
            profile = places[-1]
        if not self.jobs:
            return [*places, profile]
        jobs = self._jobs_text
        bars = "".join(_BARS[round(min(1, max(0, part)) * 7)] for part in self.progress[:_MOST_BARS])
        return [
            f"{places[0]} · {jobs} {bars}".rstrip(),
            *(f"{each} · {jobs}" for each in places),
            f"{profile} · {jobs}",
        ]

    def _cut(self, room: int) -> str:
        """Text at the right where nothing of it fits whole."""
        if trouble := one_line(self.trouble):
            return cut(trouble, room)
        if self.status:
            return _shorter_status(one_line(self.status), room)
        profile, _, location = self._library_texts()[-1].partition(_BETWEEN)
        if self.inbox:
            return cut(self._jobs_text if self.jobs else _INBOX, room)
        if self.jobs:
            left = room - cell_len(self._jobs_text) - len(_BETWEEN)
            named = f"{cut(profile, left)}{_BETWEEN}" if left > 3 else ""
            return cut(f"{named}{self._jobs_text}", room)
        left = max(room - len(_BETWEEN) - cell_len(location), room // 3)
        return cut(f"{cut(profile, left)}{_BETWEEN}{location}" if location != _OWN else profile, room)

    async def on_click(self, event: events.Click) -> None:
        x = 1
        (tabs, gap), right = self._laid_out(self.size.width)
        for text, section in tabs:
            if x <= event.x < x + cell_len(text):
                self.post_message(self.SectionChosen(section))
                return
            x += cell_len(text) + gap
        before, jobs, _ = right.partition(self._jobs_text if self.jobs else "\n")
        start = self.size.width - 1 - cell_len(right)
        if self.status or not start <= event.x < self.size.width - 1:
            return
        on_jobs = jobs and event.x >= start + cell_len(before)
        self.post_message(self.SectionChosen("jobs") if on_jobs else self.ProfileClicked())


def _room(tabs: Tabs, width: int) -> int:
    """Cells beside the tabs: one free before them, two between, one behind."""
    texts, gap = tabs
    return max(0, width - 1 - sum(cell_len(text) for text, _ in texts) - gap * (len(texts) - 1) - 3)


def _shorter_status(text: str, room: int) -> str:
    """Shorten "model · state · rate · seconds" to ``room`` cells.

    The rate goes first, then the middle of the model's name, then the seconds or, where they leave no room for it, the
    name; what is done stays.
    """
    name, *parts = text.split(_BETWEEN)
    while len(parts) > 2 and cell_len(text) > room:
        del parts[1]
        text = _BETWEEN.join((name, *parts))
    if cell_len(text) <= room:
        return text
    if not parts:
        return cut(name, room, inside=True)
    said = _BETWEEN.join(parts)
    for each in (said, parts[0]):
        if (left := room - cell_len(each) - len(_BETWEEN)) >= _LEAST_NAME:
            return f"{cut(name, left, inside=True)}{_BETWEEN}{each}"
    if len(parts) == 1 and cell_len(name) < room:  # no name of a model: "12 marked · 40 found"
        return cut(text, room)
    if cell_len(said) <= room:
        return said
    if cell_len(parts[0]) <= room:
        return parts[0]
    left = room - cell_len(parts[-1]) - len(_BETWEEN)
    return f"{cut(parts[0], left)}{_BETWEEN}{parts[-1]}" if len(parts) > 1 and left > 1 else cut(said, room)


def _shortened(tab: str) -> str:
    number, _, name = tab.partition(" ")
    return tab if len(name) <= _SHORT else f"{number} {name[: _SHORT - 1]}…"
