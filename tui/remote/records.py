"""The lists of a remote library that are only asked for: clips, transcripts, the history, words, the
template and the settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Generic, TypeVar, cast
from urllib.parse import urlencode

from tui.errors import NotFound
from tui.records.answers import Answer, LlmTemplate, NewTemplate, Usage
from tui.records.clips import Clip, ConcordanceLine, FillReport, KeptClip, NewClip
from tui.records.exports import ALL_CLIPS, ClipSelection
from tui.records.library import Deletion
from tui.records.own_words import OwnWord
from tui.records.pages import Page
from tui.records.settings import ProfileSettings, SavedSettings
from tui.records.transcripts import (
    Cue,
    OriginalCue,
    ReadingPlace,
    Sentence,
    Transcript,
    TranscriptExport,
    TranslationPair,
)
from tui.records.words import WordSummary
from tui.regular_file import named_path
from tui.remote.client import Client
from tui.remote.deck_merge import selected
from tui.remote.encoding import searchable
from tui.service.protocol.words import CueWords
from tui.wire.pages import MAX_HITS, MAX_ROWS

T = TypeVar("T")


class RemoteRecords(Generic[T]):
    """Records of one kind: page, get, delete. ``name`` is the plural of what their ids name, as in paths."""

    def __init__(self, client: Client, kind: type[T], name: str, *, path: str = "") -> None:
        self._client = client
        self._kind = kind
        self._name = name
        self._path = path or f"/profiles/{name}"

    async def page(self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None) -> Page[T]:
        return await self._client.page(self._kind, self._path, offset=offset, limit=limit, q=q, after=after)

    async def get(self, record_id: str, /) -> T:
        return await self._client.get(self._kind, self._at(record_id))

    async def named(self, name: str) -> tuple[T, ...]:
        kind = cast("type[tuple[T, ...]]", tuple[self._kind, ...])  # type: ignore[name-defined]  # a variable
        return await self._client.get(kind, f"{self._path}/named", {"name": name})

    async def delete(self, *record_ids: str) -> Deletion:
        return await self._client.write(Deletion, "POST", f"{self._path}/delete", self._client.ids(record_ids))

    def _at(self, record_id: str) -> str:
        return f"{self._path}/{self._client.segment(self._name, record_id)}"


class RemoteClips(RemoteRecords[Clip]):
    def __init__(self, client: Client) -> None:
        super().__init__(client, Clip, "clips")

    async def cues_of(self, transcript_id: str) -> tuple[int, ...]:
        transcript = self._client.segment("transcripts", transcript_id)
        return await self._client.get(tuple[int, ...], f"/profiles/transcripts/{transcript}/clip_cues")

    async def has(self, transcript_id: str, cue_index: int, surface: str) -> bool:
        transcript = self._client.segment("transcripts", transcript_id)
        path = f"/profiles/transcripts/{transcript}/cues/{cue_index}/has_clip"
        return await self._client.get(bool, path, {"surface": surface})

    async def add(self, clip: NewClip) -> Clip:
        return await self._client.write(Clip, "POST", self._path, clip)

    async def keep(self, clip: NewClip, *, asked: str = "") -> KeptClip:
        path = f"{self._path}/keep" + (f"?{urlencode({'asked': asked})}" if asked else "")
        return await self._client.write(KeptClip, "POST", path, clip)

    async def fill(self, selection: ClipSelection = ALL_CLIPS, *, dry_run: bool = False) -> FillReport:
        path = f"{self._path}/fill" + ("?dry_run=true" if dry_run else "")
        return await self._client.write(
            FillReport, "POST", path, {**self._client.ids(selection.ids), **selected(selection)}
        )

    async def edit(self, clip_id: str, clip: NewClip) -> Clip:
        return await self._client.write(Clip, "PUT", self._at(clip_id), clip)


class RemoteTranscripts(RemoteRecords[Transcript]):
    def __init__(self, client: Client) -> None:
        super().__init__(client, Transcript, "transcripts")

    async def cues(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Cue]:
        return await self._page_of(Cue, transcript_id, "cues", offset, limit, after)

    async def sentences(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[Sentence]:
        return await self._page_of(Sentence, transcript_id, "sentences", offset, limit, after)

    async def changes(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[OriginalCue]:
        return await self._page_of(OriginalCue, transcript_id, "changes", offset, limit, after)

    async def words(self, transcript_id: str, *, offset: int = 0, limit: int = 200) -> tuple[CueWords, ...]:
        return await self._client.of_cues(CueWords, transcript_id, "words", offset=offset, limit=limit)

    async def find(self, transcript_id: str, q: str, *, limit: int = 10_000) -> tuple[int, ...]:
        asked = {"q": searchable(q), "limit": str(min(max(1, limit), MAX_HITS))}
        return (await self._client.get(tuple[int, ...], f"{self._at(transcript_id)}/find", asked))[: max(0, limit)]

    async def place(self, transcript_id: str) -> ReadingPlace | None:
        return await self._client.get(ReadingPlace | None, f"{self._at(transcript_id)}/place")  # type: ignore[arg-type]  # a union is no class

    async def leave_at(self, transcript_id: str, place: ReadingPlace) -> ReadingPlace:
        return await self._client.write(ReadingPlace, "PUT", f"{self._at(transcript_id)}/place", place)

    async def edit(self, transcript_id: str, *, title: str | None = None, language: str | None = None) -> Transcript:
        changes = {"title": title, "language": language}
        return await self._client.write(Transcript, "PATCH", self._at(transcript_id), changes)

    async def pair(self, transcript_id: str, translation_id: str, *, offset_ms: int | None = None) -> TranslationPair:
        body = {"translation_id": translation_id, "offset_ms": offset_ms}
        return await self._client.write(TranslationPair, "PUT", f"{self._at(transcript_id)}/translation", body)

    async def unpair(self, transcript_id: str) -> Transcript:
        return await self._client.write(Transcript, "DELETE", f"{self._at(transcript_id)}/translation")

    async def translations(self, transcript_id: str, *, offset: int = 0, limit: int = 200) -> tuple[str, ...]:
        return await self._client.of_cues(str, transcript_id, "translations", offset=offset, limit=limit)

    async def exported(self, transcript_id: str, format: str) -> AsyncGenerator[bytes, None]:
        async with self._client.download(f"{self._at(transcript_id)}/export", {"format": format}) as pieces:
            async for piece in pieces:
                yield piece

    async def export(
        self, transcript_id: str, path: str | Path, *, format: str = "", overwrite: bool = False
    ) -> TranscriptExport:
        from tui.exporting.formats import find_export_format, find_format_of_path
        from tui.exporting.target_file import TargetFile

        target = named_path(path)
        wanted = find_export_format(format) if format else find_format_of_path(target)
        transcript = await self.get(transcript_id)
        asked = f"{self._at(transcript.id)}/export"

        async def written() -> int:
            # Anew with every try, which a generator that broke off cannot be.
            with await asyncio.to_thread(TargetFile, target, overwrite=overwrite) as file:
                async with self._client.download(asked, {"format": wanted.name}) as pieces:
                    return await file.write_all(pieces)

        return TranscriptExport(transcript.id, str(target), wanted.name, await self._client.retried(written))

    async def _page_of(
        self, kind: type[T], transcript_id: str, part: str, offset: int, limit: int, after: str | None
    ) -> Page[T]:
        path = f"{self._at(transcript_id)}/{part}"
        page = await self._client.page(kind, path, offset=offset, limit=limit, after=after)
        return replace(page, offset=min(page.offset, page.total))


class RemoteHistory(RemoteRecords[Answer]):
    def __init__(self, client: Client) -> None:
        super().__init__(client, Answer, "answers", path="/profiles/history")

    async def usage(self, *, month: str = "") -> tuple[Usage, ...]:
        return await self._client.get(tuple[Usage, ...], "/profiles/usage", {"month": month} if month else None)


class RemoteTemplate:
    _PATH = "/profiles/template"

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(self) -> LlmTemplate | None:
        try:
            return await self._client.get(LlmTemplate, self._PATH)
        except NotFound as error:
            if error.code == "template_not_found":
                return None
            raise

    async def save(self, template: NewTemplate) -> LlmTemplate:
        return await self._client.write(LlmTemplate, "POST", self._PATH, template)

    async def delete(self) -> Deletion:
        return await self._client.write(Deletion, "POST", f"{self._PATH}/delete")

    async def effective(self) -> NewTemplate:
        return await self._client.get(NewTemplate, f"{self._PATH}/effective")


class RemoteSettings:
    _PATH = "/profiles/settings"

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(self) -> SavedSettings:
        return await self._client.get(SavedSettings, self._PATH)

    async def save(self, settings: ProfileSettings) -> SavedSettings:
        return await self._client.write(SavedSettings, "PUT", self._PATH, settings)


LONGEST_SENTENCE = 500
"""Maximum characters of a sentence in an address: each may take nine there, and proxies refuse more than 8 kB."""


class RemoteWords:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def summary(self, word: str, *, language: str | None, sentence: str = "") -> WordSummary:
        asked = {**word_asked(word, language), "sentence": sentence[:LONGEST_SENTENCE]}
        return await self._client.get(WordSummary, "/profiles/words/summary", asked)

    async def concordance(self, word: str, *, language: str | None, limit: int = 20) -> tuple[ConcordanceLine, ...]:
        asked = {**word_asked(word, language), "limit": str(min(max(1, limit), MAX_ROWS))}
        lines = await self._client.get(tuple[ConcordanceLine, ...], "/profiles/words/concordance", asked)
        return lines[: max(0, limit)]


class RemoteOwnWords:
    _PATH = "/profiles/words/own"

    def __init__(self, client: Client) -> None:
        self._client = client

    async def all(self, *, language: str | None = None) -> tuple[OwnWord, ...]:
        asked = {} if language is None else {"language": language}
        return await self._client.get(tuple[OwnWord, ...], self._PATH, asked)

    async def get(self, language: str, lemma: str) -> OwnWord | None:
        asked = {"language": language, "lemma": lemma}
        return next(iter(await self._client.get(tuple[OwnWord, ...], self._PATH, asked)), None)

    async def save(self, word: OwnWord) -> OwnWord:
        return await self._client.write(OwnWord, "PUT", self._PATH, word)

    async def delete(self, language: str, lemma: str) -> Deletion:
        return await self._client.write(
            Deletion, "POST", f"{self._PATH}/delete", {"language": language, "lemma": lemma}
        )


def word_asked(word: str, language: str | None) -> dict[str, str]:
    """Parameters of a request for a word."""
    return {"word": word} if language is None else {"word": word, "language": language}
