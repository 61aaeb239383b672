"""Job watch: follows the jobs that are queued or running until all are over, for the top line and the lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from tui.errors import NotFound
from tui.records.jobs import Job
from tui.service.protocol.records import Jobs

REFUSED = "refused"
_PAGE = 200
_TOLD = ("vocabulary",)
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

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._open: dict[str, Job] = {}
        self._over: list[Job] = []
        self.lacks_encoding = False
        """Whether a job of the last summary was refused for want of its encoding."""
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
                    async with aclosing(self._jobs.follow(next_ids)) as changes:
                        async for job in changes:
                            self._note(job)
                            yield self._progress(job)
                except NotFound:
                    break  # deleted with its file: look again at what is left
        yield self._progress(None)

    async def _find_open(self) -> bool:
        """Find the jobs that are queued or running, oldest first; those that no longer are go to the tally."""
        count = await self._jobs.running()
        found: list[Job] = []
        offset, total = 0, 1
        while len(found) < count and offset < total:
            page = await self._jobs.page(offset=offset, limit=_PAGE)
            found.extend(job for job in page.items if not job.is_over)
            offset, total = offset + _PAGE, page.total
        known = self._open
        self._open = {job.id: job for job in reversed(found)}
        self._tallied -= self._open.keys()  # tried again
        for job_id in known.keys() - self._open.keys():
            try:
                self._note(await self._jobs.get(job_id))
            except NotFound:
                continue
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
        self.lacks_encoding = any(job.state == "failed" and job.suggested_encoding for job in over)
        succeeded = [job for job in over if job.state == "succeeded" and job.kind not in _TOLD]
        imports = [job for job in succeeded if job.kind == "import"]
        came_to = Counter(job.outcome for job in imports)
        unchanged = sum(job.is_rereading and job.outcome == "same" for job in imports)
        refused = sum(job.state in ("failed", "interrupted") for job in over)
        counts = {
            "imported": len(imports) - came_to["reread"] - came_to["same"],
            "read anew": came_to["reread"],
            "already here": came_to["same"] - unchanged,
            "unchanged": unchanged,
            **_dictionaries(succeeded),
            "done": sum(job.kind not in ("import", "dictionary") for job in succeeded),
            REFUSED: refused,
        }
        return {what: count for what, count in counts.items() if count}


def _dictionaries(succeeded: Sequence[Job]) -> dict[str, int]:
    """Counts of the dictionaries that came, and of those that were there."""
    came_to = Counter(job.outcome for job in succeeded if job.kind == "dictionary")
    noun = "dictionary" if came_to["added"] == 1 else "dictionaries"
    return {f"{noun} added": came_to["added"], "there already": came_to["same"]}
