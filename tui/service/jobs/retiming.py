"""Retiming of a transcript to the sound of its film: some windows are heard, and the times written in one step."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.records.media import MediaLink
from tui.records.retiming import FoundRetiming, Retiming, RetimingBasis, RetimingPlan
from tui.records.transcripts import Transcript
from tui.retiming.alignment import Span, find_offset
from tui.retiming.search import Reference, find_in
from tui.retiming.sound import WINDOWS, HeardWindow, hear_windows
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.service.media.clip_media import check_unchanged
from tui.service.media.media_process import HEARING, MediaProcess, media_process, no_media
from tui.text.retimings import describe_retiming
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.service.library import Database
    from tui.store import Store

_DONE = "retimed"
"""The part of the job that is done once the times are written, with what it says then."""


class RetimingJob:
    """Work of the jobs of the kind ``retime``."""

    def __init__(self, parts: JobParts) -> None:
        self._database = parts.database

    async def run(self, running: RunningJob) -> None:
        if isinstance(said := running.done.get(_DONE), str):
            await running.succeed(said)
            return
        profile, transcript_id = running.profile, running.job.transcript_id or ""
        await running.report(0.0, "listening")
        transcript, cues = await read_times(self._database, profile, transcript_id)
        link = await self._database.run(lambda store: store.media.of(profile, transcript_id))
        if link is None:
            raise no_media(transcript.title)
        await running.run_detached(lambda: check_unchanged(link), name="film")
        reference = await running.until_stopped(self._hear(running, link, transcript.language or "", cues[-1][1]))
        found = await asyncio.to_thread(find_in, cues, reference)
        if found is None:
            raise make_unsure_error(transcript.title, "what is said in its film")
        pairs = await find_pairs(self._database, profile, transcript, cues, found.retiming)
        plan = make_plan(transcript, cues, "sound", found, pairs)
        if running.options.get("dry_run"):
            check = found.retiming
            await self._database.run(lambda store: store.cue_edits.check_retiming(profile, transcript_id, check))
            await running.succeed(f"{describe_retiming(plan)} · nothing was changed")
            return
        said, offsets = describe_retiming(plan), collect_offsets(pairs)

        def write(store: Store) -> None:
            store.cue_edits.retime(profile, transcript_id, found.retiming, offsets, cues)

        await running.finish(_DONE, said, write)
        await running.succeed(said)

    async def _hear(self, running: RunningJob, link: MediaLink, language: str, last_ms: int) -> Reference:
        windows, spans = list[Span](), list[Span]()
        async with media_process(HEARING) as process:
            length = await self._find_length(process, link, last_ms)
            heard = process.results(hear_windows, Path(link.path), length, language, link.track)
            for done in range(1, WINDOWS + 1):
                each = await asyncio.to_thread(next, heard, None)
                if not isinstance(each, HeardWindow):
                    break
                if each.window[1] > each.window[0]:
                    windows.append(each.window)
                    spans += each.spans
                await running.report(done / (WINDOWS + 1), f"{done} of {WINDOWS} parts of the film heard")
        return Reference(windows, spans)

    async def _find_length(self, process: MediaProcess, link: MediaLink, last_ms: int) -> int:
        """The length of a film; where it does not say that, up to the end of the last cue."""
        from tui.media.container import probe

        info = await asyncio.to_thread(process.result, probe, Path(link.path))
        return info.duration_ms or last_ms


# What a retiming by hand or by a track has to know as well.

Pairs = Sequence[tuple[str, int | None]]
"""The transcripts that have a translation, each with its offset from now on, None where there is none any more."""


async def read_times(database: Database, profile: str, transcript_id: str) -> tuple[Transcript, Sequence[Span]]:
    """Read a transcript and the times of its cues; raises ``InvalidInput`` where it has none."""
    transcript = await database.run(lambda store: store.transcripts.get(profile, transcript_id))
    cues = await database.run(lambda store: store.transcripts.spans(profile, transcript.id))
    if not cues:
        raise InvalidInput(f"{one_line(transcript.title)[:80]!r} has no times", hint="take a subtitle", code="no_times")
    return transcript, cues


async def find_pairs(
    database: Database, profile: str, transcript: Transcript, cues: Sequence[Span], retiming: Retiming
) -> Pairs:
    """Find the offsets that the pairs of a transcript will have; none where an offset moves them along."""
    if retiming.factor == 1:
        return ()
    moved = [(retiming.move(start), retiming.move(end)) for start, end in cues]
    found: list[tuple[str, int | None]] = []
    for paired, track in await database.run(lambda store: store.cue_edits.pairs(profile, transcript.id)):
        other = track if paired == transcript.id else paired
        others = await database.run(lambda store, other=other: store.transcripts.spans(profile, other))  # type: ignore[misc]
        sides = (moved, others) if paired == transcript.id else (others, moved)
        found.append((paired, await asyncio.to_thread(find_offset, *sides)))
    return found


def collect_offsets(pairs: Pairs) -> dict[str, int]:
    """The offsets of the pairs that go on."""
    return {paired: offset_ms for paired, offset_ms in pairs if offset_ms is not None}


def make_plan(
    transcript: Transcript, cues: Sequence[Span], basis: RetimingBasis, found: FoundRetiming, pairs: Pairs
) -> RetimingPlan:
    """Make the plan of a retiming that is not done yet."""
    retiming, first, last = found.retiming, cues[0][0], cues[-1][0]
    return RetimingPlan(
        transcript.id,
        transcript.title,
        basis,
        retiming.factor,
        retiming.offset_ms,
        found.confidence,
        len(cues),
        first,
        retiming.move(first),
        last,
        retiming.move(last),
        is_done=False,
        tracks_lost=len(pairs) - len(collect_offsets(pairs)),
    )


def make_unsure_error(title: str, reference: str) -> InvalidInput:
    """The error of a transcript that goes with a reference in no way, or in several."""
    return InvalidInput(
        f"it is not clear how {one_line(title)[:80]!r} goes with {reference}: nothing was changed",
        hint="is it the same film, and the same cut of it? by hand: lode transcripts retime TRANSCRIPT --at LINE=TIME",
        code="unsure",
    )
