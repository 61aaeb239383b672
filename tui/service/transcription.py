"""Transcriptions of recordings: what one will be and cost, and its start; the job does the work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from tui.config import Settings
from tui.errors import InvalidInput, MediaError, NotFound
from tui.language.tags import base_language
from tui.media.container import probe
from tui.media.films import make_link
from tui.media.sound import choose_track
from tui.records.files import NewFile
from tui.records.jobs import Job, JobSource
from tui.records.media import MediaInfo, NewLink
from tui.records.transcription import TranscriptionChoice, TranscriptionPlan, WhisperModel
from tui.service.incoming import KeptFilms
from tui.service.jobs.transcription import JobOptions
from tui.service.media.media_process import media_process
from tui.service.settings import check_tag
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line
from tui.transcribing import whisper
from tui.transcribing.speech import EXTRA, find_model

if TYPE_CHECKING:
    from tui.llm.providers import HttpProviders
    from tui.records.own_words import OwnWord
    from tui.service.jobs.queue import JobRunner
    from tui.service.library import Library
    from tui.service.protocol.arguments import TranscriptionOptions
    from tui.store import Store

_MAX_PROMPT = 400
"""Characters of a prompt: Whisper's models take 224 tokens of it, and the last ones count."""


@dataclass(frozen=True, slots=True)
class _Recording:
    """A recording that is to be transcribed; ``file_id`` is the file of the library that it belongs to, "" for none."""

    path: Path
    title: str
    language: str
    file_id: str = ""


class LocalTranscription:
    """The transcription resource."""

    def __init__(
        self, library: Library, runner: JobRunner, settings: Settings, over_http: Callable[[], HttpProviders]
    ) -> None:
        self._library = library
        self._profile = library.profile
        self._runner = runner
        self._settings = settings
        self._over_http = over_http

    async def plan(self, record_id: str, **choice: Unpack[TranscriptionOptions]) -> TranscriptionPlan:
        recording = await self._find_record(record_id)
        return await self._plan(recording, await _probe(recording.path), TranscriptionChoice(**choice))

    async def start(self, record_id: str, **choice: Unpack[TranscriptionOptions]) -> Job:
        return await self._start(await self._find_record(record_id), TranscriptionChoice(**choice))

    async def plan_file(self, path: str | Path, **choice: Unpack[TranscriptionOptions]) -> TranscriptionPlan:
        recording = _recording_at(path)
        return await self._plan(recording, await _probe(recording.path), TranscriptionChoice(**choice))

    async def start_file(self, path: str | Path, **choice: Unpack[TranscriptionOptions]) -> Job:
        return await self._start(_recording_at(path), TranscriptionChoice(**choice))

    async def start_upload(
        self, name: str, pieces: AsyncIterable[bytes], most: int, **choice: Unpack[TranscriptionOptions]
    ) -> Job:
        """Start with a recording that comes in pieces, of at most so many bytes, which the library keeps."""
        path = await KeptFilms(self._library.database.directory).receive(name, pieces, most)
        return await self.start_file(path, **choice)

    async def models(self) -> tuple[WhisperModel, ...]:
        whisper.check_installed()
        return tuple(await asyncio.to_thread(whisper.list_models))

    async def fetch_model(self, name: str) -> str:
        return str(await in_daemon_thread(lambda: whisper.fetch(name), name="model to fetch"))

    async def _start(self, recording: _Recording, choice: TranscriptionChoice) -> Job:
        info = await _probe(recording.path)
        plan = await self._plan(recording, info, choice)
        link = replace(await asyncio.to_thread(make_link, recording.path), track=plan.track.number)
        words: Sequence[OwnWord] = ()
        if base := base_language(plan.language):
            words = await self._library.run(lambda store: store.own_words.all(self._profile, base))
        options = JobOptions(
            plan.model,
            plan.language,
            choice.start_ms,
            choice.end_ms,
            plan.duration_ms or 0,
            _make_prompt(recording, [word.lemma for word in words]),
            0.0 if plan.is_local else self._settings.prices.get(plan.model, 0.0),
            plan.currency,
        )
        file = recording.file_id or _make_file(recording.path, info, link, plan.language)
        source = str(JobSource.of_path(recording.path))

        def begin(store: Store) -> tuple[Job, ...]:
            asked = asdict(options)
            return (store.transcriptions.begin(self._profile, file, recording.title, link, source, asked),)

        (job,) = await self._runner.queue_made(self._library, begin)
        return job

    async def _find_record(self, record_id: str) -> _Recording:
        return await self._library.run(lambda store: _find_in_library(store, self._profile, record_id))

    async def _plan(self, recording: _Recording, info: MediaInfo, choice: TranscriptionChoice) -> TranscriptionPlan:
        language = (check_tag(choice.language) if choice.language else "") or recording.language
        track = choose_track(info.audio, language, choice.track, one_line(recording.path.name))
        language = language or track.language
        span = _check_span(choice, info.duration_ms)
        model = await self._choose_model(choice.model)
        is_local = self._is_local(model)
        price = None if is_local else self._settings.prices.get(model)
        return TranscriptionPlan(
            name=one_line(recording.path.name),
            model=model,
            language=language,
            duration_ms=span,
            tracks=info.audio,
            track=track,
            is_local=is_local,
            finds_speech=find_model() is not None,
            cost=None if price is None or span is None else price * span / 60_000,
            currency=self._settings.currency,
        )

    def _is_local(self, model: str) -> bool:
        """Whether a model is on this machine or in its own network, where nothing is paid."""
        provider = model.partition(":")[0]
        return provider == whisper.PROVIDER or self._over_http().find(provider).local

    async def _choose_model(self, given: str) -> str:
        """The model that is meant, else that of the profile's settings, else the best that can be had."""
        wanted = given or (await self._library.settings()).transcribe_with
        if wanted:
            await asyncio.to_thread(self._check_model, wanted)
            return wanted
        if name := await asyncio.to_thread(whisper.choose_model):
            return f"{whisper.PROVIDER}:{name}"
        if usable := self._over_http().list_transcribing():
            return str(usable[0])
        here = "lode models whisper --fetch small"
        raise MediaError(
            "nothing here can transcribe yet",
            hint=f"{'' if whisper.is_installed() else f'{EXTRA}, then '}{here} gets a model for this machine;"
            " or set a provider's key, as GROQ_API_KEY; or name a model, PROVIDER:MODEL",
            code="no_transcriber",
        )

    def _check_model(self, selector: str) -> None:
        """Raise where a model cannot be used; no provider is asked."""
        provider, colon, model = selector.partition(":")
        if not colon or not model:
            raise InvalidInput(
                f"{one_line(selector)[:80]!r} is no model to transcribe with",
                hint="write PROVIDER:MODEL, whisper:NAME or whisper:FOLDER",
                field="model",
                code="invalid_selector",
            )
        if provider == whisper.PROVIDER:
            whisper.find_folder(model)
        else:
            self._over_http().find(provider)


