"""Films and recordings of the transcripts of a library on this machine."""

import asyncio
from collections.abc import AsyncIterable
from dataclasses import replace
from pathlib import Path

from tui.errors import MediaError, NotFound
from tui.media.container import probe
from tui.media.cutting import cut
from tui.media.films import make_link
from tui.media.sound import measure_peaks
from tui.records.clip_selection import ALL_CLIPS, ClipSelection
from tui.records.jobs import Job
from tui.records.media import LinkedMedia, MediaInfo, MediaLink, Span, UnspokenClip
from tui.service.incoming import KeptFilms
from tui.service.jobs.media_jobs import options_of
from tui.service.jobs.queue import JobRunner
from tui.service.library import Library
from tui.service.media.clip_media import check_unchanged
from tui.service.media.media_process import media_process, no_media, no_times
from tui.service.media.voices import Voices
from tui.store import Store
from tui.system.regular_file import named_path
from tui.text.display import count_of
from tui.text.sanitize import one_line


class LocalMedia:
    """The media resource."""

    def __init__(self, library: Library, runner: JobRunner, voices: Voices) -> None:
        self._library = library
        self._profile = library.profile
        self._unkeyed = replace(library, write_key=None)
        """The library for the job that follows a link: a request that is sent again finds the link made."""
        self._runner = runner
        self._voices = voices
        self._kept_films = KeptFilms(library.database.directory)

    async def link(self, record_id: str, film: str | Path, *, track: int = 0, copy: bool = False) -> LinkedMedia:
        path, profile = named_path(film).absolute(), self._profile
        transcripts = await self._timed(record_id)
        if not transcripts:
            raise no_times()
        async with media_process() as process:
            info = await asyncio.to_thread(process.result, probe, path)
        check_track(info, track, path.name)
        if copy:
            path = await self._kept_films.copy(path)
        new = replace(await asyncio.to_thread(make_link, path), track=track)
        links = await self._library.change(
            lambda store: tuple(store.media.link(profile, each, new) for each in transcripts)
        )
        waiting = await self._library.run(lambda store: store.media.waiting(profile))
        jobs = await self._runner.queue(self._unkeyed, "clip_media", [str(path)], {}) if waiting else ()
        return LinkedMedia(links, info, jobs[0] if jobs else None)

    async def link_upload(
        self, record_id: str, name: str, pieces: AsyncIterable[bytes], most: int, *, track: int = 0
    ) -> LinkedMedia:
        """Link a film that comes in pieces, of at most so many bytes, which the library keeps; raises as ``link``."""
        if not await self._timed(record_id):
            raise no_times()
        path = await self._kept_films.receive(name, pieces, most)
        return await self.link(record_id, path, track=track)

    async def _timed(self, record_id: str) -> list[str]:
        return await self._library.run(lambda store: store.media.timed_transcripts(self._profile, record_id))

    async def unlink(self, record_id: str) -> tuple[MediaLink, ...]:
        profile, transcripts = self._profile, await self._timed(record_id)
        found = await self._library.change(lambda store: [store.media.unlink(profile, each) for each in transcripts])
        return tuple(link for link in found if link is not None)

    async def of(self, transcript_id: str) -> MediaLink | None:
        return await self._library.run(lambda store: store.media.of(self._profile, transcript_id))

    async def waveform(self, transcript_id: str, span: Span) -> bytes:
        film, language, track = await self._find_linked(transcript_id)
        async with media_process() as process:
            return await asyncio.to_thread(
                lambda: process.result(measure_peaks, film, span, language=language, track=track)
            )

    async def sound(self, transcript_id: str, span: Span) -> bytes:
        film, language, track = await self._find_linked(transcript_id)
        async with media_process() as process:
            (cutting,) = await asyncio.to_thread(
                lambda: list(process.results(cut, film, [span], language=language, track=track, pictures=False))
            )
        if not cutting.sound:
            raise MediaError(
                f"{one_line(film.name)} has no sound there",
                hint="look whether it is the film of these times: lode files link TRANSCRIPT FILM",
                code="no_audio",
            )
        return cutting.sound

    async def _find_linked(self, transcript_id: str) -> tuple[Path, str, int]:
        """A transcript's film, which lies where it was linked, unchanged, the language and the track of its sound.

        Raises ``MediaError``.
        """
        transcript = await self._library.run(lambda store: store.transcripts.get(self._profile, transcript_id))
        link = await self.of(transcript.id)
        if link is None:
            raise no_media(transcript.title)
        await asyncio.to_thread(check_unchanged, link)
        return Path(link.path), transcript.language or "", link.track

    async def audio(self, clip_id: str) -> bytes:
        return await self._content(clip_id, "audio", "sound")

    async def picture(self, clip_id: str) -> bytes:
        return await self._content(clip_id, "picture", "picture")

    async def speak(self, selection: ClipSelection = ALL_CLIPS, *, again: bool = False) -> Job | None:
        def chosen(store: Store) -> list[UnspokenClip]:
            selected = store.exports.select(self._profile, "", selection)
            return store.media.unspoken(self._profile, selected, again=again)

        clips = await self._library.run(chosen)
        if not clips:
            return None
        self._voices.check()
        (job,) = await self._runner.queue(self._library, "speech", [""], options_of(clips, again=again))
        return job

    async def unspeak(self, selection: ClipSelection = ALL_CLIPS) -> int:
        def remove(store: Store) -> int:
            selected = store.exports.select(self._profile, "", selection)
            return store.media.remove_voices(self._profile, selected)

        return await self._library.change(remove)

    async def _content(self, clip_id: str, field: str, called: str) -> bytes:
        def content(store: Store) -> bytes | None:
            sha256 = getattr(store.clips.get(self._profile, clip_id), field)
            return None if sha256 is None else store.media.content(sha256)

        found = await self._library.run(content)
        if found is None:
            hint = "link a film: lode files link TRANSCRIPT FILM"
            hint += "; or have a machine speak it: lode clips speak" if field == "audio" else ""
            raise NotFound(f"the clip has no {called}", hint=hint, code="media_not_found")
        return found


def check_track(info: MediaInfo, track: int, name: str) -> None:
    """Raise ``MediaError`` for a film with neither sound nor pictures, or without that track of sound."""
    if not info.audio and not info.has_video:
        raise MediaError(f"{one_line(name)} has neither sound nor pictures", code="no_audio")
    if track > len(info.audio):
        raise MediaError(
            f"{one_line(name)} has no track {track} of sound",
            hint=f"it has {count_of(len(info.audio), 'track')}: --track N, from 1 on",
            code="no_such_track",
        )
