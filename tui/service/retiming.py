"""Retimings of transcripts: what they come to, done or only planned; the job compares with the sound of a film."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.errors import InvalidInput, MediaError
from tui.records.jobs import Job, JobSource
from tui.records.retiming import MAX_FACTOR, MIN_FACTOR, FoundRetiming, Retiming, RetimingBasis, RetimingPlan
from tui.records.transcripts import Transcript
from tui.retiming.alignment import Span
from tui.retiming.by_hand import retime_from
from tui.retiming.search import find_retiming
from tui.service.jobs.retiming import collect_offsets, find_pairs, make_plan, make_unsure_error, read_times
from tui.service.media.clip_media import check_unchanged
from tui.service.media.media_process import no_media
from tui.text.sanitize import one_line
from tui.transcribing.speech import EXTRA, find_model

if TYPE_CHECKING:
    from tui.service.jobs.queue import JobRunner
    from tui.service.library import Library
    from tui.store import Store

KIND = "retime"


class LocalRetimings:
    """The resource of retimings."""

    def __init__(self, library: Library, runner: JobRunner) -> None:
        self._library = library
        self._profile = library.profile
        self._runner = runner

    async def apply(
        self, transcript_id: str, *, factor: float = 1.0, offset_ms: int = 0, dry_run: bool = False
    ) -> RetimingPlan:
        if not MIN_FACTOR <= factor <= MAX_FACTOR:
            raise InvalidInput(
                f"times cannot become {factor:g} times themselves",
                hint=f"from {MIN_FACTOR} to {MAX_FACTOR}: 25 for 23.976 is 1.0427",
                code="wrong_factor",
                field="factor",
            )
        transcript, cues = await read_times(self._library.database, self._profile, transcript_id)
        return await self._retime(transcript, cues, "given", FoundRetiming(Retiming(factor, offset_ms), 1.0), dry_run)

    async def by_hand(
        self,
        transcript_id: str,
        cue_index: int,
        at_ms: int,
        *,
        other_index: int | None = None,
        other_at_ms: int | None = None,
        dry_run: bool = False,
    ) -> RetimingPlan:
        transcript, cues = await read_times(self._library.database, self._profile, transcript_id)
        points = [(_start_of(cues, cue_index), at_ms)]
        if other_index is not None and other_at_ms is not None:
            points.append((_start_of(cues, other_index), other_at_ms))
        return await self._retime(transcript, cues, "by hand", FoundRetiming(retime_from(points), 1.0), dry_run)

    async def against(self, transcript_id: str, track_id: str, *, dry_run: bool = False) -> RetimingPlan:
        transcript, cues = await read_times(self._library.database, self._profile, transcript_id)
        track, others = await read_times(self._library.database, self._profile, track_id)
        if transcript.id == track.id:
            raise InvalidInput(
                "a transcript is not retimed by itself",
                hint="name another subtitle of the same film, whose times are right",
                code="same_transcript",
                field="track_id",
            )
        found = await asyncio.to_thread(find_retiming, cues, others)
        if found is None:
            raise make_unsure_error(transcript.title, f"the cues of {one_line(track.title)[:80]!r}")
        return await self._retime(transcript, cues, "track", found, dry_run)

    async def by_sound(self, transcript_id: str, *, dry_run: bool = False) -> Job:
        transcript, _ = await read_times(self._library.database, self._profile, transcript_id)
        link = await self._library.run(lambda store: store.media.of(self._profile, transcript.id))
        if link is None:
            raise no_media(transcript.title)
        await asyncio.to_thread(check_unchanged, link)
        if find_model() is None:
            raise MediaError("finding speech needs one more library", hint=EXTRA, code="whisper_extra_missing")
        source = str(JobSource("transcript", transcript.title))

        def queue(store: Store) -> tuple[Job, ...]:
            return (store.jobs.add(self._profile, KIND, source, {"dry_run": dry_run}, None, transcript.id),)

        (job,) = await self._runner.queue_made(self._library, queue)
        return job

    async def _retime(
        self, transcript: Transcript, cues: Sequence[Span], basis: RetimingBasis, found: FoundRetiming, dry_run: bool
    ) -> RetimingPlan:
        pairs = await find_pairs(self._library.database, self._profile, transcript, cues, found.retiming)
        plan = make_plan(transcript, cues, basis, found, pairs)
        if dry_run:
            await self._library.run(
                lambda store: store.cue_edits.check_retiming(self._profile, transcript.id, found.retiming)
            )
            return plan
        kept = collect_offsets(pairs)
        await self._library.change(
            lambda store: store.cue_edits.retime(self._profile, transcript.id, found.retiming, kept, cues)
        )
        return replace(plan, is_done=True)


def _start_of(cues: Sequence[Span], index: int) -> int:
    if not 0 <= index < len(cues):
        raise InvalidInput(
            f"there is no cue {index} in it", hint=f"it has {len(cues)}, from 0 on", code="no_such_cue", field="index"
        )
    return cues[index][0]
