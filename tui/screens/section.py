"""Sections: their table, and the base class of their screens with top line, key line, and reading anew."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from tui.compat.app import SparingScreen
from tui.errors import LodeError, in_one_line
from tui.screens.input_queue import typed_input_kept
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.chrome.notice import show_worker_error
from tui.widgets.chrome.top_line import TopLine

if TYPE_CHECKING:
    from tui.screens.places import Place
    from tui.service.protocol import Service

SECTIONS: Mapping[str, str] = {
    "files": "tui.screens.lists.files:FilesScreen",
    "transcripts": "tui.screens.lists.transcripts:TranscriptsScreen",
    "clips": "tui.screens.lists.clips:ClipsScreen",
    "template": "tui.screens.forms.template:TemplateScreen",
    "breakdown": "tui.screens.answer.breakdown:BreakdownScreen",
    "jobs": "tui.screens.lists.jobs:JobsScreen",
    "words": "tui.screens.words.word_list:WordListScreen",
}
"""Sections by name, in the order of their number keys. Start-up imports the first only."""
OVERLAYS: Mapping[str, str] = {
    "the reader": "tui.screens.reader.reader:ReaderScreen",
    "the clip's form": "tui.screens.forms.clip_form:ClipForm",
    "the history": "tui.screens.answer.breakdown:HistoryScreen",
    "the dictionaries": "tui.screens.lists.dictionaries:DictionariesScreen",
    "the reviews": "tui.screens.review.waiting:ReviewsScreen",
    "the review": "tui.screens.review.review:ReviewScreen",
    "the bookmarks": "tui.screens.lists.bookmarks:BookmarksScreen",
    "the next words": "tui.screens.words.next_words:NextWordsScreen",
    "the overview of words": "tui.screens.words.word_overview:WordOverviewScreen",
    "the places of a word": "tui.screens.words.word_places:WordPlacesScreen",
}
"""Screens that are opened over a section's own, as messages about keys call them."""


EXPORT_WORK = "Transcripts are being written; one that is not whole yet will be no file."
"""Long work of the screens that export transcripts."""


