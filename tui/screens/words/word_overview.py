"""Overview of the words: how many are in which state, known words over time, clips a day, share known by transcript."""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.errors import LodeError
from tui.records.word_states import WordState
from tui.records.word_stats import DayCount, WordStats
from tui.screens.input_queue import AnswersOnce
from tui.screens.section import SectionScreen
from tui.screens.words.marking_list import WordTabs, go_to_tab
from tui.text.display import language, now, number
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.notice import Notice
from tui.widgets.plots import Plot, Share, draw_calendar, draw_growth, draw_shares

_MOST_TRANSCRIPTS = 40
_SAID: Sequence[WordState] = ("known", "learning", "seen", "new", "ignored")


class WordOverviewScreen(SectionScreen, AnswersOnce[None]):
    """Screen over the list of words."""

    SECTION = "words"
    SHOWS = frozenset({"word", "transcript", "clip", "cue"})
    AUTO_FOCUS = "#plots"
    CSS_PATH = "words.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll(1)", "down", show=False, id="overview.down"),
        Binding("k,up", "scroll(-1)", "up", show=False, id="overview.up"),
        Binding("tab", "tab(1)", "next tab", key_display="tab", tooltip="to the list of words", id="overview.tab"),
        Binding("shift+tab", "tab(-1)", "previous tab", show=False, tooltip="to what to learn", id="overview.tab_back"),
        Binding("r", "refresh", "refresh", show=False, id="overview.refresh"),
        Binding("escape", "dismiss(None)", "back", show=False, id="overview.back"),
    ]

    def compose_body(self) -> ComposeResult:
        yield WordTabs("overview")
        with VerticalScroll(id="plots"):
            yield Static(id="states")
            with Horizontal(id="over-time"):
                yield Plot("Known words", empty="None yet: w in the list and in the reader marks them.", id="growth")
                yield Plot("Clips", empty="None yet: c in the reader keeps one.", id="calendar")
            yield Plot("Known, by transcript", empty="No transcripts yet.", id="shares")
        yield Notice()

    def on_mount(self) -> None:
        self.read_anew()

    def action_refresh(self) -> None:
        self.read_anew()

    @work(exclusive=True, group="stats", exit_on_error=False)
    async def read_anew(self) -> None:
        try:
            stats = await self.service.known_words.stats()
        except LodeError as error:
            keys = (("refresh", "tries again"), ("back", "goes back"))
            self.query_one(Notice).say_error(error, [(shown_key(self, f"overview.{key}"), does) for key, does in keys])
            self.add_class("-nothing")
            return
        self.remove_class("-nothing")
        today = now().astimezone().date()
        self.query_one("#states", Static).update(_states(stats))
        self.query_one("#growth", Plot).show(partial(draw_growth, list(_by_day(stats.known)), today))
        self.query_one("#calendar", Plot).show(partial(draw_calendar, dict(_by_day(stats.clips)), today))
        self.query_one("#shares", Plot).show(partial(draw_shares, _shares(stats)))

    def action_scroll(self, lines: int) -> None:
        self.query_one("#plots", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_tab(self, step: int) -> None:
        if not self.has_answered:
            go_to_tab(self, "overview", step)


def _states(stats: WordStats) -> Content:
    """A line for each language: how many of its words are in which state."""
    lines = []
    for tag in dict.fromkeys(each.language for each in stats.states):
        counts = {each.state: each.words for each in stats.states if each.language == tag}
        said = [f"{number(counts[state])} {state}" for state in _SAID if counts.get(state)]
        name = Content.styled(language(tag) or "Unknown language", "$foreground")
        lines.append(name + Content("  " + " · ".join(said)))
    return Content("\n").join(lines) if lines else Content("No words yet: add something to read.")


def _by_day(counts: Iterable[DayCount]) -> Iterable[tuple[date, int]]:
    return ((date.fromisoformat(each.day), each.count) for each in counts)


def _shares(stats: WordStats) -> list[Share]:
    """The transcripts, those that are known best first."""
    found = sorted(stats.transcripts, key=lambda each: -each.counts.share_known)[:_MOST_TRANSCRIPTS]
    return [Share(each.title, each.counts.share_known, f"{number(each.counts.new)} new") for each in found]
