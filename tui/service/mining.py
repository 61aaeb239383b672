"""Mining: marks of words in transcripts, and jobs that break many words down, as cards that wait in a review."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.records.jobs import JobSource
from tui.records.mining import MAX_MINED, MiningMark, MiningPlan
from tui.records.pages import MAX_QUERY
from tui.records.words import WordPlace
from tui.service.jobs.correction import read_transcript
from tui.service.jobs.mining import MiningOptions
from tui.text.clip_fields import split_tags
from tui.text.sanitize import is_blank, laid_out, one_line

if TYPE_CHECKING:
    from tui.llm.providers import Providers
    from tui.records.answers import NewTemplate
    from tui.records.jobs import Job
    from tui.records.transcripts import Cue, Transcript
    from tui.records.words import NextWord
    from tui.service.jobs.queue import JobRunner
    from tui.service.library import Library
    from tui.service.words.mined_words import MinedWords
    from tui.store import Store

KIND = "mine"
_REQUESTS_A_WORD = 2


@dataclass(frozen=True, slots=True)
class _Batch:
    """Batch of words of a transcript that are to be broken down, and with what."""

    transcript: Transcript
    options: MiningOptions
    is_local: bool
    is_lexicon: bool
    not_found: tuple[str, ...] = ()
    dictionary: str = ""
    left_out: int = 0


class LocalMining:
    """The resource of mining."""

    def __init__(
        self,
        library: Library,
        runner: JobRunner,
        find_template: Callable[[], Awaitable[NewTemplate]],
        find_providers: Callable[[], Providers],
        find_words: Callable[[], MinedWords],
    ) -> None:
        self._library = library
        self._profile = library.profile
        self._runner = runner
        self._find_template = find_template
        self._find_providers = find_providers
        self._find_words = find_words

    async def marks(self, transcript_id: str) -> tuple[MiningMark, ...]:
        return await self._library.run(lambda store: store.mining_marks.of(self._profile, transcript_id))

    async def mark(
        self, transcript_id: str, cue: int, start: int, end: int, *, focus: str = "", is_sentence: bool = False
    ) -> MiningMark:
        if len(focus) > MAX_QUERY:
            raise InvalidInput(
                f"a word has at most {MAX_QUERY} characters", hint="mark less of the line", field="focus"
            )
        mark = MiningMark(cue, start, end, "", focus, is_sentence)
        return await self._library.change(lambda store: store.mining_marks.put(self._profile, transcript_id, mark))

    async def unmark(self, transcript_id: str, cue: int, start: int) -> int:
        return await self._library.change(
            lambda store: store.mining_marks.delete(self._profile, transcript_id, cue, start)
        )

    async def plan(
        self,
        transcript_id: str,
        *,
        places: Sequence[WordPlace] = (),
        words: Sequence[str] = (),
        marked: bool = False,
        commonest: int = 0,
        model: str = "",
        tag: str = "",
    ) -> MiningPlan:
        batch = await self._choose(transcript_id, places, words, commonest, model, tag, marked=marked)
        count = len(batch.options.words)
        requests = sum(1 if each.is_sentence else _REQUESTS_A_WORD for each in batch.options.words)
        return MiningPlan(
            batch.transcript.id,
            batch.transcript.title,
            batch.transcript.language,
            batch.options.model,
            batch.options.tag,
            word_count=count,
            request_count=0 if batch.is_lexicon else requests,
            is_local=batch.is_local,
            not_found=batch.not_found,
            dictionary=batch.dictionary,
            places=tuple(WordPlace(each.cue, each.start, each.end) for each in batch.options.words if not each.id),
            left_out=batch.left_out,
        )

    async def start(
        self,
        transcript_id: str,
        *,
        places: Sequence[WordPlace] = (),
        words: Sequence[str] = (),
        marked: bool = False,
        commonest: int = 0,
        model: str = "",
        tag: str = "",
    ) -> Job:
        batch = await self._choose(transcript_id, places, words, commonest, model, tag, marked=marked)
        transcript, options = batch.transcript, batch.options
        if not options.words:
            hint = "mark words in the reader with m, or name some" if not batch.not_found else "name words that it has"
            raise InvalidInput("there is nothing to break down in this text", hint=hint, code="nothing_to_mine")

        def queue(store: Store) -> tuple[Job, ...]:
            at_work = store.jobs.of_records(self._profile, "transcripts", [transcript.id])
            if marked and any(job.kind == KIND and not job.is_over for job in at_work):
                raise InvalidInput(
                    "words of this text are being broken down",
                    hint="wait for that job, or cancel it: lode jobs",
                    code="mining_at_work",
                )
            source = str(JobSource("transcript", transcript.title))
            return (store.jobs.add(self._profile, KIND, source, options.to_json(), None, transcript.id),)

        (job,) = await self._runner.queue_made(self._library, queue)
        return job

    async def _choose(
        self,
        transcript_id: str,
        places: Sequence[WordPlace],
        words: Sequence[str],
        commonest: int,
        model: str,
        tag: str,
        *,
        marked: bool,
    ) -> _Batch:
        """Choose what is asked, and with what; the template's model where none is named."""
        providers = self._find_providers()
        provider, selector = providers.resolve(model or (await self._find_template()).model)
        providers.check(str(selector))
        transcript, cues = await self._library.run(lambda store: read_transcript(store, self._profile, transcript_id))
        given = [word for each in words if not is_blank(word := one_line(each))]
        if max(len(given), len(places)) > MAX_MINED or any(len(word) > MAX_QUERY for word in given):
            raise InvalidInput(
                f"at most {MAX_MINED} words of {MAX_QUERY} characters can be mined at once", hint="mine them in parts"
            )
        chosen = [*(await self.marks(transcript.id) if marked else ()), *(_mark_of(place, cues) for place in places)]
        not_found, dictionary = tuple[str, ...](), ""
        if given:
            found, not_found = await self._find_words().find_given(transcript.id, transcript.language, given)
            chosen += [_mark_of(each, cues) for each in found]
        if commonest:
            if transcript.language is None:
                hint = "say its language: lode transcripts edit"
                raise InvalidInput("nobody knows which words of this text are common", hint=hint, field="commonest")
            found, dictionary = await self._find_words().find_commonest(transcript.id, transcript.language, commonest)
            chosen += [_mark_of(each, cues) for each in sorted(found, key=lambda each: (each.cue, each.start))]
        by_place = {(each.cue, each.start, each.is_sentence): each for each in reversed(chosen)}
        whole = [replace(each, cue_text=cues[each.cue].text) for each in chosen if by_place[_place(each)] is each]
        left_out = max(0, len(whole) - MAX_MINED)
        return _Batch(
            transcript,
            MiningOptions(str(selector), _read_tag(tag), tuple(whole[:MAX_MINED])),
            is_local=provider.local,
            is_lexicon=provider.name == providers.lexicon.name,
            not_found=not_found,
            dictionary=dictionary,
            left_out=left_out,
        )


def _place(mark: MiningMark) -> tuple[int, int, bool]:
    return mark.cue, mark.start, mark.is_sentence


def _mark_of(place: WordPlace | NextWord, cues: Sequence[Cue]) -> MiningMark:
    """The mark of a word at a place; raises ``InvalidInput`` where there is none."""
    text = laid_out(cues[place.cue].text)[place.start : place.end] if 0 <= place.cue < len(cues) else ""
    if is_blank(text) or place.start < 0:
        raise InvalidInput(
            "there is no word at one of these places", hint="ask for the words again", code="no_word", field="places"
        )
    return MiningMark(place.cue, place.start, place.end, text, one_line(text))


def _read_tag(tag: str) -> str:
    """The tag of a batch, with today's date where none is given; raises ``InvalidInput`` for more than one."""
    if is_blank(tag):
        return f"mined-{date.today().isoformat()}"
    tags = split_tags(tag)
    if len(tags) != 1 or len(tag) > MAX_QUERY:
        raise InvalidInput("a batch has one tag, without spaces in it", hint="join its words: film-night", field="tag")
    return tags[0]
