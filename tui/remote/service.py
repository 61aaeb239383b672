"""``Service`` over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tui.config import check_profile
from tui.records.library import Finding, ProfileSummary, Restored
from tui.records.vocabulary import USUAL_ANKI, RunningAnki
from tui.remote.client import Client
from tui.remote.connection import Connection
from tui.remote.dictionaries import RemoteDictionaries
from tui.remote.downloads import RemoteDeck, download_backup
from tui.remote.files import RemoteFiles
from tui.remote.jobs import RemoteJobs
from tui.remote.known_words import RemoteKnownWords
from tui.remote.llm import RemoteLlm
from tui.remote.operations import made
from tui.remote.records import (
    RemoteClips,
    RemoteHistory,
    RemoteOwnWords,
    RemoteSettings,
    RemoteTemplate,
    RemoteTranscripts,
    RemoteWords,
)

if TYPE_CHECKING:
    from tui.remote.media import RemoteMedia
    from tui.remote.vocabulary import RemoteVocabulary


class RemoteService:
    """One profile of the library that the server at ``url`` has; making one does no I/O.

    Without a ``connection`` to that server it has one of its own, which it closes. ``anki`` is the running one, on this
    machine, that is meant where none is named. Raises ``InvalidInput`` for what is
    no address, no token, or no profile name.
    """

    def __init__(
        self,
        url: str,
        profile: str = "default",
        *,
        token: str = "",
        connection: Connection | None = None,
        anki: RunningAnki = USUAL_ANKI,
    ) -> None:
        self.profile = check_profile(profile)
        self._owns_connection = connection is None
        self._connection = connection or Connection(url, token)
        self._client = client = Client(self._connection, self.profile)
        self.location = self._connection.location
        self.words = RemoteWords(client)
        self.own_words = RemoteOwnWords(client)
        self.dictionaries = RemoteDictionaries(client)
        self.known_words = RemoteKnownWords(client)
        self.files = made(RemoteFiles, client)
        self.transcripts = made(RemoteTranscripts, client)
        self.clips = made(RemoteClips, client)
        self._anki = anki
        self.deck = RemoteDeck(client, anki)
        self.history = made(RemoteHistory, client)
        self.jobs = RemoteJobs(client)
        self.llm = RemoteLlm(client)
        self.template = RemoteTemplate(client)
        self.settings = RemoteSettings(client)

    @property
    def media(self) -> RemoteMedia:
        from tui.remote.media import RemoteMedia

        return RemoteMedia(self._client)

    @property
    def vocabulary(self) -> RemoteVocabulary:
        from tui.remote.vocabulary import RemoteVocabulary

        return RemoteVocabulary(self._client, self._anki)

    @property
    def trouble(self) -> str:
        return self._connection.trouble

    def on_trouble(self, tell: Callable[[], None]) -> None:
        self._connection.on_trouble(tell)

    def of(self, profile: str) -> RemoteService:
        return RemoteService(self._connection.url, profile, connection=self._connection, anki=self._anki)

    async def profiles(self) -> tuple[ProfileSummary, ...]:
        return await self._client.get(tuple[ProfileSummary, ...], "/profiles/summaries")

    async def revisions(self) -> dict[str, str]:
        return await self._client.get(dict[str, str], "/profiles/revisions")

    async def undo(self) -> Restored | None:
        return await self._client.write(Restored | None, "POST", "/profiles/undo")  # type: ignore[arg-type]  # a union is no class

    async def backup(self, path: str | Path) -> Path:
        return await download_backup(self._client, path)

    async def version(self) -> str:
        """The Lode that the server is, which it tells without a token."""
        return str((await self._client.get(dict[str, object], "/health")).get("version", "?"))

    async def doctor(self, *, live: bool = False, full: bool = False) -> tuple[Finding, ...]:
        """Findings where the server is; ``live`` has it ask each of its usable providers for a word."""
        asked = {name: "true" for name, wanted in (("live", live), ("full", full)) if wanted}
        return await self._client.get_from_afar(tuple[Finding, ...], "/doctor", asked)

    async def close(self) -> None:
        if self._owns_connection:
            await self._connection.close()
