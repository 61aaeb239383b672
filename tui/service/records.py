"""Transcripts, clips and answers of a profile: what all records have in common, and what each kind has of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar, cast

from tui.config import check_profile
from tui.errors import InvalidInput, NotFound
from tui.records import transcripts
from tui.records.answers import Answer, Usage
from tui.records.clips import Clip, FillReport, FocusWord, KeptClip, NewClip, TagCount
from tui.records.exports import ALL_CLIPS, ClipSelection
from tui.records.sorting import COUNT_COLUMNS, RowGroup, Sort
from tui.service.notes import with_notes
from tui.service.protocol.arguments import MAX_QUERY
from tui.service.protocol.words import CueWords
from tui.system.regular_file import named_path
from tui.text.clip_fields import split_tags
from tui.text.sanitize import is_blank, laid_out, one_line, without_controls
from tui.text.search_query import parse_query

if TYPE_CHECKING:
    from tui.records.library import Deletion, Moved
    from tui.records.pages import Page
    from tui.service.clip_filling import LookUpWord
    from tui.service.library import Library
    from tui.store import Store
    from tui.store.tables.moving import Movable
    from tui.store.tables.resource_table import ResourceTable

T = TypeVar("T")
CountTranscripts: TypeAlias = Callable[[Sequence[str], str], Awaitable[Mapping[int, float]]]
"""Function that has these transcripts counted, by their ids, and gives the numbers of a column for the rows of all."""
_EXPORTED_AT_ONCE = 1000
"""Cues that are read, written and forgotten at a time."""
MAX_CHARS = 200_000
"""Maximum characters of all texts of a clip: far beyond any explanation; a server takes that in one request."""
_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])\Z")


class StoredRecords(Generic[T]):
    """Base class for clips, transcripts, files and answers; ``table`` is theirs in the store.

    ``count`` gives the numbers that transcripts are sorted by: by their rows, for a column of their words' counts.
    """

    def __init__(
        self, library: Library, table: Callable[[Store], ResourceTable[T]], count: CountTranscripts | None = None
    ) -> None:
        self._count = count
        self._counted = "", ""
        """Search and column whose first page was read last, with all counts."""
        self._library = library
        self._profile = library.profile
        self._table = table

    async def page(
        self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None, sort: str = ""
    ) -> Page[T]:
        await self._prepare_search(q)
        counts = await self._counts(q, sort, is_first=not offset and after is None)
        return await self._library.run(
            lambda store: self._table(store).page(self._profile, offset, limit, q, after, sort, counts)
        )

    async def _counts(self, q: str, sort: str, *, is_first: bool) -> Mapping[int, float] | None:
        """The counts of the transcripts of this list, by their rows, that it is to be sorted by.

        Its first page has those counted that were not; further ones are of the order that that one had.
        """
        column = Sort(sort.removeprefix("-")).column
        if column not in COUNT_COLUMNS or self._count is None:
            return None
        waiting: Sequence[str] = ()
        if is_first or self._counted != (q, column):
            self._counted = q, column
            waiting = await self._library.run(lambda store: self._table(store).uncounted_ids(self._profile, q, column))
        return await self._count(waiting, column)

    async def _prepare_search(self, q: str) -> None:
        """Have counted what a search asks for that no table has."""

    async def find_groups(self, sort: str, *, q: str = "") -> tuple[RowGroup, ...]:
        await self._prepare_search(q)
        return await self._library.run(lambda store: self._table(store).groups(self._profile, sort, q))

    async def get(self, record_id: str, /) -> T:
        return await self._library.run(lambda store: self._table(store).get(self._profile, record_id))

    async def find_named(self, name: str) -> tuple[T, ...]:
        return await self._library.run(lambda store: self._table(store).by_name(self._profile, name))

    async def delete(self, *record_ids: str) -> Deletion:
        return await self._library.change(lambda store: self._table(store).delete(self._profile, record_ids))


class MovableRecords(StoredRecords[T]):
    """Base class for files, transcripts and clips: those can go to another profile."""

    async def move(self, *record_ids: str, to: str, dry_run: bool = False) -> Moved:
        if check_profile(to) == self._profile:
            raise InvalidInput("that is the profile that they are in", hint="name another one", code="same_profile")
        return await self._library.change(
            lambda store: store.moving.move(
                self._profile, cast("Movable", self._table(store).name), record_ids, to, dry_run=dry_run
            )
        )


class LocalTranscripts(MovableRecords[transcripts.Transcript]):
    def __init__(self, library: Library, count: CountTranscripts | None = None) -> None:
        super().__init__(library, lambda store: store.transcripts, count)

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


class LocalBookmarks(StoredRecords[transcripts.Bookmark]):
    def __init__(self, library: Library) -> None:
        super().__init__(library, lambda store: store.bookmarks)

    async def of(self, transcript_id: str) -> tuple[transcripts.Bookmark, ...]:
        return await self._library.run(lambda store: store.bookmarks.of(self._profile, transcript_id))

    async def put(self, transcript_id: str, cue_index: int, *, name: str | None = None) -> transcripts.Bookmark:
        called = None if name is None else one_line(name)
        if called is not None and len(called) > transcripts.MAX_BOOKMARK_NAME:
            said = f"the name of a bookmark has at most {transcripts.MAX_BOOKMARK_NAME} characters, not {len(called)}"
            raise InvalidInput(said, hint="make it shorter", field="name")
        return await self._library.change(
            lambda store: store.bookmarks.put(self._profile, transcript_id, cue_index, called)
        )


class LocalClips(MovableRecords[Clip]):
    """The clips resource; ``begin_cutting`` is called with the profile whose clips may lack sounds and pictures."""

    def __init__(
        self, library: Library, begin_cutting: Callable[[str], None], look_up: Callable[[], LookUpWord]
    ) -> None:
        super().__init__(library, lambda store: store.clips)
        self._begin_cutting = begin_cutting
        self._look_up = look_up

    async def cues_of(self, transcript_id: str) -> tuple[int, ...]:
        return await self._library.run(lambda store: store.clips.cues_of(self._profile, transcript_id))

    async def has(self, transcript_id: str, cue_index: int, surface: str = "") -> bool:
        return await self._library.run(lambda store: store.clips.has(self._profile, transcript_id, cue_index, surface))

    async def add(self, clip: NewClip) -> Clip:
        _check_clip(clip)
        (added,) = await self.add_at_once((clip,))
        return added

    async def keep(self, clip: NewClip, *, asked: str = "") -> KeptClip:
        _check_clip(clip)
        read = await self._with_reading(clip)

        def keep(store: Store) -> KeptClip:
            kept = store.clips.keep(self._profile, read, asked)
            with_notes(store, (kept.clip,))
            return kept

        kept = await self._library.change(keep)
        self._cut(kept.clip)
        return kept

    async def fill(self, selection: ClipSelection = ALL_CLIPS, *, dry_run: bool = False) -> FillReport:
        from tui.service.clip_filling import fill_clips

        return await fill_clips(self._library, self._look_up(), self._reading, selection, dry_run=dry_run)

    async def tags(self, selection: ClipSelection = ALL_CLIPS) -> tuple[TagCount, ...]:
        profile = self._profile
        return await self._library.run(
            lambda store: store.clips.tags(profile, store.exports.select(profile, "", selection))
        )

    async def tag(self, selection: ClipSelection = ALL_CLIPS, *, add: str = "", remove: str = "") -> int:
        profile, new, old = self._profile, _read_tags(add), _read_tags(remove)
        if not new and not old:
            raise InvalidInput("there is no tag to add or to take away", hint="name one", code="no_tag")
        return await self._library.change(
            lambda store: store.clips.tag(profile, store.exports.select(profile, "", selection), new, old)
        )

    async def add_at_once(self, clips: Sequence[NewClip]) -> tuple[Clip, ...]:
        """Add clips with the readings that are known, in one step, which one undo takes back."""
        read = [await self._with_reading(clip) for clip in clips]
        added = await self._library.change(
            lambda store: with_notes(store, store.clips.add_at_once(self._profile, read))
        )
        return self._cut(*added)

    def _cut(self, *clips: Clip) -> tuple[Clip, ...]:
        """Have sounds and pictures of clips cut, as long as their films are there."""
        if any(clip.end_ms is not None and clip.transcript_id is not None for clip in clips):
            self._begin_cutting(self._profile)
        return clips

    async def _with_reading(self, clip: NewClip) -> NewClip:
        """The clip with the readings of its sentence: those that it has, else those that are known."""
        return clip if clip.sentence_reading else replace(clip, sentence_reading=await self._reading(clip))

    async def _reading(self, clip: NewClip) -> str:
        """The sentence with its readings where its language's segmenter, which is installed, knows them; "" else."""
        from tui.language.segmentation import is_segmented, row_of, words
        from tui.text.readings import furigana

        language, transcript_id = clip.focus.language if clip.focus is not None else None, clip.transcript_id
        if language is None and transcript_id is not None:
            with suppress(NotFound):
                transcript = await self._library.run(lambda store: store.transcripts.get(self._profile, transcript_id))
                language = transcript.language
        row = row_of(language)
        if row is None or not row.reads or not is_segmented(language):
            return ""
        sentence = laid_out(clip.sentence)
        return await asyncio.to_thread(lambda: furigana(sentence, words(sentence, language)))

    async def edit(self, clip_id: str, clip: NewClip) -> Clip:
        _check_clip(clip)
        (edited,) = await self._library.change(
            lambda store: with_notes(store, (store.clips.edit(self._profile, clip_id, clip),))
        )
        self._cut(edited)
        return edited


