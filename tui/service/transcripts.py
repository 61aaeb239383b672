"""Transcripts: their cues, sentences and words, places and notes in them, edits, translations and exports."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tui.errors import InvalidInput
from tui.records import transcripts
from tui.service.records import CountTranscripts, MovableRecords
from tui.system.regular_file import named_path
from tui.text.sanitize import is_blank, laid_out, one_line, without_controls
from tui.text.search_query import parse_query

if TYPE_CHECKING:
    from tui.records.deletion import Deletion
    from tui.records.pages import Page
    from tui.service.library import Library
    from tui.service.protocol.words import CueWords
    from tui.store import Store

T = TypeVar("T")
_EXPORTED_AT_ONCE = 1000
"""Cues that are read, written and forgotten at a time."""


class LocalTranscripts(MovableRecords[transcripts.Transcript]):
    """The transcripts resource; ``cancel`` stops jobs by their ids, for whoever may delete transcripts."""

    def __init__(
        self,
        library: Library,
        count: CountTranscripts | None = None,
        cancel: Callable[..., Awaitable[object]] | None = None,
    ) -> None:
        super().__init__(library, lambda store: store.transcripts, count)
        self._cancel = cancel

    async def _prepare_search(self, q: str) -> None:
        if self._count is None or not any(term.field == "new" for term in parse_query(q, ("new",))):
            return
        waiting = await self._library.run(lambda store: store.transcripts.uncounted_ids(self._profile, "", ""))
        new_words = await self._count(waiting, "new")

        def keep(store: Store) -> None:
            store.transcripts.new_words = new_words

        await self._library.run(keep)

    async def cues(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[transcripts.Cue]:
        return await self._library.run(
            lambda store: store.transcripts.cues(self._profile, transcript_id, offset, limit, after)
        )

    async def sentences(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[transcripts.Sentence]:
        return await self._library.run(
            lambda store: store.transcripts.sentences(self._profile, transcript_id, offset, limit, after)
        )

    async def changes(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[transcripts.OriginalCue]:
        return await self._library.run(
            lambda store: store.transcripts.originals(self._profile, transcript_id, offset, limit, after)
        )

    async def words(self, transcript_id: str, *, offset: int = 0, limit: int = 200) -> tuple[CueWords, ...]:
        from tui.language.segmentation import is_segmented, words
        from tui.service.protocol.words import CueWords

        language = (await self.get(transcript_id)).language
        if not is_segmented(language):
            return ()
        page = await self.cues(transcript_id, offset=offset, limit=limit)
        # Not in a thread of the database's: the first call loads a dictionary.
        return await asyncio.to_thread(
            lambda: tuple(CueWords(cue.index, words(laid_out(cue.text), language)) for cue in page.items)
        )

    async def find(self, transcript_id: str, q: str, *, limit: int = 10_000) -> tuple[int, ...]:
        return await self._library.run(lambda store: store.transcripts.find(self._profile, transcript_id, q, limit))

    async def place(self, transcript_id: str) -> transcripts.ReadingPlace | None:
        return await self._library.run(lambda store: store.transcripts.place(self._profile, transcript_id))

    async def leave_at(self, transcript_id: str, place: transcripts.ReadingPlace) -> transcripts.ReadingPlace:
        await self._library.change(lambda store: store.transcripts.leave_at(self._profile, transcript_id, place))
        return place

    async def last_read(self, *, limit: int = 1) -> tuple[transcripts.LastRead, ...]:
        return await self._library.run(lambda store: store.transcripts.last_read(self._profile, limit))

    async def notes(self, transcript_id: str) -> tuple[transcripts.CueNote, ...]:
        return await self._library.run(lambda store: store.transcripts.notes(self._profile, transcript_id))

    async def note(self, transcript_id: str, cue_index: int, text: str) -> transcripts.CueNote:
        note = without_controls(text).strip()
        if len(note) > transcripts.MAX_CUE_NOTE:
            said = f"a note has at most {transcripts.MAX_CUE_NOTE} characters, not {len(note)}"
            raise InvalidInput(said, hint="make it shorter, or two of it", code="note_too_long", field="text")
        return await self._library.change(
            lambda store: store.transcripts.note(self._profile, transcript_id, cue_index, note)
        )

    async def edit(
        self, transcript_id: str, *, title: str | None = None, language: str | None = None
    ) -> transcripts.Transcript:
        from tui.service.settings import check_tag

        name = None if title is None else _checked_title(title)
        tag = language
        if tag:
            tag = "" if is_blank(tag) else check_tag(tag)  # "": an unknown language
        return await self._library.change(
            lambda store: store.transcripts.edit(self._profile, transcript_id, title=name, language=tag)
        )

    async def delete(self, *transcript_ids: str) -> Deletion:
        jobs = await self._library.database.run_on_jobs(
            lambda store: store.jobs.of_records(self._profile, "transcripts", transcript_ids)
        )
        at_work = [job.id for job in jobs if not job.is_over]
        if at_work and self._cancel is not None:
            await self._cancel(*at_work)
        return await super().delete(*transcript_ids)

    async def pair(
        self, transcript_id: str, translation_id: str, *, offset_ms: int | None = None
    ) -> transcripts.TranslationPair:
        from tui.service.clip_filling import pair

        return await pair(self._library, transcript_id, translation_id, offset_ms)

    async def unpair(self, transcript_id: str) -> transcripts.Transcript:
        return await self._library.change(lambda store: store.transcripts.pair(self._profile, transcript_id, None))

    async def translations(self, transcript_id: str, *, offset: int = 0, limit: int = 200) -> tuple[str, ...]:
        from tui.service.clip_filling import translations

        track = await self._library.run(
            lambda store: store.transcripts.track(self._profile, transcript_id, offset, limit)
        )
        return translations(track)

    async def stream_export(self, transcript_id: str, format: str) -> AsyncGenerator[bytes, None]:
        from tui.exporting.formats import check_times, find_export_format

        wanted, transcript = find_export_format(format), await self.get(transcript_id)
        check_times(transcript, wanted)
        texts = _each_page(partial(self.cues, transcript.id), wanted.cue)
        if wanted.sentence is not None and transcript.duration_ms is not None:
            texts = _each_page(partial(self.sentences, transcript.id), wanted.sentence)
        yield wanted.head(transcript).encode()
        async with aclosing(texts):
            async for text in texts:
                yield text.encode()
        yield (wanted.notes(await self.notes(transcript.id)) + wanted.tail).encode()

    async def export(
        self, transcript_id: str, path: str | Path, *, format: str = "", overwrite: bool = False
    ) -> transcripts.TranscriptExport:
        from tui.exporting.formats import find_export_format, find_format_of_path
        from tui.exporting.target_file import TargetFile

        target = named_path(path)
        wanted = find_export_format(format) if format else find_format_of_path(target)
        transcript = await self.get(transcript_id)
        async with aclosing(self.stream_export(transcript.id, wanted.name)) as pieces:
            with await asyncio.to_thread(TargetFile, target, overwrite=overwrite) as file:
                size = await file.write_all(pieces)
        return transcripts.TranscriptExport(transcript.id, str(target), wanted.name, size)


async def _each_page(fetch: Callable[..., Awaitable[Page[T]]], write: Callable[[T], str]) -> AsyncGenerator[str, None]:
    """Yield what is written for the items of each page.

    They are read by cursor, which another reading of the file makes void: half of the one and half of the other is
    neither.
    """
    page = await fetch(limit=_EXPORTED_AT_ONCE)
    while True:
        yield "".join(map(write, page.items))
        if page.next is None:
            return
        page = await fetch(limit=_EXPORTED_AT_ONCE, after=page.next)


def _checked_title(title: str) -> str:
    name = one_line(title)
    if is_blank(name):
        raise InvalidInput("a transcript needs a title", hint="type one that can be seen", field="title")
    if len(name) > transcripts.MAX_TITLE:
        raise InvalidInput(f"a title has at most {transcripts.MAX_TITLE} characters", hint="shorten it", field="title")
    return name
