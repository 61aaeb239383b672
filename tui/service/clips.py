"""Clips: keeping them with their readings, tags, and what begins with a new one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from tui.errors import InvalidInput, NotFound
from tui.records.clip_selection import ALL_CLIPS, ClipSelection
from tui.records.clips import Clip, FillReport, FocusWord, KeptClip, NewClip, TagCount
from tui.records.pages import MAX_QUERY
from tui.service.notes import with_notes
from tui.service.records import MovableRecords
from tui.text.clip_fields import split_tags
from tui.text.sanitize import is_blank, laid_out, without_controls

if TYPE_CHECKING:
    from tui.service.clip_filling import LookUpWord
    from tui.service.library import Library
    from tui.store import Store

MAX_CHARS = 200_000
"""Maximum characters of all texts of a clip: far beyond any explanation; a server takes that in one request."""


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
        check_clip(clip)
        (added,) = await self.add_at_once((clip,))
        return added

    async def keep(self, clip: NewClip, *, asked: str = "") -> KeptClip:
        check_clip(clip)
        read = await self.with_reading(clip)

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
        read = [await self.with_reading(clip) for clip in clips]
        added = await self._library.change(
            lambda store: with_notes(store, store.clips.add_at_once(self._profile, read))
        )
        return self._cut(*added)

    def _cut(self, *clips: Clip) -> tuple[Clip, ...]:
        """Have sounds and pictures of clips cut, as long as their films are there."""
        if any(clip.end_ms is not None and clip.transcript_id is not None for clip in clips):
            self._begin_cutting(self._profile)
        return clips

    async def with_reading(self, clip: NewClip) -> NewClip:
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
        check_clip(clip)
        (edited,) = await self._library.change(
            lambda store: with_notes(store, (store.clips.edit(self._profile, clip_id, clip),))
        )
        self._cut(edited)
        return edited


def _read_tags(line: str) -> tuple[str, ...]:
    if len(line) > MAX_QUERY:
        raise InvalidInput(f"tags have at most {MAX_QUERY} characters in all", hint="add them in two steps")
    return split_tags(without_controls(line))


def check_clip(clip: NewClip) -> None:
    """Check what somebody wrote of a clip; raises ``InvalidInput``."""
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