class LocalHistory(StoredRecords[Answer]):
    def __init__(self, library: Library) -> None:
        super().__init__(library, lambda store: store.answers)

    async def usage(self, *, month: str = "") -> tuple[Usage, ...]:
        if month and not _MONTH.match(month):
            raise InvalidInput(
                f"{month[:40]!r} is no month", hint="write year and month, as in 2026-11", code="invalid_month"
            )
        return await self._library.run(lambda store: store.answers.usage(self._profile, month))


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


def _read_tags(line: str) -> tuple[str, ...]:
    if len(line) > MAX_QUERY:
        raise InvalidInput(f"tags have at most {MAX_QUERY} characters in all", hint="add them in two steps")
    return split_tags(without_controls(line))


def _checked_title(title: str) -> str:
    name = one_line(title)
    if is_blank(name):
        raise InvalidInput("a transcript needs a title", hint="type one that can be seen", field="title")
    if len(name) > transcripts.MAX_TITLE:
        raise InvalidInput(f"a title has at most {transcripts.MAX_TITLE} characters", hint="shorten it", field="title")
    return name


def _check_clip(clip: NewClip) -> None:
    if is_blank(clip.sentence):
        raise InvalidInput("a clip needs a sentence", hint="type the sentence that the clip is about", field="sentence")
    if sum(map(len, _texts(clip))) > MAX_CHARS:
        raise InvalidInput(f"a clip's texts have at most {MAX_CHARS} characters in all", hint="shorten it")


def _texts(value: object) -> Iterator[str]:
    """All texts of a clip, with its focus word and its tags."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, (NewClip, FocusWord)):
        for field in fields(value):
            if field.name != "origin":  # a code, not a text
                yield from _texts(getattr(value, field.name))
