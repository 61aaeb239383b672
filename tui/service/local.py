"""Local service: ``Service`` over a database on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from tui.config import Settings, check_profile
from tui.service.engine import Engine
from tui.service.library import Library, WriteKey
from tui.system.regular_file import named_path

if TYPE_CHECKING:  # their records take a while to make, and neither the first frame nor most commands need them
    from tui.records.library import Finding, ProfileSummary, Restored, UndoStep
    from tui.records.search import SearchGroup
    from tui.records.vocabulary import RunningAnki
    from tui.service.bookmarks import LocalBookmarks
    from tui.service.clips import LocalClips
    from tui.service.cues import LocalCues
    from tui.service.decks.deck import LocalDeck
    from tui.service.dictionaries import LocalDictionaries
    from tui.service.files import LocalFiles
    from tui.service.history import LocalHistory
    from tui.service.inbox.inbox import LocalInbox
    from tui.service.jobs.card_maker import CardMaker
    from tui.service.jobs.local_jobs import LocalJobs
    from tui.service.llm.local_llm import LocalLlm, LocalTemplate
    from tui.service.local_media import LocalMedia
    from tui.service.mining import LocalMining
    from tui.service.retiming import LocalRetimings
    from tui.service.reviews import LocalReviews
    from tui.service.settings import LocalSettings
    from tui.service.transcription import LocalTranscription
    from tui.service.transcripts import LocalTranscripts
    from tui.service.views import LocalViews
    from tui.service.vocabulary import LocalVocabulary
    from tui.service.words.dictionaries import LookUps
    from tui.service.words.known_words import LocalKnownWords
    from tui.service.words.summaries import LocalOwnWords, LocalWords
    from tui.store import Store


class LocalService:
    """One profile's view of an engine; making one does no I/O and costs next to nothing.

    Without an ``engine`` it has one of its own, which it closes. Raises ``InvalidInput`` for a profile that is no
    profile name; ``environ`` is where providers' keys are looked up. One with a ``write_key`` is for the request that
    has it, and writes once.
    """

    location = "local"

    def __init__(
        self,
        settings: Settings,
        profile: str | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        engine: Engine | None = None,
        write_key: WriteKey | None = None,
    ) -> None:
        self.profile = check_profile(settings.profile if profile is None else profile)
        self._settings = settings
        self._owns_engine = engine is None
        self._engine = engine = engine or Engine(settings, environ=environ)
        self._library = Library(engine.database, self.profile, write_key)
        self.on_trouble = engine.database.told_of_trouble.append
        # What the engine's jobs need of a service comes from here: it knows none.
        engine.make_card_maker = partial(_make_card_maker, settings, engine)

    @cached_property
    def jobs(self) -> LocalJobs:
        from tui.service.jobs.local_jobs import LocalJobs

        return LocalJobs(self._library, self._engine.jobs)

    @cached_property
    def transcripts(self) -> LocalTranscripts:
        from tui.service.transcripts import LocalTranscripts

        return LocalTranscripts(self._library, self._count, lambda *ids: self._engine.jobs.cancel(self.profile, *ids))

    @cached_property
    def cues(self) -> LocalCues:
        from tui.service.cues import LocalCues

        return LocalCues(self._library)

    @cached_property
    def bookmarks(self) -> LocalBookmarks:
        from tui.service.bookmarks import LocalBookmarks

        return LocalBookmarks(self._library)

    @cached_property
    def clips(self) -> LocalClips:
        from tui.service.clips import LocalClips

        return LocalClips(
            self._library,
            lambda profile: self._engine.clip_media.begin(profile),
            lambda: self._look_ups.look_up_prepared,
        )

    @cached_property
    def history(self) -> LocalHistory:
        from tui.service.history import LocalHistory

        return LocalHistory(self._library)

    @cached_property
    def files(self) -> LocalFiles:
        from tui.service.files import LocalFiles

        return LocalFiles(self._library, self._engine.jobs, self._count)

    async def _count(self, transcript_ids: Sequence[str], column: str) -> Mapping[int, float]:
        return await self.known_words.count_keys(transcript_ids, column)

    @cached_property
    def settings(self) -> LocalSettings:
        from tui.service.settings import LocalSettings

        return LocalSettings(self._library)

    @cached_property
    def views(self) -> LocalViews:
        from tui.service.views import LocalViews

        return LocalViews(self._library)

    @cached_property
    def deck(self) -> LocalDeck:
        from tui.service.decks.deck import LocalDeck

        return LocalDeck(self._library, self._engine.clip_media, self._anki)

    @cached_property
    def _anki(self) -> RunningAnki:
        from tui.records.vocabulary import RunningAnki

        return RunningAnki(self._settings.anki_url, self._settings.anki_key_env)

    @cached_property
    def llm(self) -> LocalLlm:
        from tui.service.llm.local_llm import LocalLlm

        return LocalLlm(self._library, self._engine, self.words)

    @cached_property
    def template(self) -> LocalTemplate:
        from tui.service.llm.local_llm import LocalTemplate

        return LocalTemplate(self._library, self.llm)

    @cached_property
    def words(self) -> LocalWords:
        from tui.service.words.summaries import LocalWords

        return LocalWords(self._library, self._engine.word_forms, self._look_ups)

    @cached_property
    def _look_ups(self) -> LookUps:
        from tui.service.words.dictionaries import LookUps

        return LookUps(self._library, self._engine.dictionaries)

    @cached_property
    def media(self) -> LocalMedia:
        from tui.service.local_media import LocalMedia

        return LocalMedia(self._library, self._engine.jobs, self._engine.voices)

    @cached_property
    def transcription(self) -> LocalTranscription:
        from tui.service.transcription import LocalTranscription

        return LocalTranscription(
            self._library, self._engine.jobs, self._engine.settings, lambda: self._engine.over_http
        )

    @cached_property
    def retiming(self) -> LocalRetimings:
        from tui.service.retiming import LocalRetimings

        return LocalRetimings(self._library, self._engine.jobs)

    @cached_property
    def reviews(self) -> LocalReviews:
        from tui.service.reviews import LocalReviews

        return LocalReviews(
            self._library,
            self._engine.jobs,
            lambda: self.template.effective(),
            lambda: self.llm.known_providers,
            lambda profile: self._engine.clip_media.begin(profile),
            lambda request: self.llm.ask_in_batch(request, lambda provider: provider),
        )

    @cached_property
    def mining(self) -> LocalMining:
        from tui.service.mining import LocalMining

        return LocalMining(
            self._library,
            self._engine.jobs,
            lambda: self.template.effective(),
            lambda: self.llm.known_providers,
            lambda: self.known_words.mined,
        )

    @cached_property
    def inbox(self) -> LocalInbox:
        """The inbox, which ``lode inbox`` offers to other programs: no part of ``Service``."""
        from tui.anki.connect import AnkiConnect
        from tui.service.inbox.anki_words import AnkiWords
        from tui.service.inbox.duplicates import Doubles
        from tui.service.inbox.filling import NoteFilling
        from tui.service.inbox.inbox import LocalInbox
        from tui.service.inbox.names import InboxNames
        from tui.service.words.vocabulary import connection_of

        async def find_model() -> str:
            return (await self.template.effective()).model

        forms, library = self._engine.word_forms, self._library
        anki_words = AnkiWords(AnkiConnect(*connection_of(self._anki)))
        return LocalInbox(
            library,
            self.clips,
            InboxNames(library),
            Doubles(library, forms, anki_words),
            NoteFilling(
                library,
                self.clips,
                forms,
                self._look_ups.look_up_prepared,
                lambda request: self.llm.ask_in_batch(request, lambda provider: provider),
                find_model,
                library.database.directory / "inbox" / self.profile,
            ),
        )

    @cached_property
    def dictionaries(self) -> LocalDictionaries:
        from tui.service.dictionaries import LocalDictionaries

        return LocalDictionaries(self._library, self._engine.jobs, self._engine.dictionaries, self._look_ups)

    @cached_property
    def known_words(self) -> LocalKnownWords:
        from tui.service.words.known_words import LocalKnownWords

        return LocalKnownWords(
            self._library, self._engine.word_forms, self.words, self._engine.dictionaries, self.clips
        )

    @cached_property
    def own_words(self) -> LocalOwnWords:
        from tui.service.words.summaries import LocalOwnWords

        return LocalOwnWords(self._library, self._engine.word_forms)

    @cached_property
    def vocabulary(self) -> LocalVocabulary:
        from tui.service.vocabulary import LocalVocabulary

        return LocalVocabulary(self._library, self._engine.jobs, self._engine.word_forms, self._anki)

    @property
    def trouble(self) -> str:
        return self._engine.database.trouble

    def import_parts(self) -> None:
        for name in ("llm.local_llm", "words.known_words"):
            import_module(f"tui.service.{name}")
        import_module("tui.llm.providers")

    def of(self, profile: str) -> LocalService:
        return LocalService(self._settings, profile, engine=self._engine)

    async def profiles(self) -> tuple[ProfileSummary, ...]:
        return await self._library.run(lambda store: store.profiles.summaries())

    async def revisions(self) -> dict[str, str]:
        def found(store: Store) -> dict[str, str]:
            return {**store.profiles.revisions(self.profile), "dictionary": self._engine.dictionaries.revision()}

        return await self._library.run(found)

    async def search(self, q: str, *, group: str = "", limit: int = 10) -> tuple[SearchGroup, ...]:
        from tui.service.search import LibrarySearch

        return await LibrarySearch(self._library, self._look_ups.look_up).find(q, group=group, limit=limit)

    async def search_values(self, listed: str, field: str) -> tuple[str, ...]:
        return await self._library.run(lambda store: store.search_values(self.profile, listed, field))

    async def undo(self) -> Restored | None:
        return await self._library.change(lambda store: store.trash.undo(self.profile))

    async def undo_step(self, step: int) -> Restored:
        return await self._library.change(lambda store: store.trash.undo_step(self.profile, step))

    async def undo_steps(self, *, limit: int = 100) -> tuple[UndoStep, ...]:
        return await self._library.run(lambda store: store.trash.steps(self.profile, limit))

    async def redo(self) -> UndoStep | None:
        return await self._library.change(lambda store: store.trash.redo(self.profile))

    async def doctor(self, *, live: bool = False, full: bool = False) -> tuple[Finding, ...]:
        from tui.service.doctor.checks import examine

        settings = self._engine.settings
        # With the settings elsewhere than the library, both are where this system keeps such, and not in one home.
        home = settings.home if settings.config_path.parent == settings.home else None
        return await examine(home, self.profile, self._engine.environ, live=live, full=full)

    async def backup(self, path: str | Path) -> Path:
        target = named_path(path)
        return await self._library.database.run_long(lambda store, check: store.backup(target, check))

    async def close(self) -> None:
        if self._owns_engine:
            await self._engine.close()


def _make_card_maker(settings: Settings, engine: Engine, profile: str) -> CardMaker:
    from tui.service.local_card_maker import LocalCardMaker

    service = LocalService(settings, profile, engine=engine)
    return LocalCardMaker(service.llm, service.known_words, service.clips, service.transcripts)