def _recording_at(path: str | Path) -> _Recording:
    place = named_path(path).absolute()
    return _Recording(place, one_line(place.stem), "")


async def _probe(path: Path) -> MediaInfo:
    async with media_process() as process:
        return await asyncio.to_thread(process.result, probe, path)


def _find_in_library(store: Store, profile: str, record_id: str) -> _Recording:
    """The recording of a file or a transcript; raises ``NotFound``, and ``MediaError`` for one without any."""
    try:
        file = store.files.get(profile, record_id)
        transcripts = store.media.timed_transcripts(profile, file.id)
        language, file_id, title = file.language or "", file.id, Path(file.name).stem
        path = file.path
    except NotFound:
        transcript = store.transcripts.get(profile, record_id)
        transcripts, language, file_id = [transcript.id], transcript.language or "", transcript.file_id or ""
        title, path = transcript.title, None
    links = [link for each in transcripts if (link := store.media.of(profile, each)) is not None]
    found = links[-1].path if links else path
    if found is None:
        raise MediaError(
            f"{one_line(title)[:80]} has no film or recording",
            hint="name the recording itself: lode transcribe FILE",
            code="no_media",
        )
    return _Recording(Path(found), one_line(title), language, file_id)


def _make_file(path: Path, info: MediaInfo, link: NewLink, language: str) -> NewFile:
    return NewFile(
        name=one_line(path.name),
        kind="video" if info.has_video else "audio",
        format=path.suffix.lstrip(".").lower()[:12] or info.format,
        language=language or None,
        size_bytes=link.size_bytes,
        sha256=link.parts_sha256,
        duration_ms=info.duration_ms,
    )


def _make_prompt(recording: _Recording, words: Sequence[str]) -> str:
    """Names that may occur in a recording: its title, where it is one, and the words that the learner has written of.

    Not what came before: that leads a model from one piece into the next, and into loops.
    """
    title = " ".join(recording.title.replace("_", " ").replace(".", " ").split())
    prompt = title[:_MAX_PROMPT] if any(map(str.isalpha, title)) else ""
    for word in map(one_line, words):
        if len(prompt) + len(word) + 2 > _MAX_PROMPT:
            break
        prompt += f", {word}" if prompt else word
    return prompt


def _check_span(choice: TranscriptionChoice, duration_ms: int | None) -> int | None:
    """Milliseconds of the span that is to be heard; raises ``InvalidInput`` for one that there is not."""
    end = duration_ms if choice.end_ms is None else choice.end_ms
    if choice.start_ms < 0 or (end is not None and end <= choice.start_ms):
        raise InvalidInput(
            "there is nothing to hear between these times",
            hint="--from has to be before --to, and before the end of the recording",
            field="start_ms",
        )
    if end is None:
        return None
    return min(end, duration_ms if duration_ms is not None else end) - choice.start_ms
