"""``Service`` over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.config import check_profile
from tui.records.library import Finding
from tui.records.vocabulary import USUAL_ANKI, RunningAnki
from tui.remote.client import Client
from tui.remote.connection import Connection
from tui.remote.dictionaries import RemoteDictionaries
from tui.remote.downloads import RemoteDeck, download_backup
from tui.remote.files import RemoteFiles
from tui.remote.operations import make_part, perform
from tui.remote.records import (
    RemoteClips,
    RemoteHistory,
    RemoteKnownWords,
    RemoteOwnWords,
    RemoteSettings,
    RemoteTemplate,
    RemoteTranscripts,
    RemoteWords,
)
from tui.remote.streams import RemoteJobs, RemoteLlm
from tui.service.protocol import Service
from tui.service.protocol.operation import Operation
from tui.service.protocol.signatures import RESOURCES

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
        self.words = make_part(RemoteWords, client)
        self.own_words = make_part(RemoteOwnWords, client)
        self.dictionaries = make_part(RemoteDictionaries, client)
        self.known_words = make_part(RemoteKnownWords, client)
        self.files = make_part(RemoteFiles, client)
        self.transcripts = make_part(RemoteTranscripts, client)
        self.clips = make_part(RemoteClips, client)
        self._anki = anki
        self.deck = make_part(RemoteDeck, client, anki)
        self.history = make_part(RemoteHistory, client)
        self.jobs = make_part(RemoteJobs, client)
        self.llm = make_part(RemoteLlm, client)
        self.template = make_part(RemoteTemplate, client)
        self.settings = make_part(RemoteSettings, client)

    profiles = Service.profiles
    revisions = Service.revisions
    undo = Service.undo

    @property
    def media(self) -> RemoteMedia:
        from tui.remote.media import RemoteMedia

        return make_part(RemoteMedia, self._client)

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

    async def perform(self, method: str, operation: Operation, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Ask for an operation of the service itself."""
        return await perform(self._client, RESOURCES[0], method, operation, args, named)

    async def backup(self, path: str | Path) -> Path:
        return await download_backup(self._client, path)

    async def version(self) -> str:
        """The Lode that the server is, which it tells without a token."""
        return str((await self._client.read(dict[str, object], "/health")).get("version", "?"))

    async def doctor(self, *, live: bool = False, full: bool = False) -> tuple[Finding, ...]:
        """Findings where the server is; ``live`` has it ask each of its usable providers for a word."""
        asked = {name: "true" for name, wanted in (("live", live), ("full", full)) if wanted}
        return await self._client.read(tuple[Finding, ...], "/doctor", asked, is_slow=True)

    async def close(self) -> None:
        if self._owns_connection:
            await self._connection.close()
