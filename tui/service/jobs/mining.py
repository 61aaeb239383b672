"""Mining: words and sentences of a transcript are broken down, some at once, and wait as cards in a review.

Each is a part of the job, known by what it asks: a card that was made is never paid for again, also where the job was
killed, or other lines of the transcript were edited before it went on. A mark goes as its card comes.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from tui.errors import InvalidInput, LodeError, ProviderError
from tui.records.clips import NewClip
from tui.records.mining import MiningMark
from tui.records.reviews import Change
from tui.records.words import TextPlace
from tui.service.jobs.patient_provider import PatientProvider
from tui.service.jobs.review_filling import find_or_begin_review, work_off
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.service.mined_cards import complete_card
from tui.store.tables.reviews import first_meaning
from tui.text.display import count_of
from tui.text.marked_words import FARTHEST, find_marked

if TYPE_CHECKING:
    from tui.llm.protocol import Provider
    from tui.records.transcripts import Transcript
    from tui.store import Store

_REQUESTS = 8
"""Requests that a provider has at once; a word takes two, for itself and for its explanation."""
_MAX_REFUSED = 8
"""Words that a model may refuse one after the other before anything was answered: then it is not about them."""
_ABOUT_THE_WORD = frozenset(
    ("content_filtered", "refused", "request_refused", "request_too_large", "answer_without_end", "provider_protocol")
)
"""Codes of errors that may be about what was asked, and not about the provider."""


@dataclass(frozen=True, slots=True)
class MiningOptions:
    """Options of the job: the selector of the model, the tag of the clips, and what is broken down, in that order."""

    model: str
    tag: str
    words: tuple[MiningMark, ...]

    @classmethod
    def read(cls, options: Mapping[str, object]) -> MiningOptions:
        words = options.get("words")
        marks = tuple(MiningMark(**each) for each in words) if isinstance(words, Sequence) else ()
        return cls(str(options.get("model") or ""), str(options.get("tag") or ""), marks)

    def to_json(self) -> dict[str, object]:
        return {"model": self.model, "tag": self.tag, "words": [asdict(each) for each in self.words]}


class MiningJob:
    """Work of the jobs of the kind ``mine``."""

    def __init__(self, parts: JobParts) -> None:
        self._parts = parts

    async def run(self, running: RunningJob) -> None:
        transcript_id = running.job.transcript_id or ""
        transcript = await self._parts.database.run(lambda store: store.transcripts.get(running.profile, transcript_id))
        work = _Mining(self._parts, running, transcript)
        await running.until_stopped(work.run())
        await running.succeed(work.describe())


class _Mining:
    """Words of one transcript on their way to a review."""

    def __init__(self, parts: JobParts, running: RunningJob, transcript: Transcript) -> None:
        self._parts = parts
        self._running = running
        self._transcript = transcript
        self._options = MiningOptions.read(running.options)
        self._maker = parts.make_card_maker(running.profile)
        self._provider = self._maker.find_provider(self._options.model)
        self._slots = asyncio.Semaphore(_REQUESTS if self._provider.parallel else 1)
        self._review = ""
        self._cards = self._left = self._gone = self._refused_in_a_row = 0
        self._reason = ""
        """Why a word was left, the last time."""
        self._recording = asyncio.Lock()

    def describe(self) -> str:
        """Describe what it came to."""
        facts = [f"{count_of(self._cards, 'card')} to review" if self._cards else "no card was made"]
        if self._gone:
            facts.append(f"{count_of(self._gone, 'word')} not in the text any more")
        if self._left:
            facts.append(
                f"{count_of(self._left, 'word')} left: {self._reason}" if self._reason else f"{self._left} left"
            )
        return " · ".join(facts)

    async def run(self) -> None:
        """Break down what was not before, some at once, and put the cards in the review."""
        self._review = await find_or_begin_review(self._parts.database, self._running, self._begin)
        waiting = [each for each in enumerate(self._options.words) if not self._was_done(each[1])]
        await self._report()
        await work_off(waiting, self._break_down, _REQUESTS if self._provider.parallel else 1)
        if not self._cards:
            await self._parts.database.run(lambda store: store.reviews.remove_empty(self._review))

    def _begin(self, store: Store, review_id: str) -> None:
        about = self._running.profile, self._transcript.id
        store.reviews.begin(*about, "cards", self._options.model, review_id=review_id)

    def _was_done(self, mark: MiningMark) -> bool:
        match self._running.done.get(self._name_part(mark)):
            case "card":
                self._cards += 1
            case "gone":
                self._gone += 1
            case "left":
                self._left += 1
            case _:
                return False
        return True

    def _name_part(self, mark: MiningMark) -> str:
        """Name the part of the job that a word is, by what it says and what is asked of it."""
        about = [mark.cue, mark.cue_text, mark.start, mark.text, mark.focus, mark.is_sentence, self._options.model]
        text = json.dumps(about, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return f"word {hashlib.sha256(text).hexdigest()[:16]}"

    async def _break_down(self, numbered: tuple[int, MiningMark]) -> None:
        number, mark = numbered
        if (here := await self._find(mark)) is None:
            await self._finish(mark, "gone")
            return
        try:
            draft = await self._draft(here)
            card = await complete_card(
                draft,
                lambda request: self._maker.ask(request, self._adapt),
                self._options.model,
                self._transcript.language,
                focus=mark.focus,
            )
        except LodeError as error:
            if not isinstance(error, InvalidInput) and error.code not in _ABOUT_THE_WORD:
                raise
            self._refused_in_a_row += isinstance(error, ProviderError)
            if self._refused_in_a_row >= _MAX_REFUSED and not self._cards:
                raise
            self._reason = error.message
            await self._finish(mark, "left")
            return
        self._refused_in_a_row = 0
        says_nothing = not card.explanation and not first_meaning(card)
        change = Change(here.cue, here.cue_text, first_meaning(card), says_nothing, card, number)
        await self._finish(mark, "card", change)

    async def _find(self, mark: MiningMark) -> MiningMark | None:
        """Find what was marked where it is now, with the text of its cue."""
        first = max(0, mark.cue - FARTHEST)
        near = await self._maker.read_cues(self._transcript.id, mark.cue, 1)
        if not near or near[0].text != mark.cue_text:
            near = await self._maker.read_cues(self._transcript.id, first, 2 * FARTHEST + 1)
        return find_marked(near, mark)

    async def _draft(self, mark: MiningMark) -> NewClip:
        place = TextPlace(self._transcript.id, mark.cue, mark.start, mark.end)
        draft = await self._maker.draft(place, "" if mark.is_sentence else mark.focus)
        return replace(draft, tags=(self._options.tag,))

    def _adapt(self, provider: Provider) -> Provider:
        if self._maker.answers_itself(provider):
            return provider
        return PatientProvider(provider, self._slots, self._report)

    async def _finish(self, mark: MiningMark, came_to: str, change: Change | None = None) -> None:
        async with self._recording:
            await self._running.finish(self._name_part(mark), came_to, partial(self._write, mark=mark, change=change))
            self._cards += came_to == "card"
            self._left += came_to == "left"
            self._gone += came_to == "gone"
            await self._report()

    def _write(self, store: Store, *, mark: MiningMark, change: Change | None) -> None:
        changes = [] if change is None else [change]
        store.reviews.add(self._running.profile, self._review, changes, left=int(change is None))
        if mark.id and change is not None:
            store.mining_marks.remove([mark.id])

    async def _report(self, also: str = "") -> None:
        done, total = self._cards + self._left + self._gone, len(self._options.words)
        facts = filter(None, (f"{done} of {count_of(total, 'word')}", also))
        await self._running.report(done / total if total else 1.0, " · ".join(facts))
