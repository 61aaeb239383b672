"""Corrections and translations of transcripts by a model: what it proposes waits in a review, and changes nothing.

Batches are the parts of the job, known by the lines that they have: one that is answered is never paid for again, also
where other lines of the transcript were edited before the job went on.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tui.correcting.answers import AnsweredLine, BatchResult, read_corrections, read_translations
from tui.correcting.asking import Read, work_through
from tui.correcting.batches import Batch, cut_batches
from tui.correcting.prompts import write_correction_prompt, write_translation_prompt
from tui.records.reviews import ReviewKind
from tui.records.transcripts import Cue, Transcript
from tui.service.jobs.patience import ask_patiently
from tui.service.jobs.review_filling import find_or_begin_review, work_off
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.text.display import count_of

if TYPE_CHECKING:
    from tui.llm.protocol import ModelProvider, Provider
    from tui.store import Store

_IN_FLIGHT = 8
"""Batches that are asked of a provider at once."""
_PAGE = 1000


@dataclass(frozen=True, slots=True)
class CorrectionOptions:
    """Options of the jobs: the selector of the model, the system message that it is asked with, and the language.

    That is the tag of what is translated into, "" for a correction.
    """

    model: str
    sys_msg: str
    into: str = ""

    @classmethod
    def read(cls, options: Mapping[str, object]) -> CorrectionOptions:
        return cls(*(str(options.get(name) or "") for name in ("model", "sys_msg", "into")))


class CorrectionJob:
    """Work of the jobs of the kinds ``correct`` and ``translate``."""

    def __init__(self, parts: JobParts) -> None:
        self._parts = parts

    async def run(self, running: RunningJob) -> None:
        transcript_id = running.job.transcript_id or ""
        transcript, cues = await self._parts.database.run(
            lambda store: read_transcript(store, running.profile, transcript_id)
        )
        work = _Correction(self._parts, running, transcript, cues)
        await running.until_stopped(work.run())
        await running.succeed(work.describe())


def read_transcript(store: Store, profile: str, transcript_id: str) -> tuple[Transcript, Sequence[Cue]]:
    """Read a transcript with all its cues; raises ``NotFound``."""
    transcript, cues = store.transcripts.get(profile, transcript_id), list[Cue]()
    while page := store.transcripts.cues(profile, transcript_id, len(cues), _PAGE).items:
        cues += page
    return transcript, cues


class _Correction:
    """One transcript on its way to a review."""

    def __init__(self, parts: JobParts, running: RunningJob, transcript: Transcript, cues: Sequence[Cue]) -> None:
        self._parts = parts
        self._running = running
        self._transcript = transcript
        self._options = CorrectionOptions.read(running.options)
        provider, _, self._model = self._options.model.partition(":")
        self._provider: ModelProvider = parts.find_provider(provider)
        self._batches = cut_batches(cues, transcript.language)
        self._review = ""
        self._proposed = self._left = self._answered = 0
        self._recording = asyncio.Lock()

    def describe(self) -> str:
        """Describe what it came to."""
        noun, nothing = (
            ("translation", "nothing is translated") if self._options.into else ("change", "nothing to correct")
        )
        facts = [f"{count_of(self._proposed, noun)} to review" if self._proposed else nothing]
        if self._left:
            lacks = "without a translation" if self._options.into else "could not be asked about"
            facts.append(f"{count_of(self._left, 'line')} {lacks}")
        return " · ".join(facts)

    async def run(self) -> None:
        """Ask about the batches that were not answered before, some at once, and put what is proposed in the review."""
        self._review = await find_or_begin_review(self._parts.database, self._running, self._begin)
        waiting = [batch for batch in self._batches if not self._was_answered(batch)]
        await self._report()
        await work_off(waiting, self._ask, _IN_FLIGHT if self._provider.parallel else 1)
        if not self._proposed and not self._left:
            await self._parts.database.run(lambda store: store.reviews.remove_empty(self._review))

    def _begin(self, store: Store, review_id: str) -> None:
        into = self._options.into or None
        kind: ReviewKind = "translation" if into else "correction"
        about = self._running.profile, self._transcript.id
        store.reviews.begin(*about, kind, self._options.model, into=into, review_id=review_id)

    def _was_answered(self, batch: Batch) -> bool:
        match self._running.done.get(_name_part(batch)):
            case {"proposed": int(proposed), "left": int(left)}:
                self._proposed += proposed
                self._left += left
                self._answered += 1
                return True
        return False

    async def _ask(self, batch: Batch) -> None:
        ask = partial(ask_model, self._provider, self._model, self._options, report=self._report)
        result = await work_through(batch, ask, find_reader(self._options))
        async with self._recording:
            came_to = {"proposed": len(result.changes), "left": len(result.left)}
            await self._running.finish(_name_part(batch), came_to, partial(self._propose, result=result))
            self._proposed += len(result.changes)
            self._left += len(result.left)
            self._answered += 1
            await self._report()

    def _propose(self, store: Store, *, result: BatchResult) -> None:
        if result.changes or result.refused or result.left:
            store.reviews.add(
                *(self._running.profile, self._review, result.changes), refused=result.refused, left=len(result.left)
            )

    async def _report(self, also: str = "") -> None:
        done, total = self._answered, len(self._batches)
        facts = [f"{done} of {count_of(total, 'batch', 'batches')}"]
        facts += [count_of(self._proposed, "line" if self._options.into else "change")] if self._proposed else []
        await self._running.report(done / total if total else 1.0, " · ".join([*facts, *filter(None, [also])]))


def _name_part(batch: Batch) -> str:
    """Name the part of the job that a batch is, by where it is and what it says."""
    text = json.dumps([batch.first, batch.lines], ensure_ascii=False).encode("utf-8", "surrogatepass")
    return f"batch {hashlib.sha256(text).hexdigest()[:16]}"


async def ask_model(
    provider: Provider,
    model: str,
    options: CorrectionOptions,
    batch: Batch,
    *,
    report: Callable[[str], Awaitable[None]],
) -> Sequence[AnsweredLine]:
    """Ask a model about a batch, as long as its provider asks for patience; ``report`` is told of that."""
    from tui.llm.correction import CorrectionForm, TranslationForm, read_lines
    from tui.llm.protocol import ChatRequest

    form: type[CorrectionForm | TranslationForm] = TranslationForm if options.into else CorrectionForm
    request = ChatRequest(model, options.sys_msg, write_prompt(batch, options))
    answer = await ask_patiently(lambda: provider.structured(request, form), provider.label, report)
    return read_lines(answer.value)


def write_prompt(batch: Batch, options: CorrectionOptions) -> str:
    """Write what a model is asked about a batch."""
    return write_translation_prompt(batch, options.into) if options.into else write_correction_prompt(batch)


def find_reader(options: CorrectionOptions) -> Read:
    """Find what reads the answers to a batch."""
    return partial(read_translations, into=options.into) if options.into else read_corrections
