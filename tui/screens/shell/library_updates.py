"""Library changes and jobs in progress, passed on to the screens that show them; undo and redo."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App
from textual.notifications import SeverityLevel
from textual.worker import Worker

from tui.errors import LodeError, NotFound, in_one_line
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import News
from tui.screens.section import open_sections
from tui.text.display import REVIEW_NOUNS, count_of, undo_step
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.records.library import Restored
    from tui.service.protocol import Service

T = TypeVar("T")
_SILENT_SECONDS = 1.0
LOOK_SECONDS = 1.0
"""Seconds between looks for what other processes changed: the lists show it within two."""
_PACE_SECONDS = 0.2
"""Seconds between two updates of the lists and the top line while jobs run, however many files are imported."""
_CHANGES = {
    "dictionary": ("dictionary",),
    "vocabulary": ("word",),
    "clip_media": ("clip",),
    "speech": ("clip",),
    "mine": ("mark", "review"),
    "transcribe": ("file", "transcript", "growth"),
    "correct": ("review",),
    "translate": ("review",),
    "retime": ("transcript", "cue"),
}
"""Kinds of jobs → kinds of record that they change; others, of which imports add some, may change any of a text."""
_ADDING = ("import", "dictionary")
"""Kinds of jobs that add something that a list shows."""
REFUSED = "refused"
_PAGE = 200
_TOLD = ("vocabulary", "retime")
"""Kinds of jobs whose success is told where they were begun."""
_AT_ONCE = 8
"""Jobs followed at once: they run one after the other, and a directory may have queued thousands."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of all jobs: ``count`` are queued or running, ``parts`` is how far (0 to 1) each running one is.

    ``changed`` is the job that brought this change."""

    count: int
    parts: tuple[float, ...]
    changed: Job | None


class JobWatch:
    """Tally of the jobs that are over until ``summary`` is asked for, also when ``follow`` is begun anew meanwhile."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._open: dict[str, Job] = {}
        self._over: list[Job] = []
        self.lacks_encoding = False
        """Whether a job of the last summary was refused for want of its encoding."""
        self.may_wait = False
        """Whether a job of the last summary was one whose outcome waits in a review."""
        self._tallied: set[str] = set()
        """Jobs that are over and were taken up, in this tally or an earlier one."""

    def add_queued(self, jobs: Iterable[Job]) -> None:
        """Count jobs that were queued just now in the summary too, where they are over before anyone looks."""
        self._open.update({job.id: job for job in jobs if job.id not in self._open.keys() | self._tallied})

    async def follow(self) -> AsyncGenerator[Progress]:
        """Yield every change of every job, the jobs queued meanwhile included; ends when none is left."""
        while await self._find_open():
            yield self._progress(None)
            while self._open:
                next_ids = list(self._open)[:_AT_ONCE]
                try:
                    async with aclosing(self._service.jobs.follow(next_ids)) as changes:
                        async for job in changes:
                            self._note(job)
                            yield self._progress(job)
                except NotFound:
                    break  # deleted with its file: look again at what is left
        yield self._progress(None)

    async def _find_open(self) -> bool:
        """Find the jobs that are queued or running, oldest first; those that no longer are go to the tally."""
        count = await self._service.jobs.running()
        found: list[Job] = []
        offset, total = 0, 1
        while len(found) < count and offset < total:
            page = await self._service.jobs.page(offset=offset, limit=_PAGE)
            found.extend(job for job in page.items if not job.is_over)
            offset, total = offset + _PAGE, page.total
        known = self._open
        self._open = {job.id: job for job in reversed(found)}
        self._tallied -= self._open.keys()  # tried again
        for job_id in known.keys() - self._open.keys():
            with suppress(NotFound):
                self._note(await self._service.jobs.get(job_id))
        return bool(self._open)

    def _note(self, job: Job) -> None:
        if job.is_over:
            self._open.pop(job.id, None)
            if job.id not in self._tallied:
                self._tallied.add(job.id)
                self._over.append(job)
        else:
            self._open[job.id] = job

    def _progress(self, changed: Job | None) -> Progress:
        parts = tuple(job.progress for job in self._open.values() if job.state == "running")
        return Progress(len(self._open), parts, changed)

    def summary(self) -> dict[str, int]:
        """Counts of how the jobs since the last summary went: {"imported": 3, REFUSED: 1}; empty for none."""
        over, self._over = self._over, []
        self.may_wait = any(job.state == "succeeded" and "review" in _CHANGES.get(job.kind, ()) for job in over)
        self.lacks_encoding = any(job.state == "failed" and job.suggested_encoding for job in over)
        succeeded = [job for job in over if job.state == "succeeded" and job.kind not in _TOLD]
        imports = [job for job in succeeded if job.kind == "import"]
        came_to = Counter(job.outcome for job in imports)
        came = Counter(job.outcome for job in succeeded if job.kind == "dictionary")
        unchanged = sum(job.is_rereading and job.outcome == "same" for job in imports)
        counts = {
            "imported": len(imports) - came_to["reread"] - came_to["same"],
            "read anew": came_to["reread"],
            "already here": came_to["same"] - unchanged,
            "unchanged": unchanged,
            f"{'dictionary' if came['added'] == 1 else 'dictionaries'} added": came["added"],
            "there already": came["same"],
            "done": sum(job.kind not in ("import", "dictionary") for job in succeeded),
            REFUSED: sum(job.state in ("failed", "interrupted") for job in over),
        }
        return {what: count for what, count in counts.items() if count}


