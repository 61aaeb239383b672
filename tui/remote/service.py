"""``Service`` over HTTP."""

# mypy: disable-error-code=abstract
# Parts have what their protocols declare by asking for it (``RemotePart.perform``), which mypy cannot know.

from __future__ import annotations

import asyncio
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tui.config import check_profile
from tui.errors import InvalidInput, StoreError
from tui.records.vocabulary import USUAL_ANKI, RunningAnki
from tui.remote import records
from tui.remote.client import Client
from tui.remote.connection import Connection
from tui.remote.deck import RemoteDeck
from tui.remote.operations import RemotePart
from tui.remote.streams import RemoteJobs, RemoteLlm
from tui.remote.uploads import RemoteDictionaries, RemoteFiles, RemoteMedia, RemoteTranscription
from tui.service.protocol import Service
from tui.service.protocol.signatures import RESOURCES
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.remote.vocabulary import RemoteVocabulary


class RemoteService(RemotePart):
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
        client = Client(self._connection, self.profile)
        super().__init__(client, RESOURCES[0])
        self.location = self._connection.location
        self.on_trouble = self._connection.told_of_trouble.append
        self.of = partial(RemoteService, url, connection=self._connection, anki=anki)
        self.words = records.RemoteWords(client)
        self.own_words = records.RemoteOwnWords(client)
        self.dictionaries = RemoteDictionaries(client)
        self.known_words = records.RemoteKnownWords(client)
        self.files = RemoteFiles(client)
        self.transcripts = records.RemoteTranscripts(client)
        self.cues = records.RemoteCues(client)
        self.bookmarks = records.RemoteBookmarks(client)
        self.clips = records.RemoteClips(client)
        self.media = RemoteMedia(client)
        self.transcription = RemoteTranscription(client)
        self.retiming = records.RemoteRetimings(client)
        self.reviews = records.RemoteReviews(client)
        self.mining = records.RemoteMining(client)
        self._anki = anki
        self.deck = RemoteDeck(client, anki)
        self.history = records.RemoteHistory(client)
        self.jobs = RemoteJobs(client)
        self.llm = RemoteLlm(client)
        self.template = records.RemoteTemplate(client)
        self.settings = records.RemoteSettings(client)
        self.views = records.RemoteViews(client)

    profiles = Service.profiles
    revisions = Service.revisions
    undo = Service.undo
    undo_step = Service.undo_step
    undo_steps = Service.undo_steps
    redo = Service.redo
    search = Service.search
    search_values = Service.search_values
    doctor = Service.doctor

    def import_parts(self) -> None:
        """Import nothing: the server has its parts already."""

    @property
    def vocabulary(self) -> RemoteVocabulary:
        from tui.remote.vocabulary import RemoteVocabulary

        return RemoteVocabulary(self._client, self._anki)

    @property
    def trouble(self) -> str:
        return self._connection.trouble

    async def backup(self, path: str | Path) -> Path:
        """Whatever breaks, there is no file or a whole one."""
        from tui.system.temporary import TemporaryDirectory, make_in_thread

        target = named_path(path)
        if target.exists() or target.is_symlink():
            raise InvalidInput(f"{target} exists already", hint="name a new file for the backup")
        if not target.parent.is_dir():
            raise InvalidInput(f"there is no directory {target.parent}", hint="make it first, or name another place")

        async def write() -> None:
            try:
                with await make_in_thread(lambda: TemporaryDirectory(target.parent)) as place:
                    beside = place / "lode.db"
                    # Not opened in a thread: cancelled, that would come back while its directory goes.
                    with beside.open("xb") as file:
                        async with self._client.download("/backup") as pieces:
                            async for piece in pieces:
                                await asyncio.to_thread(file.write, piece)
                        file.flush()
                        await asyncio.to_thread(os.fsync, file.fileno())
                    beside.replace(target)
            except OSError as error:
                raise StoreError(
                    f"{one_line(str(target))} cannot be written: {error.strerror or error}", hint="name another place"
                ) from error

        await self._connection.retried(write)
        return target

    async def version(self) -> str:
        """The Lode that the server is, which it tells without a token."""
        return str((await self._client.read(dict[str, object], "/health")).get("version", "?"))

    async def close(self) -> None:
        if self._owns_connection:
            await self._connection.close()
