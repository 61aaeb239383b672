"""Library changes and jobs in progress, passed on to the screens that show them; undo of the last deletion."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Any

from textual.app import App
from textual.notifications import SeverityLevel
from textual.worker import Worker

from tui.errors import LodeError, in_one_line
from tui.records.jobs import Job
from tui.screens.lists.job_watch import REFUSED, JobWatch
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import News
from tui.screens.section import open_sections
from tui.service.protocol import Service
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key

_SILENT_SECONDS = 1.0
_LOOK_SECONDS = 1.0
"""Seconds between looks for what other processes changed: the lists show it within two."""
_PACE_SECONDS = 0.2
"""Seconds between two updates of the lists and the top line while jobs run, however many files are imported."""


_ADDING = ("import", "dictionary")
"""Kinds of jobs that add something that a list shows."""


class LibraryUpdates:
    """Updates of the screens from ``service`` and its jobs; ``visited`` are those of all profiles shown so far."""

    def __init__(self, app: App[Any], service: Service, visited: Mapping[str, Service]) -> None:
        self._app = app
        self._service = service
        self._visited = visited
        self._watch = JobWatch(service.jobs)
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
        self._watch = JobWatch(service.jobs)
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
            self._app.run_worker(
                self._stand_on_added(queued[-1], moves), group="added", exclusive=True, exit_on_error=False
            )

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

    def begin_looking(self) -> None:
        """Look from now on, as long as the app runs, for what other processes change."""
        self._app.set_interval(_LOOK_SECONDS, self._look)

    def _look(self) -> None:
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
        if "job" in kinds and (self._watching is None or self._watching.is_finished):
            self.watch_jobs()

    def undo(self) -> None:
        """Bring back what was deleted last, and say what it was."""
        self._app.run_worker(self._undone(), group="undo", exclusive=True, exit_on_error=False)

    async def _undone(self) -> None:
        undoing = asyncio.ensure_future(self._service.undo())
        try:
            if not (await asyncio.wait((undoing,), timeout=_SILENT_SECONDS))[0]:
                self._say("bringing back what was deleted …")  # what an older Lode deleted may take its time
            restored = await undoing
        except LodeError as error:
            self._say(in_one_line(error), "error")
            return
        self._say("there is nothing to undo" if restored is None else f"back again: {restored.summary}")
        if restored is not None:
            shown = frozenset({"job"}).union(*(screen.SHOWS for screen in open_sections(self._app))) - {"failure"}
            self.changed(shown if restored.kind in ("reading", "edit") else shown - {"cue"})

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
        if REFUSED in counts:
            self._notify(frozenset({"failure"}))
            key = shown_key(self._app.screen, "section.jobs")
            hint = f"{key}, then enter, picks the encoding" if self._watch.lacks_encoding else f"{key} shows why"
            self._app.post_message(News("import", counts, hint=hint, severity="warning"))
        elif counts:
            self._app.post_message(News("import", counts))

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
    if job.kind == "dictionary":
        return ("dictionary",)
    if job.kind == "vocabulary":
        return ("word",)
    if job.kind in ("clip_media", "speech"):
        return ("clip",)
    is_new = job.kind == "import" and job.outcome != "reread"
    return ("file", "transcript") if is_new else ("file", "transcript", "clip", "cue")
