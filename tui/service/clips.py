"""Clips: sentences kept with their focus word and explanation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from tui.errors import InvalidInput
from tui.records import Clip, FocusWord, NewClip
from tui.service.library import Library
from tui.service.stored_records import StoredRecords
from tui.text.sanitize import is_blank

MAX_CHARS = 200_000
"""Of all texts of a clip: far beyond any explanation, and what a card can show; a server takes that in one request."""


class LocalClips(StoredRecords[Clip]):
    def __init__(self, library: Library) -> None:
        super().__init__(library, lambda store: store.clips)

    async def cues_of(self, transcript_id: str) -> tuple[int, ...]:
        return await self._library.run(lambda store: store.clips.cues_of(self._profile, transcript_id))

    async def has(self, transcript_id: str, cue_index: int, surface: str) -> bool:
        return await self._library.run(lambda store: store.clips.has(self._profile, transcript_id, cue_index, surface))

    async def add(self, clip: NewClip) -> Clip:
        _check(clip)
        return await self._library.change(lambda store: store.clips.add(self._profile, clip))

    async def edit(self, clip_id: str, clip: NewClip) -> Clip:
        _check(clip)
        return await self._library.change(lambda store: store.clips.edit(self._profile, clip_id, clip))


def _check(clip: NewClip) -> None:
    if is_blank(clip.sentence):
        raise InvalidInput("a clip needs a sentence", hint="type the sentence that the clip is about", field="sentence")
    if sum(map(len, _texts(clip))) > MAX_CHARS:
        raise InvalidInput(f"a clip's texts have at most {MAX_CHARS} characters in all", hint="shorten it")


def _texts(value: object) -> Iterator[str]:
    """All texts of a clip, those of its focus word and its tags among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, (NewClip, FocusWord)):
        for field in fields(value):
            if field.name != "origin":  # a code, not a text
                yield from _texts(getattr(value, field.name))
