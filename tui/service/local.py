"""``Service`` over a database on this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tui.config import Settings, check_profile
from tui.records import Restored
from tui.service.clips import LocalClips
from tui.service.deck import LocalDeck
from tui.service.files import LocalFiles
from tui.service.history import LocalHistory
from tui.service.jobs import JobRunner, LocalJobs
from tui.service.library import Library
from tui.service.llm import LocalLlm
from tui.service.template import LocalTemplate
from tui.service.transcripts import LocalTranscripts
from tui.service.words import LocalWords


class LocalService:
    """Making one does no I/O: the database is opened, in a thread, by the first call that needs it.

    Raises ``InvalidInput`` for a profile that is no profile name; ``environ`` is where providers' keys are looked up.
    """

    location = "local"

    def __init__(
        self, settings: Settings, profile: str | None = None, *, environ: Mapping[str, str] | None = None
    ) -> None:
        self.profile = check_profile(profile or settings.profile)
        self._library = library = Library(settings.home, self.profile)
        self._runner = runner = JobRunner(library)
        self.words = LocalWords(library)
        self.files = LocalFiles(library, runner, self.words)
        self.transcripts = LocalTranscripts(library)
        self.clips = LocalClips(library)
        self.deck = LocalDeck(library)
        self.history = LocalHistory(library)
        self.jobs = LocalJobs(library, runner)
        self.llm = LocalLlm(library, settings, self.words, os.environ if environ is None else environ)
        self.template = LocalTemplate(library, self.llm)

    async def undo(self) -> Restored | None:
        return await self._library.run(lambda store: store.trash.undo(self.profile))

    async def backup(self, path: str | Path) -> Path:
        target = Path(path).expanduser()
        return await self._library.run(lambda store: store.backup(target))

    async def close(self) -> None:
        await self._runner.close()
        await self.words.close()
        await self.llm.close()
        await self._library.close()
