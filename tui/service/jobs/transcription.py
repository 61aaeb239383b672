"""Transcription job: hears a recording piece by piece, and appends what each piece becomes to the transcript.

Where it is cut, and what was heard in each piece, is recorded as parts of the job. So a job that is tried again asks
for nothing twice but what was in flight: ``cut N`` says that a piece was made, ``piece N`` that it was heard, with its
cues as long as those before them are not there yet.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.errors import ProviderError
from tui.records.media import MediaLink, Span
from tui.records.transcripts import Cue
from tui.service.jobs.patience import ask_patiently
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.service.media.clip_media import check_unchanged
from tui.service.media.media_process import HEARING, MediaProcess, media_process, no_media
from tui.store import Store
from tui.store.rows import json_value
from tui.store.tables.cue_rows import cue_of, row_texts
from tui.text.display import clock, count_of
from tui.transcribing import whisper
from tui.transcribing.cues import count_doubts, make_cues
from tui.transcribing.heard import Heard, read_answer
from tui.transcribing.pieces import Cut, Piece, Request, SoundFormat, cut_pieces, encode
from tui.transcribing.speech import EXTRA, find_model

if TYPE_CHECKING:
    from tui.llm.protocol import TranscribingProvider

LONGEST_MS, LONGEST_QUIET_MS, LONGEST_TEXT_MS = 300_000, 600_000, 30_000
"""The longest pieces: cut where nobody speaks, cut at quiet places, and for a model that gives no times."""
_IN_FLIGHT = 3
"""Pieces that are asked of a provider at once."""
_FOR_EVER = 1 << 40


@dataclass(frozen=True, slots=True)
class JobOptions:
    """Options of the job; ``model`` is a selector, ``prompt`` has names that may occur in what is said.

    ``length_ms`` is how much sound there is between start and end, 0 where nobody knows. ``price`` is that of a minute,
    0 where nothing is paid or nobody knows.
    """

    model: str
    language: str = ""
    start_ms: int = 0
    end_ms: int | None = None
    length_ms: int = 0
    prompt: str = ""
    price: float = 0.0
    currency: str = ""

    @classmethod
    def read(cls, options: Mapping[str, object]) -> JobOptions:
        names = ("model", "language", "prompt", "currency")
        model, language, prompt, currency = (str(options.get(name) or "") for name in names)
        start, end, length = (options.get(name) for name in ("start_ms", "end_ms", "length_ms"))
        price = options.get("price")
        return cls(
            *(model, language),
            start if isinstance(start, int) else 0,
            end if isinstance(end, int) else None,
            length if isinstance(length, int) else 0,
            prompt,
            price if isinstance(price, float) else 0.0,
            currency,
        )


class TranscriptionJob:
    """Work of the jobs of the kind ``transcribe``."""

    def __init__(self, parts: JobParts) -> None:
        self._parts = parts

    async def run(self, running: RunningJob) -> None:
        options = JobOptions.read(running.options)
        transcript_id = running.job.transcript_id or ""
        await running.report(0.0, "listening", until=0.0)
        database = self._parts.database
        link, language = await database.run(lambda store: _find_recording(store, running.profile, transcript_id))
        await running.run_detached(lambda: check_unchanged(link), name="recording")
        work = _Transcription(self._parts, running, options, link, options.language or language)
        await running.until_stopped(work.run())
        await running.run_detached(lambda: check_unchanged(link), name="recording")  # it may have been written over
        await running.succeed(work.describe())


def _find_recording(store: Store, profile: str, transcript_id: str) -> tuple[MediaLink, str]:
    transcript = store.transcripts.get(profile, transcript_id)
    link = store.media.of(profile, transcript_id)
    if link is None:
        raise no_media(transcript.title)
    return link, transcript.language or ""


class _Transcription:
    """One recording on its way to cues."""

    def __init__(
        self, parts: JobParts, running: RunningJob, options: JobOptions, link: MediaLink, language: str
    ) -> None:
        self._parts, self._running, self._options, self._link = parts, running, options, link
        self._language = language
        self._cuts = list(_read_cuts(running.done))
        self._next = 0
        """Number of the piece whose cues are to be appended next."""
        self._waiting: dict[int, tuple[list[Cue], str]] = {}
        """Cues of pieces that were heard before those in front of them."""
        self._count = self._doubted = 0
        for number in range(len(self._cuts)):
            match running.done.get(f"piece {number}"):
                case {"count": int(count), "doubtful": int(doubtful)}:
                    self._count += count
                    self._doubted += doubtful
                case {"cues": list(rows), "language": str(heard_in)}:
                    self._waiting[number] = [cue_of(row[:-1]) for row in rows], heard_in
        self._heard = {at for at in range(len(self._cuts)) if f"piece {at}" in running.done}
        while self._next in self._heard and self._next not in self._waiting:
            self._next += 1
        self._again = len(self._cuts) - len(self._heard)
        self._appending = asyncio.Lock()
        self._finds_speech = find_model() is not None
        self._gives_times = True

    def describe(self) -> str:
        """Describe what it came to."""
        heard = sum(_length(self._cuts[at]) for at in self._heard)
        sent = sum(_sounding_ms(self._cuts[at]) for at in self._heard)
        facts = [count_of(self._count, "cue") if self._count else "nobody speaks in it", f"{clock(heard)} heard"]
        if self._options.price:
            facts.append(f"about {self._options.price * sent / 60_000:.2f} {self._options.currency}")
        if self._doubted:
            facts.append(f"{self._doubted} doubtful")
        if self._again:
            facts.append(f"{count_of(self._again, 'piece')} asked for again")
        if not self._finds_speech:
            facts.append(f"cut at quiet places, for want of {EXTRA}")
        return " · ".join(facts)

    async def run(self) -> None:
        await self._append_waiting()
        provider, _, model = self._options.model.partition(":")
        async with media_process(HEARING) as process:
            if provider == whisper.PROVIDER:
                folder = await asyncio.to_thread(whisper.find_folder, model)
                await self._hear_here(process, folder)
            else:
                await self._ask_all(process, self._parts.find_provider(provider), model)

    def _request(self, format: SoundFormat, limit_ms: int) -> Request:
        end = _FOR_EVER if self._options.end_ms is None else self._options.end_ms
        return Request(
            Span(self._options.start_ms, end),
            limit_ms,
            self._finds_speech,
            format,
            self._language,
            self._link.track,
            tuple(self._cuts),
            frozenset(self._heard),
        )

    # A model on this machine: it hears in the process that decodes, one piece after the other.

    async def _hear_here(self, process: MediaProcess, folder: Path) -> None:
        hearing = whisper.Hearing(folder, self._language, self._options.prompt, max(1, (os.cpu_count() or 2) - 1))
        limit = LONGEST_MS if self._finds_speech else LONGEST_QUIET_MS
        numbers = self._number_pieces()
        request, number = self._request("samples", limit), 0
        results = process.results(whisper.hear_pieces, Path(self._link.path), request, hearing)
        async for result in _iterate(results):
            match result:
                case Cut():
                    number = next(numbers)
                    await self._keep_cut(number, result)
                case whisper.HeardPiece(cut, heard):
                    await self._keep(number, self._make_cues(cut, heard), heard.language)
                case int(moment):
                    await self._report(moment)

    # A provider: some pieces are asked for at once, while the next one is being made.

    async def _ask_all(self, process: MediaProcess, provider: TranscribingProvider, model: str) -> None:
        from tui.llm.http.transcription import gives_times

        self._gives_times = gives_times(model)
        most = _IN_FLIGHT if provider.parallel else 1
        numbers, asked = self._number_pieces(), set[asyncio.Task[None]]()
        try:
            is_done = False
            while not is_done:
                limit, is_done = self._find_limit(), True
                results = process.results(cut_pieces, Path(self._link.path), self._request("mp3", limit))
                async with aclosing(_iterate(results)) as pieces:
                    async for piece in pieces:
                        number = next(numbers)
                        await self._keep_cut(number, piece.cut)
                        asked.add(asyncio.create_task(self._ask(number, piece, provider, model)))
                        while len(asked) >= most:
                            done, asked = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
                            _raise_first(done)
                        if self._find_limit() != limit:  # the rest is cut anew
                            is_done = False
                            break
                if not is_done:
                    await asyncio.gather(*asked)
                    asked.clear()
            await _finish_all(asked)
        except BaseException as error:
            if asked and not isinstance(error, asyncio.CancelledError):
                await asyncio.wait(asked)  # what is in flight is paid for
            for task in asked:
                task.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            raise

    def _find_limit(self) -> int:
        if not self._gives_times:
            return LONGEST_TEXT_MS
        return LONGEST_MS if self._finds_speech else LONGEST_QUIET_MS

    async def _ask(self, number: int, piece: Piece, provider: TranscribingProvider, model: str) -> None:
        cut, heard = piece.cut, Heard()
        cues: list[Cue] = []
        if piece.sound:
            heard = await self._ask_patiently(piece, provider, model, self._options.prompt)
            cues = self._make_cues(cut, heard)
            if count_doubts(cues):  # once more, and without what may have led it there
                other = await self._ask_patiently(piece, provider, model, "")
                others = self._make_cues(cut, other)
                if count_doubts(others) < count_doubts(cues):
                    cues = others
            if heard.segments and not heard.has_times:
                self._gives_times = False
        await self._keep(number, cues, heard.language)

    async def _ask_patiently(self, piece: Piece, provider: TranscribingProvider, model: str, prompt: str) -> Heard:
        from tui.llm.protocol import SoundPiece

        sounding = piece.cut.sounding or piece.cut.span
        asked = SoundPiece(piece.sound, partial(self._make_wav, piece.cut), self._language, prompt)
        length = sounding.end_ms - sounding.start_ms

        async def ask() -> Heard:
            try:
                return read_answer(await provider.transcribe(model, asked), length)
            except ValueError:
                raise ProviderError(
                    f"{provider.label} answers with what is no transcription",
                    hint="look at its address: base_url in config.toml; or try another model",
                    code="provider_protocol",
                ) from None

        return await ask_patiently(ask, provider.label, partial(self._report, 0))

    async def _make_wav(self, cut: Cut) -> bytes:
        """The sound of a cut as WAV, read once more: few servers refuse MP3."""
        request = self._request("wav", LONGEST_QUIET_MS)
        request = replace(request, span=cut.span, known=(cut,), done=frozenset())
        async with media_process(HEARING) as process:
            pieces = await asyncio.to_thread(lambda: list(process.results(cut_pieces, Path(self._link.path), request)))
        return pieces[0].sound if pieces else encode(b"", "wav")

    def _number_pieces(self) -> Iterator[int]:
        """Numbers of the pieces that are still to be heard: those that were made before, then new ones."""
        known = len(self._cuts)
        yield from (number for number in range(known) if number not in self._heard)
        number = known
        while True:
            yield number
            number += 1

    async def _keep_cut(self, number: int, cut: Cut) -> None:
        """Record that a piece was made, before it is asked for."""
        if number < len(self._cuts):
            return
        self._cuts.append(cut)
        await self._running.finish(f"cut {number}", _pack_cut(cut))

    def _make_cues(self, cut: Cut, heard: Heard) -> list[Cue]:
        sounding = cut.sounding
        if sounding is None or not heard.segments:
            return []
        return make_cues(heard, sounding, cut.speech, self._language or _read_language(heard.language) or None)

    async def _keep(self, number: int, cues: list[Cue], language: str) -> None:
        """Append the cues of a piece, and those that wait for them; those that have to wait are recorded."""
        async with self._appending:
            self._waiting[number] = cues, language
            self._heard.add(number)
            if number != self._next:
                packed = {"cues": [row for part in row_texts(cues) for row in json_value(part)], "language": language}
                await self._running.finish(f"piece {number}", packed)
            await self._append_all()
        await self._report(self._cuts[number].span.end_ms)

    async def _append_waiting(self) -> None:
        async with self._appending:
            await self._append_all()

    async def _append_all(self) -> None:
        while self._next in self._waiting:
            cues, heard_in = self._waiting[self._next]
            language = self._find_language(cues, heard_in)
            append = partial(self._append, cues=cues, language=language)
            count, doubtful = len(cues), count_doubts(cues)
            await self._running.finish(f"piece {self._next}", {"count": count, "doubtful": doubtful}, append)
            del self._waiting[self._next]
            self._next += 1
            self._language = language
            self._count += count
            self._doubted += doubtful

    def _append(self, store: Store, *, cues: Sequence[Cue], language: str) -> None:
        store.transcriptions.append(self._running.job.transcript_id or "", cues, language or None)

    def _find_language(self, cues: Sequence[Cue], heard_in: str) -> str:
        from tui.language.detection import guess_language

        if self._language or not cues:
            return self._language
        return _read_language(heard_in) or guess_language("\n".join(cue.text for cue in cues)) or ""

    async def _report(self, moment: int, also: str = "") -> None:
        total = self._options.length_ms
        heard = sum(_length(self._cuts[at]) for at in self._heard)
        done = max(heard, min(moment, self._options.start_ms + total) - self._options.start_ms) if total else heard
        share = min(1.0, done / total) if total else 0.0
        until = f" of {clock(total)}" if total else ""
        await self._running.report(share, f"{clock(done)}{until} heard" + (f" · {also}" if also else ""))


async def _iterate(results: Iterator[Any]) -> AsyncGenerator[Any, None]:
    """Iterate over results of another process, each waited for in a thread; closing this ends it."""
    end = object()
    try:
        while (result := await asyncio.to_thread(next, results, end)) is not end:
            yield result
    finally:
        with suppress(AttributeError, ValueError):  # while a thread waits for the next one, the process is ended
            results.close()  # type: ignore[attr-defined]


def _raise_first(done: set[asyncio.Task[None]]) -> None:
    for task in done:
        task.result()


async def _finish_all(asked: set[asyncio.Task[None]]) -> None:
    """Wait for all, also where one of them fails: what is in flight is paid for."""
    if asked:
        done, _ = await asyncio.wait(asked)
        _raise_first(done)


def _sounding_ms(cut: Cut) -> int:
    """Milliseconds of a cut that were sent."""
    return 0 if (sounding := cut.sounding) is None else sounding.end_ms - sounding.start_ms


def _read_language(said: str) -> str:
    """Read the tag of a language as servers name it: "en", "english"; "" for none."""
    from tui.language.tags import find_tag

    return (find_tag(said) or "") if said else ""


def _length(cut: Cut) -> int:
    return cut.span.end_ms - cut.span.start_ms


def _pack_cut(cut: Cut) -> list[object]:
    speech = None if cut.speech is None else [[each.start_ms, each.end_ms] for each in cut.speech]
    return [cut.span.start_ms, cut.span.end_ms, speech]


def _read_cuts(done: Mapping[str, Any]) -> Iterator[Cut]:
    number = 0
    while (packed := done.get(f"cut {number}")) is not None:
        start, end, speech = packed
        yield Cut(Span(start, end), None if speech is None else tuple(Span(*each) for each in speech))
        number += 1
