"""Engine: serves every profile of a library, and lives as long as the process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from tui.config import Settings
from tui.service.library import Database
from tui.service.media.clip_media import ClipMedia
from tui.service.words.dictionaries import Dictionaries
from tui.service.words.word_forms import WordForms
from tui.service.write_batcher import WriteBatcher

if TYPE_CHECKING:
    from tui.llm.providers import HttpProviders
    from tui.service.jobs.card_maker import CardMaker
    from tui.service.jobs.queue import JobRunner
    from tui.service.media.voices import Voices


class Engine:
    """The database and its threads, the jobs, the connections to providers.

    Making one does no I/O: each part begins with the first call that needs it. ``environ`` is where providers' keys are
    looked up; ``connections`` is how many requests each provider may have under way.
    """

    def __init__(self, settings: Settings, *, environ: Mapping[str, str] | None = None, connections: int = 16) -> None:
        self.settings = settings
        self.database = Database(settings.home)
        self.writes = WriteBatcher(self.database)
        self.word_forms = WordForms(self.database)
        self.dictionaries = Dictionaries(self.database, self.word_forms)
        self.clip_media = ClipMedia(self.database)
        self.environ = os.environ if environ is None else environ
        self._connections = connections
        self.make_card_maker: Callable[[str], CardMaker]
        """Maker of what makes the cards of a profile; whoever offers the library's services sets it."""

    @cached_property
    def jobs(self) -> JobRunner:
        from tui.service.jobs.kinds import find_lane, make_kind
        from tui.service.jobs.queue import JobRunner
        from tui.service.jobs.running_job import JobParts

        parts = JobParts(
            self.database,
            self.word_forms,
            lambda language: self.voices.voice(language),
            lambda name: self.over_http.find(name),
            lambda profile: self.make_card_maker(profile),
        )
        return JobRunner(self.database, lambda kind: make_kind(kind, parts), find_lane)

    @cached_property
    def voices(self) -> Voices:
        from tui.service.media.voices import Voices

        return Voices(self.settings.speech, lambda: self.over_http)

    @cached_property
    def over_http(self) -> HttpProviders:
        """Providers over HTTP; raises ``InvalidInput`` for settings of one that cannot be."""
        from tui.llm.providers import HttpProviders

        named, refusals = self.settings.providers, self.settings.home / "refusals.json"
        return HttpProviders(named, self.environ, connections=self._connections, refusals=refusals)

    async def warm(self) -> None:
        """Import what the first question to a model would otherwise wait for: half a second."""
        await asyncio.to_thread(_import_models, self._connections)

    async def close(self) -> None:
        """Stop running work (jobs become interrupted) and let go of everything; no call may follow."""
        if "jobs" in vars(self):  # it was made
            await self.jobs.close()
        await self.clip_media.close()
        await self.word_forms.close()
        await self.dictionaries.close()
        if "over_http" in vars(self):
            await self.over_http.close()
        await self.writes.close()
        await self.database.close()


def _import_models(connections: int) -> None:
    """Import all that asking a model needs, over so many connections. Blocks."""
    from tui.llm import breakdown, providers  # noqa: F401 - the import is what is asked for
    from tui.llm.http.client import import_transport
    from tui.prompts import rendering  # noqa: F401 - as above

    import_transport(connections)
