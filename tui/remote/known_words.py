"""Known words of a remote library."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence

from tui.records.clips import Clip
from tui.records.pages import MAX_ID, MAX_ROWS, Page
from tui.records.word_states import WordOrder, WordState
from tui.records.words import (
    CueStates,
    FrequencyMark,
    FrequencyOffer,
    KnownWord,
    NextWord,
    TextPlace,
    TranscriptCounts,
    WordCounts,
    WordMark,
    WordPlace,
    WordStats,
)
from tui.remote.client import Client
from tui.remote.encoding import searchable
from tui.wire.word_marks import grouped

_PATH = "/profiles/words"
_COUNTED_AT_ONCE = 50
"""Transcripts that are counted by one request: the first time they take a tenth of a second each."""


class RemoteKnownWords:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def page(
        self,
        *,
        language: str | None = None,
        states: Sequence[WordState] = (),
        q: str = "",
        order: WordOrder = "lemma",
        offset: int = 0,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[KnownWord]:
        more = {"order": str(order), **({"states": ",".join(states)} if states else {}), **_language(language)}
        return await self._client.page(KnownWord, _PATH, offset=offset, limit=limit, q=q, after=after, more=more)

    async def mark(self, words: Sequence[WordMark], *, source: str = "user") -> int:
        body = {"groups": grouped(words), "source": source}
        return await self._client.write(int, "POST", f"{_PATH}/mark", body)

    async def mark_frequent(self, language: str, count: int, state: WordState = "known") -> FrequencyMark:
        body = {"language": language, "count": count, "state": state}
        return await self._client.write(FrequencyMark, "POST", f"{_PATH}/mark_frequent", body)

    async def frequent(self, language: str, *, level: str = "", count: int = 0) -> FrequencyOffer:
        asked = {"language": language, "level": level, "count": str(count)}
        return await self._client.get_from_afar(FrequencyOffer, f"{_PATH}/frequent", asked)

    async def of_cues(self, transcript_id: str, *, offset: int = 0, limit: int = 200) -> tuple[CueStates, ...]:
        return await self._client.of_cues(CueStates, transcript_id, "word_states", offset=offset, limit=limit)

    async def next_new(self, transcript_id: str, cue: int, start: int) -> WordPlace | None:
        return await self._next_place(transcript_id, {"cue": str(max(0, cue)), "start": str(max(-1, start))})

    async def next_one_new(self, transcript_id: str, cue: int, start: int | None = None) -> WordPlace | None:
        asked = {"cue": str(max(-1, cue)), **({} if start is None else {"start": str(max(-1, start))})}
        return await self._next_place(transcript_id, {**asked, "one_new": "true"})

    async def _next_place(self, transcript_id: str, asked: dict[str, str]) -> WordPlace | None:
        path = f"/profiles/transcripts/{self._client.segment('transcripts', transcript_id)}/next_new_word"
        return await self._client.get(WordPlace | None, path, asked)  # type: ignore[arg-type]  # a union is no class

    async def next_words(
        self, *, transcript_id: str = "", q: str = "", language: str | None = None, limit: int = 50
    ) -> tuple[NextWord, ...]:
        if limit < 1:
            return ()
        asked = {"transcript_id": transcript_id[:MAX_ID], "q": searchable(q), "limit": str(min(limit, MAX_ROWS))}
        return await self._client.get_from_afar(tuple[NextWord, ...], f"{_PATH}/next", {**asked, **_language(language)})

    async def clip_words(self, places: Sequence[TextPlace]) -> tuple[Clip, ...]:
        return await self._client.write(tuple[Clip, ...], "POST", f"{_PATH}/clip", {"places": tuple(places)})

    async def counts(self, *transcript_ids: str) -> Mapping[str, WordCounts]:
        found: dict[str, WordCounts] = {}
        for first in range(0, len(transcript_ids), _COUNTED_AT_ONCE):
            body = self._client.ids(transcript_ids[first : first + _COUNTED_AT_ONCE])
            counted = await self._client.read(tuple[TranscriptCounts, ...], f"{_PATH}/counts", body)
            found |= {each.transcript_id: each.counts for each in counted}
        return found

    async def stats(self, language: str | None = None, *, transcripts: int = 50) -> WordStats:
        asked = {"transcripts": str(min(max(0, transcripts), MAX_ROWS)), **_language(language)}
        return await self._client.get_from_afar(WordStats, f"{_PATH}/stats", asked)

    async def exported(self, language: str | None = None) -> AsyncGenerator[bytes, None]:
        async with self._client.download(f"{_PATH}/export", _language(language)) as pieces:
            async for piece in pieces:
                yield piece


def _language(language: str | None) -> dict[str, str]:
    return {} if language is None else {"language": language}
