"""Filling of notes that came: their media, their place in the library, what dictionaries and a model say of the word.

A client has its answer before any of it: what is still to be done stands in the library, and is done by the next run
where this one ends.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tui import bounds
from tui.errors import LodeError
from tui.inbox.fields import make_clip
from tui.inbox.media import find_all, kind_of
from tui.language.focus import find_focus_spans
from tui.records.clips import FocusWord, NewClip
from tui.service.clip_filling import look_up_focus, read_track
from tui.service.inbox.note_fields import fields_of
from tui.system import regular_file
from tui.text.clip_fields import completed

if TYPE_CHECKING:
    from tui.records.clips import Clip
    from tui.records.inbox import InboxState
    from tui.service.clip_filling import LookUpWord
    from tui.service.clips import LocalClips
    from tui.service.library import Library
    from tui.service.mined_cards import Ask
    from tui.service.words.word_forms import WordForms
    from tui.store import Store
    from tui.store.tables.inbox import KeptNote

_LOOK_SECONDS = 1.0
_WAIT_SECONDS = 600.0
"""Seconds for which a file is looked for that a note names: encoders write it after the note, a film's end at worst."""
_SWEPT_SECONDS = 7 * 86_400.0
_QUIET_SECONDS = 3.0
"""Seconds without a new note after which notes are handed on to Anki: it imports a package for each time."""
_AGAIN_SECONDS = 60.0
_MAX_WORDS = 300
"""Words of a sentence among which another form of the note's word is looked for."""


