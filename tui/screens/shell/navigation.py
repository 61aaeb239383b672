"""Navigation from section to section, into a transcript or a breakdown, and back again.

And what is asked before a screen, a profile or Lode is left with unsaved changes or running work.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.screen import Screen

from tui.errors import LodeError
from tui.screens.messages import (
    Open,
    OpenBreakdown,
    OpenClips,
    OpenHistory,
    OpenNextWords,
    OpenReview,
    OpenTranscript,
    OpenView,
    OpenWords,
)
from tui.screens.places import MAX_PLACES, AnyPlace, Place, places_of
from tui.screens.section import SECTIONS, SectionScreen, open_sections, screen_stack

if TYPE_CHECKING:
    from tui.records.search_fields import ViewList
    from tui.screens.shell.library_updates import LibraryUpdates
    from tui.service.protocol import Service
    from tui.service.requests import BreakdownRequest

_GROUP = "leave"
"""Group of the workers that ask whether something may be left, the screens' own among them."""


class Navigation:
    """Navigation of ``app``: a section is a mode, and what is opened over its own screen lies on that mode's stack.

    ``esc`` leads back along the trail of sections from which something was opened; choosing a section begins it anew,
    and with no trail to follow it leads to the section that was shown before. ``on_arrival`` is called in every new
    place, ``add_section`` makes a section known to the app.
    """

    def __init__(
        self,
        app: App[Any],
        service: Service,
        add_section: Callable[[str], None],
        *,
        on_arrival: Callable[[], None] = lambda: None,
    ) -> None:
        self._app = app
        self._add_section = add_section
        self._on_arrival = on_arrival
        self._service = service
        self._trail: list[str] = []
        self._before = ""
        self._looked_at: BreakdownRequest | None = None

    def use_service(self, service: Service) -> None:
        """Lead through another profile of the library from now on, with no way back into the one before."""
        self._service = service
        self._trail.clear()
        self._before = ""
        self._looked_at = None

    async def show(self, section: str) -> None:
        """Show a section as it was left; the one that is in sight already shows its own screen again."""
        self._keep_place(section)
        await self._show(section)

    async def _show(self, section: str) -> None:
        self._trail.clear()
        if section == self._app.current_mode:
            self._unwind()
        await self._go(section)

    async def _go(self, section: str) -> None:
        if section != self._app.current_mode:
            self._before = self._app.current_mode
            with self._app.batch_update():  # nothing is drawn before the section is composed
                await self._app.switch_mode(section)
        if section == "template":
            self._show_sample()
        self._on_arrival()

    def _unwind(self) -> None:
        while len(self._app.screen_stack) > 1:
            self._app.screen.dismiss(None)

    @property
    def _here(self) -> AnyPlace | None:
        """Place that is shown, None where one cannot come back to it."""
        screen = self._app.screen
        if isinstance(screen, SectionScreen) and screen.place is not None:
            return screen.place
        return self._app.current_mode if screen is self._app.screen_stack[0] else None

    def _keep_place(self, going_to: str = "") -> None:
        """Keep the place that is left, unless one stays there."""
        if (here := self._here) is not None and here != going_to:
            places_of(self._service).leave(here)

    async def travel(self, step: int) -> None:
        """Go back to the place one came from (-1), those of days before among them, or forward again (1)."""
        places = places_of(self._service)
        if step < 0 and not places.has_way_back and places.has_older:
            with suppress(LodeError):
                last = await self._service.transcripts.last_read(limit=MAX_PLACES)
                places.add_older(
                    [Place(each.transcript.id, each.place.cue_index, each.place.word_index) for each in last]
                )
        match places.step(self._here, step):
            case None:
                where = "back to" if step < 0 else "forward to"
                self._app.notify(f"there is no place to go {where}", markup=False)
            case Place() as place:
                await self._travel_to(place, step)
            case section:
                await self._show(section)
                if section == "transcripts":
                    self._unwind()  # the reader that lies over it is another place

    async def _travel_to(self, place: Place, step: int) -> None:
        """Show a place in the reader that is open, else in one that is opened."""
        from tui.screens.reader.reader import ReaderScreen

        here, stack = self._app.current_mode, screen_stack(self._app, ReaderScreen.SECTION)
        if stack and isinstance(reader := stack[-1], ReaderScreen):
            if here != ReaderScreen.SECTION:
                self._trail.append(here)
                await self._go(ReaderScreen.SECTION)
            reader.travel_to(place, step if here == ReaderScreen.SECTION else 0)
        else:
            await self._open(ReaderScreen(self._service, place.transcript_id, (place.cue, place.word)))

    async def uncover(self, screen: SectionScreen) -> None:
        """Show this screen of whatever section; what lies over it goes, with no answer."""
        await self._go(screen.SECTION)
        while self._app.screen is not screen:
            self._app.screen.dismiss(None)

    async def leave(self, screen: Screen[Any], *, haven: str) -> bool:
        """Leave a screen that is broken: for what it lies over, else for the section ``haven``; its own section is made
        anew when it is chosen again. False where there is nowhere to go.
        """
        section = next((name for name in SECTIONS if screen in screen_stack(self._app, name)), "")
        if not section:
            return True  # it has gone already
        if screen is not screen_stack(self._app, section)[0]:
            while section == self._app.current_mode and self._app.screen is not screen:
                self._app.screen.dismiss(None)
            screen.dismiss(None)
            return True
        if section == haven:
            return False
        self._trail.clear()
        await self._go(haven)
        self._before = ""
        await self._app.remove_mode(section)
        self._add_section(section)
        return True

    async def open(self, asked: Open) -> None:
        """Open what is asked for, in its section."""
        self._keep_place()
        match asked:
            case OpenTranscript():
                from tui.screens.reader.reader import ReaderScreen
                from tui.widgets.transcript.cue_lines import AtOffset

                start = None if asked.cue_index is None else (asked.cue_index, AtOffset(asked.offset))
                await self._open(ReaderScreen(self._service, asked.transcript_id, start, asked.follow, asked.q))
            case OpenReview():
                from tui.screens.review.review import ReviewScreen

                await self._open_here(ReviewScreen(self._service, asked.review))
            case OpenNextWords():
                from tui.screens.words.next_words import NextWordsScreen

                await self._open(NextWordsScreen(self._service, asked.transcript_id, asked.title))
            case OpenBreakdown():
                from tui.screens.answer.breakdown import BreakdownScreen

                self._trail.append(self._app.current_mode)
                await self._go("breakdown")
                if isinstance(screen := self._app.screen_stack[0], BreakdownScreen):
                    screen.ask(asked.request, asked.draft, shown=asked.shown)
            case OpenClips(q):
                await self._open_filtered("clips", q)
            case OpenWords(q):
                await self._open_filtered("words", q)
            case OpenHistory(q):
                await self._open_filtered("answers", q)
            case OpenView(view):
                await self._open_filtered(view.list, view.q, view.sort)

    async def open_dictionaries(self) -> None:
        from tui.screens.lists.dictionaries import DictionariesScreen

        if not isinstance(self._app.screen, DictionariesScreen):
            self._keep_place()
            await self._open(DictionariesScreen(self._service))

    async def open_bookmarks(self) -> None:
        """Open the bookmarks over what is in sight, so that esc leads back to it."""
        from tui.screens.lists.bookmarks import BookmarksScreen

        if not isinstance(self._app.screen, BookmarksScreen):
            self._keep_place()
            await self._open_here(BookmarksScreen(self._service))

    async def open_reviews(self) -> None:
        """Open the reviews that wait over what is in sight, or the only one."""
        from tui.screens.review.review import ReviewScreen
        from tui.screens.review.waiting import ReviewsScreen

        if isinstance(self._app.screen, ReviewsScreen | ReviewScreen):
            return
        self._keep_place()
        waiting = await self._service.reviews.page(limit=1)
        screen: SectionScreen = ReviewsScreen(self._service)
        if waiting.total == 1:
            screen = ReviewScreen(self._service, waiting.items[0])
        await self._open_here(screen)

    async def _open_here(self, screen: SectionScreen) -> None:
        """Open a screen over what is in sight, of whatever section, so that esc leads back to it."""
        self._trail.append(self._app.current_mode)
        await self._app.push_screen(screen)
        self._on_arrival()

    async def _open(self, screen: SectionScreen) -> None:
        """Open a screen over that of its section."""
        self._trail.append(self._app.current_mode)
        await self._go(screen.SECTION)
        self._unwind()
        await self._app.push_screen(screen)
        self._on_arrival()

    async def _open_filtered(self, listed: ViewList, q: str, sort: str = "") -> None:
        from tui.screens.answer.breakdown import BreakdownScreen
        from tui.screens.lists.record_list import RecordListScreen

        self._trail.append(self._app.current_mode)
        await self._go("breakdown" if listed == "answers" else listed)
        self._unwind()
        match self._app.screen_stack[0]:
            case BreakdownScreen() as screen:
                await screen.show_history(q)
            case RecordListScreen() as screen:
                screen.sort_as(sort)
                await screen.filter_by(q)

    async def go_back(self) -> None:
        self._keep_place()
        if len(self._app.screen_stack) > 1:
            self._app.pop_screen()
        elif not self._trail and self._before:
            await self._go(self._before)
        if self._trail:
            await self._go(self._trail.pop())

    def look_at(self, request: BreakdownRequest) -> None:
        """Remember a sentence for the template's preview; news of it may come after the section was left."""
        self._looked_at = request
        if self._app.current_mode == "template":
            self._show_sample()

    def _show_sample(self) -> None:
        from tui.screens.forms.template import TemplateScreen

        screen = self._app.screen_stack[0]
        if self._looked_at is not None and isinstance(screen, TemplateScreen):
            screen.use_sample(self._looked_at)
            self._looked_at = None  # until another sentence is looked at, the sample is the user's