class SectionScreen(SparingScreen[None]):
    """Screen of a section: ``SECTION`` names it (as in ``SECTIONS``), ``compose_body`` fills it.

    The screen has the class ``-narrow`` below 100 columns, ``-middle`` up to 120, ``-wide`` from there on;
    ``-short`` below 20 lines, ``-tall`` from there on, with a free line under the top line.
    """

    SECTION: ClassVar[str] = "files"
    SHOWS: ClassVar[frozenset[str]] = frozenset()
    """Kinds of record (as in ``LibraryChanged``) whose change makes this screen read anew."""
    KEYED_WIDGETS: ClassVar[tuple[type[Widget], ...]] = ()
    """Widgets of this screen with keys of their own: those of the settings must not clash with them."""
    KEYLESS: ClassVar[Sequence[tuple[str, str, str]]] = ()
    """Commands of the palette that have no key: a name, what it does, the action."""
    LINES: ClassVar[str] = ""
    """Name of one of what ``:42`` goes to, "" where it goes to nothing."""
    HAS_TIMES: ClassVar[bool] = False
    """Whether ``:12:30`` goes to a time."""
    LONG_WORK: ClassVar[Mapping[str, str]] = {}
    """Groups of workers that may be at work for long, each with a sentence that says so."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-middle"), (120, "-wide")]  # noqa: RUF012 - Textual declares it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012 - likewise
    DEFAULT_CSS = """
    SectionScreen {
        background: $background;
        &.-tall TopLine { margin-bottom: 1; }
        &.-continues TopLine { margin-bottom: 0; }
    }
    """

    def __init__(self, service: Service) -> None:
        super().__init__()
        self.service = service
        self._stale = False
        self._was_left = False

    def _size_class(self, cells: int, breakpoints: list[tuple[int, str]] | None) -> None:
        fitting = [name for least, name in breakpoints or () if least <= cells]
        if fitting:
            self.set_class(True, fitting[-1], update=False)

    def compose(self) -> ComposeResult:
        # Textual does this after the first layout, which then shows the parts of another size, and does it all again.
        self._size_class(self.app.size.width, self.HORIZONTAL_BREAKPOINTS)
        self._size_class(self.app.size.height, self.VERTICAL_BREAKPOINTS)
        yield TopLine(
            tuple(SECTIONS), self.SECTION, f"{self.service.profile} · {self.service.location}", self.service.trouble
        )
        yield from self.compose_body()
        yield KeyLine()

    @abstractmethod
    def compose_body(self) -> ComposeResult:
        """Compose the widgets between the two lines."""

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say the ``LodeError`` that a worker ended with."""
        if isinstance(error := event.worker.error, LodeError) and event.state is WorkerState.ERROR:
            self.say_error(error)
        else:
            show_worker_error(self, event)

    def typed_kept(self) -> AbstractContextManager[None]:
        """Context manager around what is read before a question is asked, so that its answer may be typed at once."""
        return typed_input_kept(self.app)

    def say(self, message: str) -> None:
        self.notify(one_line(message), markup=False)

    def say_error(self, error: LodeError) -> None:
        self.notify(in_one_line(error), severity="error", markup=False)

    def play_alone(self, playing: Coroutine[Any, Any, None]) -> None:
        """Play a sound instead of the one that is being played; it ends with the app at the latest.

        ``playing`` plays it and stops when cancelled; the ``LodeError`` that it raises is said.
        """

        async def play() -> None:
            try:
                await playing
            except LodeError as error:
                self.say_error(error)

        self.app.run_worker(play(), group="play", exclusive=True, exit_on_error=False)

    @property
    def place(self) -> Place | None:
        """Place in a transcript that is shown, to which one can come back."""
        return None

    def go_to_line(self, number: int) -> None:
        """Go to a line or row by its number, from 1; to the last one where there are fewer."""

    def go_to_time(self, milliseconds: int) -> object:
        """Go to what is said at a time."""

    def show_place(self) -> None:
        """Put what is under the eye into the middle, where there is such a thing."""

    def main_text(self) -> Widget | None:
        """The text field that an editor of one's own opens where no field has the focus."""
        return None

    def set_status(self, text: str, *shorter: str) -> None:
        """Show at the right of the top line what this screen is doing ("" for nothing), or less where it is narrow."""
        line = self.query_one(TopLine)
        line.status, line.shorter = text, shorter

    def show_jobs(self, count: int, progress: tuple[float, ...]) -> None:
        """Show at the right of the top line how many jobs run; ``progress`` is from 0 to 1 each."""
        for line in self.query(TopLine):
            line.jobs, line.progress = count, progress

    def show_inbox(self, sign: str) -> None:
        """Show in the top line where cards of other programs are taken ("" for nowhere)."""
        for line in self.query(TopLine):
            line.inbox = sign

    def show_trouble(self, trouble: str) -> None:
        """Show in the top line what keeps the library from answering ("" for nothing)."""
        for line in self.query(TopLine):
            line.trouble = trouble

    def library_back(self) -> None:
        """Read what could not be read, and what may have changed meanwhile: the library answers again."""
        self.library_changed(self.SHOWS)

    def library_changed(self, kinds: frozenset[str]) -> None:
        """Read anew if what changed is shown here; a screen that is not in sight does so when it comes back."""
        if not kinds & self.SHOWS or not self.is_mounted:
            return  # one that is not composed yet reads what it shows when it is
        if self.is_current:
            self.read_anew()
        else:
            self._stale = True

    def read_anew(self) -> object:
        """Read again what is shown; the place and the selection stay."""

    @property
    def has_unsaved_changes(self) -> bool:
        """Whether something was typed here that is not saved yet: only then is ``may_leave`` asked."""
        return False

    @property
    def work_in_progress(self) -> str:
        """Sentence on what would break off if this screen were closed now ("" for nothing)."""
        for worker in self.workers:
            if worker.node is self and worker.is_running and worker.group in self.LONG_WORK:
                return self.LONG_WORK[worker.group]
        return ""

    async def may_leave(self) -> bool:
        """Whether this screen may be left now: asks what becomes of unsaved changes. Runs in a worker."""
        return True

    def on_screen_suspend(self) -> None:
        self._was_left = True

    @on(events.ScreenResume)
    def _spare_styles(self, event: events.ScreenResume) -> None:
        # On the first visit Textual would style all widgets anew, twice, that it has just made and styled; only the
        # screen itself may be older than the style sheet that came with it.
        if not self._was_left:
            event.refresh_styles = False
            self.app.stylesheet.apply(self)

    def on_screen_resume(self) -> None:
        if self._stale:
            self._stale = False
            self.read_anew()


def screen_stack(app: App[Any], section: str) -> list[Screen[Any]]:
    """Screens that are open in a section; none before it is shown for the first time."""
    try:
        return app.get_screen_stack(section)
    except KeyError:
        return []


def open_sections(app: App[Any]) -> Iterator[SectionScreen]:
    """Section screens that are open, also those that are not in sight; none of an app that ends."""
    for section in SECTIONS if app.is_running else ():
        yield from (screen for screen in screen_stack(app, section) if isinstance(screen, SectionScreen))
