"""Parts of a remote library that are asked for and little else: what their protocols' operations don't say."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import NotFound
from tui.records.transcripts import TranscriptExport
from tui.remote.encoding import sendable_ids
from tui.remote.operations import RemotePart
from tui.service.protocol import Settings, Template, Views
from tui.service.protocol.cues import Cues
from tui.service.protocol.mining import Mining
from tui.service.protocol.records import Bookmarks, Clips, History, Transcripts
from tui.service.protocol.retiming import Retimings
from tui.service.protocol.reviews import Reviews
from tui.service.protocol.words import KnownWords, OwnWords, Words
from tui.system.regular_file import named_path

if TYPE_CHECKING:
    from tui.records.answers import LlmTemplate
    from tui.records.own_words import OwnWord
    from tui.records.words import WordCounts

_COUNTED_AT_ONCE = 50
"""Transcripts that are counted by one request: the first time they take a tenth of a second each."""


class RemoteClips(RemotePart, Clips):
    """The clips of a remote library."""


class RemoteCues(RemotePart, Cues):
    """The cues of a remote library as they are edited."""


class RemoteRetimings(RemotePart, Retimings):
    """The retimings of a remote library."""


class RemoteReviews(RemotePart, Reviews):
    """The reviews of a remote library."""


class RemoteMining(RemotePart, Mining):
    """Mining in a remote library."""


class RemoteBookmarks(RemotePart, Bookmarks):
    """The bookmarks of a remote library."""


class RemoteHistory(RemotePart, History):
    """The answers of a remote library."""


class RemoteSettings(RemotePart, Settings):
    """The settings of a profile of a remote library."""


class RemoteViews(RemotePart, Views):
    """The views of a profile of a remote library."""


class RemoteWords(RemotePart, Words):
    """Look-ups of words in a remote library."""


class RemoteTranscripts(RemotePart, Transcripts):
    """The transcripts of a remote library, which are written to files of this machine."""

    async def export(
        self, transcript_id: str, path: str | Path, *, format: str = "", overwrite: bool = False
    ) -> TranscriptExport:
        from tui.exporting.formats import find_export_format, find_format_of_path
        from tui.exporting.target_file import TargetFile

        target = named_path(path)
        wanted = find_export_format(format) if format else find_format_of_path(target)
        transcript = await self.get(transcript_id)

        async def write() -> int:
            # Anew with every try, which a generator that broke off cannot be.
            with await asyncio.to_thread(TargetFile, target, overwrite=overwrite) as file:
                return await file.write_all(self.stream_export(transcript.id, wanted.name))

        return TranscriptExport(transcript.id, str(target), wanted.name, await self._client.connection.retried(write))


class RemoteTemplate(RemotePart, Template):
    """The template of a profile of a remote library."""

    async def get(self) -> LlmTemplate | None:
        from tui.records.answers import LlmTemplate

        try:
            return await self._client.read(LlmTemplate, "/profiles/template")
        except NotFound as error:
            if error.code == "template_not_found":
                return None
            raise


class RemoteOwnWords(RemotePart, OwnWords):
    """Own words of a profile of a remote library."""

    async def get(self, language: str, lemma: str) -> OwnWord | None:
        found = await self.all(language=language, lemma=lemma)
        return found[0] if found else None


class RemoteKnownWords(RemotePart, KnownWords):
    """The words with a state in a remote library."""

    async def counts(self, *transcript_ids: str) -> Mapping[str, WordCounts]:
        from tui.records.word_stats import TranscriptCounts

        found: dict[str, WordCounts] = {}
        for first in range(0, len(transcript_ids), _COUNTED_AT_ONCE):
            body = {"ids": sendable_ids(transcript_ids[first : first + _COUNTED_AT_ONCE])}
            counted = await self._client.read(tuple[TranscriptCounts, ...], "/profiles/words/counts", body=body)
            found |= {each.transcript_id: each.counts for each in counted}
        return found