class NoteFilling:
    """Filling of the notes of a profile, one after the other, oldest first.

    ``folder`` is where clients put files by themselves. ``forward`` hands all clips on to Anki; ``tell`` is told what
    came, in a line, and ``warn`` what could not be done.
    """

    def __init__(
        self,
        library: Library,
        clips: LocalClips,
        word_forms: WordForms,
        look_up: LookUpWord,
        ask: Ask,
        find_model: Callable[[], Awaitable[str]],
        folder: Path,
    ) -> None:
        self._library = library
        self._profile = library.profile
        self._clips = clips
        self._word_forms = word_forms
        self._look_up = look_up
        self._ask = ask
        self._find_model = find_model
        self.folder = folder
        self.forward: Callable[[], Awaitable[str]] | None = None
        self.tell: Callable[[str], None] = lambda line: None
        self.warn: Callable[[str], None] = lambda line: None
        self._woken = asyncio.Event()
        self._filled = asyncio.Event()
        """Set while no note is to be filled: what is in a deck before it is filled stays as it is."""
        self._tasks: list[asyncio.Task[None]] = []
        self._forward_woken = asyncio.Event()
        self._asked: dict[str, float] = {}
        """Moment at which an address was asked for in vain."""

    def begin(self) -> None:
        """Begin with what an earlier run has left, and go on with what comes."""
        self._tasks = [asyncio.create_task(self._fill_all(), name="lode-inbox-filling")]
        self._tasks.append(asyncio.create_task(asyncio.to_thread(self._sweep), name="lode-inbox-sweep"))
        if self.forward is not None:
            self._tasks.append(asyncio.create_task(self._forward_all(self.forward), name="lode-inbox-forward"))
            self._forward_woken.set()

    def look(self) -> None:
        """Look for what is to be done: a note has come or changed."""
        self._filled.clear()
        self._woken.set()

    def forward_soon(self) -> None:
        """Hand on to Anki what it has not, once no more comes."""
        self._forward_woken.set()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _fill_all(self) -> None:
        while True:
            self._woken.clear()
            is_waiting = False
            for number in await self._library.run(lambda store: store.inbox.list_open(self._profile)):
                try:
                    is_waiting = await self.fill(number) or is_waiting
                except LodeError as error:  # a full disk, say: it is tried again with the next note
                    self.warn(f"a card could not be filled: {error.message}")
                except Exception as error:  # noqa: BLE001 - one that breaks something keeps no other from being filled
                    self.warn(f"a card could not be filled: {type(error).__name__}, a fault of Lode")
            if not self._woken.is_set():
                self._filled.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), _LOOK_SECONDS if is_waiting else None)

    async def fill(self, number: int) -> bool:
        """Do what can be done for a note now; whether it waits for media."""
        found = await self._library.run(lambda store: store.inbox.notes(self._profile, [number]))
        if number not in found:
            return False
        kept = found[number]
        waits = await self._take_media(kept)
        if kept.note.state == "new":
            await self._complete(kept)
            self.forward_soon()
        state: InboxState = "waiting" if waits else "done"
        await self._library.run(lambda store: store.inbox.set_state(kept.note, state))
        if kept.note.state == "new":
            self.tell(_describe(kept))
        return waits

    # Media

    async def _take_media(self, kept: KeptNote) -> bool:
        """Fetch and find the files that a note names; whether some are still to come."""
        fields = fields_of(kept)
        made = make_clip(fields)
        names = {name for text in fields.values() for name in find_all(text)}
        known = await self._library.run(lambda store: store.inbox.find_media(self._profile, names))
        missing = names - known.keys()
        came = set[str]()
        for name in sorted(missing):
            if name in kept.note.addresses:
                content = await self._fetch(kept.note.addresses[name])
            else:
                content = await asyncio.to_thread(self._read_file, name)
            if content:
                await self._library.run(_putting(self._profile, name, content))
                came.add(name)
        there = came | known.keys()
        lacks = (made.audio if kept.clip.audio is None else "", made.picture if kept.clip.picture is None else "")
        if there.intersection(lacks):
            await self._library.run(
                lambda store: store.inbox.attach(self._profile, kept.clip.id, made.audio, made.picture)
            )
        if there:  # also what is no part of the clip, the sound of a word say
            await self._library.run(lambda store: store.inbox.claim(self._profile, kept.clip.id, there))
        return bool(missing - came) and time.time() - kept.note.id / 1000 < _WAIT_SECONDS

    async def _fetch(self, address: str) -> bytes | None:
        """The sound or picture at an address; None where it cannot be had now: it is asked again in a minute."""
        from tui.service.inbox.fetching import fetch_media

        is_first = address not in self._asked
        if not is_first and time.monotonic() - self._asked[address] < _AGAIN_SECONDS:
            return None
        content = b""
        try:
            content = await fetch_media(address)
        except LodeError as error:
            if is_first:
                self.warn(error.message)
        if kind_of(content):
            self._asked.pop(address, None)
            return content
        self._asked[address] = time.monotonic()
        return None

    def _read_file(self, name: str) -> bytes | None:
        """The file of this name in the folder, once nothing more is written to it. Blocks."""
        path = self.folder / name
        try:
            if path.name != name or time.time() - path.stat().st_mtime < _LOOK_SECONDS:
                return None
            content = regular_file.read(path, bounds.INBOX_MEDIA.bytes_in)
        except (OSError, ValueError):
            return None
        return content if kind_of(content) else None

    def _sweep(self) -> None:
        """Remove old files from the folder: what a note named is in the library. Blocks."""
        before = time.time() - _SWEPT_SECONDS
        with suppress(OSError):
            for path in self.folder.iterdir():
                if path.is_file() and path.stat().st_mtime < before:
                    path.unlink()

    # What is known of the word and its sentence

    async def _complete(self, kept: KeptNote) -> None:
        before, clip = kept.clip.contents(), await self.complete_clip(kept.clip)
        if clip != before:
            await self._library.run(lambda store: store.inbox.enrich(self._profile, kept.clip.id, before, clip))

    async def complete_clip(self, clip: Clip) -> NewClip:
        """The contents of a clip with what its note did not say."""
        contents = clip.contents()
        if contents.focus is not None:
            language, focus = clip.language, contents.focus
            await self._prepare(language)
            focus = await asyncio.to_thread(self._place, contents.sentence, focus, language)
            clip = replace(clip, focus=focus)
            more = await look_up_focus(self._look_up, clip)
            contents = replace(contents, focus=focus)
            if more is not None:
                contents = completed(contents, NewClip(contents.sentence, focus=more))
        contents = await self._clips.with_reading(await self._place_in_library(contents, clip))
        if not contents.translation:
            contents = replace(contents, translation=await read_track(self._library, contents))
        if (await self._library.settings()).inbox_fill == "breakdown" and not contents.explanation:
            contents = await self._break_down(contents, clip.language)
        return contents

    async def _prepare(self, language: str | None) -> None:
        if language is not None and await asyncio.to_thread(self._word_forms.needs_preparing, language):
            await self._word_forms.prepare(language)

    def _place(self, sentence: str, focus: FocusWord, language: str | None) -> FocusWord:
        """The word as it stands in its sentence, of which another form may be there: fährt for fahren. Blocks."""
        lemma = focus.lemma or focus.surface
        if find_focus_spans(sentence, focus.surface) or language is None:
            return focus
        for word in _words_of(sentence, language)[:_MAX_WORDS]:
            found = self._word_forms.form_of(word, language, sentence).lemma
            if found is not None and found.casefold() == lemma.casefold():
                return replace(focus, surface=word, lemma=lemma)
        return focus

    async def _place_in_library(self, contents: NewClip, clip: Clip) -> NewClip:
        """The clip with the place of its sentence, where a transcript of the library has it."""
        if contents.transcript_id is not None:
            return contents
        row = await self._library.run(lambda store: store.inbox.find_cue(self._profile, contents.sentence))
        if row is None:
            return contents
        has_media = clip.audio is not None or clip.picture is not None
        return replace(
            contents,
            transcript_id=row["id"],
            file_id=row["file_id"],
            cue_index=row["position"],
            start_ms=row["start_ms"],
            end_ms=None if has_media else row["end_ms"],  # with it its film would be cut in place of what it has
            source=row["title"],
        )

    async def _break_down(self, contents: NewClip, language: str | None) -> NewClip:
        """The clip with what the template's model says; as it is where the model does not answer."""
        from tui.service.mined_cards import complete_card

        try:
            card = await complete_card(contents, self._ask, await self._find_model(), language)
        except LodeError as error:
            self.warn(f"no breakdown: {error.message}")
            return contents
        return replace(completed(contents, card), explanation=card.explanation, model=card.model)

    # Anki

    async def _forward_all(self, forward: Callable[[], Awaitable[str]]) -> None:
        while True:
            await self._forward_woken.wait()
            while self._forward_woken.is_set():
                self._forward_woken.clear()
                await asyncio.sleep(_QUIET_SECONDS)
                await self._filled.wait()
            try:
                if line := await forward():
                    self.tell(line)
            except LodeError as error:
                self.warn(f"not handed on yet: {error.message}")
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._forward_woken.wait(), _AGAIN_SECONDS)
                self._forward_woken.set()


def _putting(profile: str, name: str, content: bytes) -> Callable[[Store], str]:
    return lambda store: store.inbox.put_media(profile, name, content)


def _words_of(sentence: str, language: str) -> list[str]:
    from tui.language.segmentation import words

    return [sentence[word.start : word.end] for word in words(sentence, language)]


def _describe(kept: KeptNote) -> str:
    clip = kept.clip
    word = clip.focus.surface if clip.focus is not None else ""
    media = [name for name, there in (("sound", clip.audio), ("picture", clip.picture)) if there]
    return " · ".join(filter(None, (word, clip.sentence[:200], clip.source[:60], *media)))
