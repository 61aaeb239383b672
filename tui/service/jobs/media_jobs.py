"""Jobs on media: cutting the sounds and pictures of clips out of films, and speaking the clips without a recording."""

from collections import Counter
from collections.abc import Iterable

from tui.errors import LodeError, MediaError, ProviderError
from tui.records.exports import FilmTrouble
from tui.records.media import UnspokenClip
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.service.library import Database
from tui.service.media.clip_media import ClipMedia
from tui.service.media.voices import Speaker
from tui.text.display import count_of, number


async def _cut(database: Database, running: RunningJob) -> tuple[FilmTrouble, ...]:
    """Cut all that waits out of the films of a job's profile."""
    cutting = ClipMedia(database)
    try:
        return await cutting.complete(running.profile, running.checkpoint)
    finally:
        await cutting.close()


class ClipMediaJob:
    """Work of the jobs of the kind ``clip_media``."""

    def __init__(self, parts: JobParts) -> None:
        self._database = parts.database

    async def run(self, running: RunningJob) -> None:
        before = len(await self._database.run(lambda store: store.media.waiting(running.profile)))
        await running.report(0.0, "cutting sounds and pictures", until=1.0)
        trouble = await _cut(self._database, running)
        own = [each for each in trouble if each.path == str(running.source.path)]
        if own:
            raise MediaError(own[0].message, hint=own[0].hint, code=own[0].code)
        await running.succeed(
            f"{count_of(before - sum(each.clips for each in trouble), 'clip')} with sound and picture"
        )


_OF_ONE_CLIP = frozenset(
    ("nothing_to_speak", "too_long_to_speak", "no_voice", "voice_missing", "language_unknown", "request_refused")
)
"""Codes of errors that say nothing about the next clip, which may be of another language."""
_OF_ALL = frozenset(("media_extra_missing", "disk_full"))
"""Codes of errors that the next clip would meet too."""
_FAILURES = 3
"""Failures of a voice one after the other, after which it is not tried with the next clip."""
_REASONS = 5
"""Reasons that are told at most."""


def options_of(clips: Iterable[UnspokenClip], *, again: bool) -> dict[str, object]:
    """The options of a job for these clips; ``again``: also for those that another voice speaks by then."""
    return {"clips": [clip.id for clip in clips], "again": again}


class SpeechJob:
    """Work of the jobs of the kind ``speech``; tried again, one leaves out what is spoken."""

    def __init__(self, parts: JobParts) -> None:
        self._database = parts.database
        self._voice_of = parts.voice_of

    async def run(self, running: RunningJob) -> None:
        # A recording is better than a voice, and what cannot be cut gets one.
        await running.report(0.0, "cutting what was recorded")
        await _cut(self._database, running)
        chosen, again = running.options.get("clips"), running.options.get("again") is True
        ids = list(map(str, chosen)) if isinstance(chosen, list) else []
        clips = await self._database.run(lambda store: store.media.unspoken_of(running.profile, ids, again=again))
        speaker, left_out, spoken = Speaker(), _LeftOut(), 0
        try:
            for at, clip in enumerate(clips):
                await running.report(at / len(clips), f"{number(at)} of {count_of(len(clips), 'clip')}")
                try:
                    spoken += await running.until_stopped(self._spoken(clip, speaker))
                    left_out.failures = 0
                except (MediaError, ProviderError) as error:
                    left_out.add(error)
        finally:
            await speaker.close()
        if not spoken and left_out.first is not None:
            raise left_out.first
        await running.succeed(f"{count_of(spoken, 'clip')} spoken{left_out.told()}")

    async def _spoken(self, clip: UnspokenClip, speaker: Speaker) -> bool:
        """Speak a clip and keep it; False where its voice has spoken it already, or it is another one by now."""
        voice = await self._voice_of(clip.language)
        if clip.voice == voice.name:
            return False
        sound = await speaker.sound(clip.sentence, voice)
        return await self._database.run(lambda store: store.media.keep_voice(clip, sound, voice.name))


class _LeftOut:
    """Clips that are left out, and why."""

    def __init__(self) -> None:
        self.failures = 0
        self.first: LodeError | None = None
        self._reasons: Counter[str] = Counter()

    def add(self, error: LodeError) -> None:
        """Note why a clip is left out; raises the error where the next clip would meet it too."""
        self.failures += error.code not in _OF_ONE_CLIP
        of_provider = isinstance(error, ProviderError) and error.code not in _OF_ONE_CLIP
        if of_provider or error.code in _OF_ALL or self.failures == _FAILURES:
            raise error
        self.first = self.first or error
        self._reasons[error.message] += 1

    def told(self) -> str:
        return "".join(f" · {number(count)} not: {message}" for message, count in self._reasons.most_common(_REASONS))