class LeaveGuard:
    """Guard that asks before leaving, one question at a time: while one is open, another wish to leave is dropped.

    ``jobs_end_too``: those of a server go on when Lode is left, and are not asked about.
    """

    def __init__(self, app: App[Any], navigation: Navigation, updates: LibraryUpdates, *, jobs_end_too: bool) -> None:
        self._app = app
        self._jobs_end_too = jobs_end_too
        self._navigation = navigation
        self._updates = updates

    async def leave_for(self, go: Callable[[], Awaitable[object]]) -> None:
        """Go, at once where nothing can be lost, so that the next key already finds the new screen."""
        screen = self._app.screen
        if not isinstance(screen, SectionScreen) or not screen.has_unsaved_changes:
            await go()
            return

        async def ask() -> None:
            if await screen.may_leave():
                await go()

        self._ask(ask)

    def quit(self) -> None:
        """Quit; asks first where something is unsaved in any section, and where jobs still run."""
        self._ask(self._quit)

    def change_profile(self, go: Callable[[], Awaitable[None]]) -> None:
        """Go to another profile; asks first where anything in any section is unsaved or would break off."""

        async def change() -> None:
            section = self._app.current_mode
            if await self._may_leave_sections() and await self._may_break_off():
                await self._navigation.show(section)  # the questions may have led elsewhere
                await go()

        self._ask(change)

    def _ask(self, asking: Callable[[], Awaitable[None]]) -> None:
        if any(worker.group == _GROUP and not worker.is_finished for worker in self._app.workers):
            return  # its question is still to be answered
        self._app.run_worker(asking, group=_GROUP, exit_on_error=False)

    async def _quit(self) -> None:
        if await self._may_leave_sections() and await self._may_leave_jobs():
            self._app.exit()

    async def _may_leave_sections(self) -> bool:
        for screen in [screen for screen in open_sections(self._app) if screen.has_unsaved_changes]:
            await self._navigation.uncover(screen)
            if not await screen.may_leave():
                return False
        return True

    async def _may_break_off(self) -> bool:
        work = tuple(filter(None, (screen.work_in_progress for screen in open_sections(self._app))))
        question = "Something is still at work here. Go to the other profile?"
        return not work or await self._confirm(question, work, yes="Go")

    async def _may_leave_jobs(self) -> bool:
        running = await self._updates.jobs_at_work() if self._jobs_end_too else 0
        if not running:
            return True
        question = "A job is still at work. Quit?" if running == 1 else f"{running} jobs are still at work. Quit?"
        details = ("What is not done yet can be tried again from the Jobs list.",)
        return await self._confirm(question, details, yes="Quit")

    async def _confirm(self, question: str, details: Sequence[str], *, yes: str) -> bool:
        from tui.screens.dialogs.questions import Confirm

        return await self._app.push_screen_wait(Confirm(question, details, yes=yes, no="Stay"))
