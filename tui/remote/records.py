"""The lists of a remote library that are only asked for: clips, transcripts, the history, words, the
template and the settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from tui.errors import NotFound
from tui.records.answers import LlmTemplate, NewTemplate
from tui.records.clips import Clip, ConcordanceLine, FillReport, NewClip
from tui.records.exports import ALL_CLIPS, ClipSelection
from tui.records.library import Deletion
from tui.records.own_words import OwnWord
from tui.records.pages import MAX_HITS, MAX_ROWS, Page
from tui.records.settings import ProfileSettings, SavedSettings
from tui.records.transcripts import (
    OriginalCue,
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
from tui.remote.operations import RemotePart
from tui.service.protocol.records import Clips, History, Transcripts
from tui.service.protocol.words import CueWords

T = TypeVar("T")


class RemoteClips(RemotePart, Clips):
    async def cues_of(self, transcript_id: str) -> tuple[int, ...]:
        transcript = self._client.segment("transcripts", transcript_id)
        return await self._client.get(tuple[int, ...], f"/profiles/transcripts/{transcript}/clip_cues")

    async def has(self, transcript_id: str, cue_index: int, surface: str) -> bool:
        transcript = self._client.segment("transcripts", transcript_id)
        path = f"/profiles/transcripts/{transcript}/cues/{cue_index}/has_clip"
        return await self._client.get(bool, path, {"surface": surface})

    async def fill(self, selection: ClipSelection = ALL_CLIPS, *, dry_run: bool = False) -> FillReport:
        path = "/profiles/clips/fill" + ("?dry_run=true" if dry_run else "")
        return await self._client.write(
            FillReport, "POST", path, {**self._client.ids(selection.ids), **selected(selection)}
        )

    async def edit(self, clip_id: str, clip: NewClip) -> Clip:
        path = f"/profiles/clips/{self._client.segment('clips', clip_id)}"
        return await self._client.write(Clip, "PUT", path, clip)


class RemoteTranscripts(RemotePart, Transcripts):
    def _at(self, transcript_id: str) -> str:
        return f"/profiles/transcripts/{self._client.segment('transcripts', transcript_id)}"

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
        from tui.exporting.formats import export_format, format_of_path
        from tui.exporting.target_file import TargetFile

        target = named_path(path)
        wanted = export_format(format) if format else format_of_path(target)
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


class RemoteHistory(RemotePart, History):
    pass


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