class LibraryUpdates:
    """Updates of the screens from ``service`` and its jobs; ``visited`` are those of all profiles shown so far."""

    def __init__(self, app: App[Any], service: Service, visited: Mapping[str, Service]) -> None:
        self._app = app
        self._service = service
        self._visited = visited
        self._watch = JobWatch(service)
        self._waiting: set[str] = set()
        self._changed: set[str] = set()
        """Kinds that changed together with jobs: told once more when these are over."""
        self._progress: tuple[float, ...] = ()
        self._trouble = service.trouble
        self._revisions: Mapping[str, str] = {}
        """Revisions of the library as of the last look."""
        self._looking: Worker[None] | None = None
        self._watching: Worker[None] | None = None
        self.jobs_running = 0
        service.on_trouble(self._trouble_changed)

    def use_service(self, service: Service) -> None:
        """Follow another profile of the library from now on; the jobs of the one before go on unwatched."""
        self._service = service
        self._watch = JobWatch(service)
        self._revisions = {}
        self._changed.clear()
        self.jobs_running, self._progress = 0, ()
        self.watch_jobs()

    async def jobs_at_work(self) -> int:
        """Number of jobs that are queued or running, in the profiles that were left too."""
        count = self.jobs_running
        for service in self._visited.values():
            if service is not self._service:
                with suppress(LodeError):
                    count += await service.jobs.running()
        return count

    def _trouble_changed(self) -> None:
        # In the middle of anything, a screen's mounting too: what is shown follows when that is over.
        self._app.call_later(self._show_trouble)

    def _show_trouble(self) -> None:
        """Show in every top line what keeps the library from answering; once it answers again, read everything anew."""
        before, self._trouble = self._trouble, self._service.trouble
        for screen in open_sections(self._app):
            screen.show_trouble(self._trouble)
        if before and not self._trouble:
            for screen in open_sections(self._app):
                screen.library_back()
            self.watch_jobs()

    def changed(self, kinds: frozenset[str], queued: Sequence[Job] = ()) -> None:
        """Tell the sections that records of these kinds changed, and follow the jobs where there may be new ones."""
        self._notify(kinds)
        self._watch.add_queued(queued)
        if "job" in kinds:
            self._changed |= kinds
            self.watch_jobs()
        if queued and queued[-1].kind in _ADDING and not queued[-1].is_rereading:
            lists = [each for each in open_sections(self._app) if isinstance(each, RecordListScreen)]
            moves = {each: each.table.moves for each in lists if each.is_mounted}
            standing = self._stand_on_added(queued[-1], moves)
            self._app.run_worker(standing, group="added", exclusive=True, exit_on_error=False)

    async def _stand_on_added(self, job: Job, moves: Mapping[RecordListScreen[Any], int]) -> None:
        """Have the lists stand on what the job adds when it is over, where their cursors were not moved meanwhile."""
        try:
            async with aclosing(self._service.jobs.follow([job.id])) as changes:
                async for each in changes:
                    job = each
        except LodeError:
            return  # it was deleted, or the library does not answer
        for screen, before in moves.items():
            if job.state == "succeeded" and screen.is_attached and screen.table.moves == before:
                screen.stand_on_added(job)

    def watch_jobs(self) -> None:
        """Follow the jobs that are queued or running, those of other processes too, until all are over."""
        self._watching = self._app.run_worker(self._watched, group="jobs", exclusive=True, exit_on_error=False)

    def look(self) -> None:
        """Look for what other processes have changed, unless the last look still goes on."""
        if not self._service.trouble and (self._looking is None or self._looking.is_finished):
            self._looking = self._app.run_worker(self._looked, group="look", exit_on_error=False)

    async def _looked(self) -> None:
        """Have the lists read anew that show what has changed since the last look, by this process too."""
        service, before = self._service, self._revisions
        try:
            revisions = await service.revisions()
        except LodeError:
            return  # the next look, or the one that finds the library back, has all of it
        if service is not self._service:
            return
        self._revisions = revisions
        kinds = frozenset(kind for kind, revision in revisions.items() if before.get(kind) != revision)
        for screen in open_sections(self._app) if kinds else ():
            if isinstance(screen, RecordListScreen):
                screen.library_changed(kinds)
            elif "transcript" in kinds:  # one that is being transcribed may have more cues
                screen.library_changed(frozenset({"growth"}))
        if "job" in kinds and (self._watching is None or self._watching.is_finished):
            self.watch_jobs()

    async def undo(self) -> None:
        """Bring back what was deleted last, and say what it was."""
        try:
            restored = await self._waited_for(self._service.undo(), "bringing back what was deleted …")
        except LodeError as error:
            self._say(in_one_line(error), "error")
            return
        if restored is None:
            self._say("there is nothing to undo")
        else:
            self._restored(restored)

    async def choose_undo(self) -> None:
        """Let a step be chosen until one was taken back; why another could not be stands in the list."""
        from tui.screens.dialogs.undo_list import UndoList

        service, refusal = self._service, ""
        begin_at: int | None = None
        while (
            step := await self._app.push_screen_wait(UndoList(service, refusal=refusal, begin_at=begin_at))
        ) is not None:
            try:
                self._restored(await self._waited_for(service.undo_step(step.id), "bringing back what was deleted …"))
                return
            except LodeError as error:
                refusal, begin_at = in_one_line(error), step.id

    async def redo(self) -> None:
        """Do again what was taken back last, and say what it was."""
        try:
            step = await self._waited_for(self._service.redo(), "doing again what was undone …")
        except LodeError as error:
            self._say(in_one_line(error), "error")
            return
        if step is None:
            self._say("there is nothing to redo: that lasts from an undo until the next change")
        else:
            self._say(f"done again: {undo_step(step)}")
            self._changed_by_undo(step.kind)

    async def _waited_for(self, work: Awaitable[T], said: str) -> T:
        """The outcome of what may take its time, which is said then: an older Lode may have deleted a lot at once."""
        waited = asyncio.ensure_future(work)
        if not (await asyncio.wait((waited,), timeout=_SILENT_SECONDS))[0]:
            self._say(said)
        return await waited

    def _restored(self, restored: Restored) -> None:
        redo = f" · {key} redoes it" if (key := shown_key(self._app.screen, "redo")) else ""
        self._say(f"back again: {restored.summary}{redo}")
        self._changed_by_undo(restored.kind)

    def _changed_by_undo(self, kind: str) -> None:
        from tui.records.library import CUE_STEPS

        shown = frozenset({"job"}).union(*(screen.SHOWS for screen in open_sections(self._app))) - {"failure"}
        self.changed(shown if kind in CUE_STEPS else shown - {"cue"})

    def _say(self, message: str, severity: SeverityLevel = "information") -> None:
        self._app.notify(one_line(message), severity=severity, markup=False)

    def _notify(self, kinds: frozenset[str]) -> None:
        for screen in open_sections(self._app):
            screen.library_changed(kinds)

    def show_jobs(self) -> None:
        """Show in every top line how many jobs there are."""
        for screen in open_sections(self._app):
            screen.show_jobs(self.jobs_running, self._progress)

    async def _watched(self) -> None:
        try:
            counts = await self._follow_jobs()
        except LodeError:
            return  # the list in sight says why the library cannot be read
        if not counts:
            return
        news = News("import", counts)
        if REFUSED in counts:
            self._notify(frozenset({"failure"}))
            key = shown_key(self._app.screen, "section.jobs")
            news.hint = f"{key}, then enter, picks the encoding" if self._watch.lacks_encoding else f"{key} shows why"
            news.severity = "warning"
        elif self._watch.may_wait:
            with suppress(LodeError):  # the news are told without it
                for newest in (await self._service.reviews.page(limit=1)).items:
                    changes = count_of(newest.total, REVIEW_NOUNS[newest.kind])
                    news.hint = f"{changes} to review: {shown_key(self._app.screen, 'reviews')}"
        self._app.post_message(news)

    async def _follow_jobs(self) -> dict[str, int]:
        """Show the progress of the jobs until all are over, and return the counts of their outcomes."""
        async with aclosing(self._watch.follow()) as news:
            async for progress in news:
                self.jobs_running, self._progress = progress.count, progress.parts
                if not self._waiting:
                    self.show_jobs()
                if progress.changed is not None:
                    self._notify_soon("job", *_brought(progress.changed))
        self.show_jobs()
        counts = self._watch.summary()
        # one may have ended between a list's reading and the look that this watch begins with
        changed, self._changed = self._changed, set()
        self._notify_soon("job", *changed, *(("file", "transcript") if counts else ()))
        return counts

    def _notify_soon(self, *kinds: str) -> None:
        if not self._waiting:
            self._app.set_timer(_PACE_SECONDS, self._notify_waiting)
        self._waiting.update(kinds)

    def _notify_waiting(self) -> None:
        kinds = frozenset(self._waiting)
        self._waiting.clear()
        self.show_jobs()
        self._notify(kinds)


def _brought(job: Job) -> tuple[str, ...]:
    """Kinds of record that the end of a job may have brought or changed."""
    if not job.is_over:
        return ()
    if job.kind == "import" and job.outcome != "reread":
        return ("file", "transcript")
    return _CHANGES.get(job.kind, ("file", "transcript", "clip", "cue"))
