"""Vocabulary of one profile: what a file of words or a running Anki offers, and its import."""

from collections.abc import AsyncGenerator, AsyncIterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from tui.importing.parse import MAX_BYTES
from tui.records.jobs import Job, JobSource
from tui.records.vocabulary import RunningAnki, VocabularyChoice, VocabularyOffer, VocabularyReport
from tui.service.incoming import Uploads
from tui.service.jobs.queue import JobRunner
from tui.service.jobs.vocabulary_import import KEY_ENV, options_of
from tui.service.library import Library
from tui.service.words import vocabulary
from tui.service.words.word_forms import WordForms
from tui.system.regular_file import named_path


class LocalVocabulary(vocabulary.VocabularySources):
    """The vocabulary resource."""

    def __init__(self, library: Library, runner: JobRunner, word_forms: WordForms, anki: RunningAnki) -> None:
        super().__init__(anki, library.database.directory)
        self._library = library
        self._runner = runner
        self._word_forms = word_forms
        self._uploads = Uploads(library.database.directory)

    async def preview(self, source: vocabulary.VocabularySource, choice: VocabularyChoice) -> VocabularyReport:
        return await self._report(await self._read(source, choice), choice)

    async def add(self, source: vocabulary.VocabularySource, choice: VocabularyChoice, *, anew: bool = False) -> Job:
        vocabulary.check_choice_values(choice)
        options = options_of(choice, anew=anew)
        if isinstance(source, RunningAnki):
            anki = source.or_else(self._anki)
            named = JobSource("anki", vocabulary.address_of(anki.address))
            options |= {KEY_ENV: anki.key_env}
        else:
            named = JobSource.of_path(named_path(source).absolute())
        (job,) = await self._runner.queue(self._library, "vocabulary", [named], options)
        return job

    async def add_upload(
        self, name: str, pieces: AsyncIterable[bytes], choice: VocabularyChoice, *, source: str = ""
    ) -> Job:
        """Queue the import of a file that comes in pieces; ``source`` is where its states are from."""
        vocabulary.check_choice_values(choice)
        async with self._uploads.receive(name, pieces, MAX_BYTES) as sent:
            (job,) = await self._runner.queue(self._library, "vocabulary", [sent], options_of(choice, source=source))
        return job

    async def preview_upload(
        self, name: str, pieces: AsyncIterable[bytes], choice: VocabularyChoice, *, source: str = ""
    ) -> VocabularyReport:
        """Report on a file that comes in pieces, of which nothing is kept."""
        vocabulary.check_choice_values(choice)
        async with self._received(name, pieces) as path:
            read = await self._read(path, choice)
        return await self._report(replace(read, source=source) if source else read, choice)

    async def offer_upload(self, name: str, pieces: AsyncIterable[bytes], *, encoding: str = "") -> VocabularyOffer:
        """What a file that comes in pieces offers, of which nothing is kept."""
        async with self._received(name, pieces) as path:
            return await self.offer(path, encoding=encoding)

    @asynccontextmanager
    async def _received(self, name: str, pieces: AsyncIterable[bytes]) -> AsyncGenerator[Path, None]:
        async with self._uploads.receive(name, pieces, MAX_BYTES) as sent:
            try:
                yield self._uploads.path(sent)
            finally:
                await self._library.run(lambda store: self._uploads.discard(store, sent))

    async def _report(self, read: vocabulary.ReadVocabulary, choice: VocabularyChoice) -> VocabularyReport:
        profile, database = self._library.profile, self._library.database
        made = await vocabulary.marks_of(read, choice, database, profile, self._word_forms)
        return await database.run(
            lambda store: vocabulary.make_report(
                read, made, vocabulary.chosen_marks(store, profile, made.marks, read.source)
            )
        )
