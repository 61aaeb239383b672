"""Job that imports vocabulary: words of a file or of a running Anki get the states that these say, in one step."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from tui.records.vocabulary import RunningAnki, VocabularyChoice, VocabularyReport
from tui.service.incoming import Uploads
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.service.words import vocabulary
from tui.store import Store
from tui.vocabulary.anki_connect import CardTimes

KEY_ENV = "anki_key_env"
"""Option of a job that reads a running Anki: the variable that holds the key, never the key."""
_MARKED = "words"
"""Name of the one part of the job that is done once."""


def options_of(choice: VocabularyChoice, *, source: str = "", anew: bool = False) -> dict[str, object]:
    """The options of a job with a choice; ``source`` is where states are from, where that is not told by the file."""
    return {**asdict(choice), "source": source, "anew": anew}


class VocabularyImport:
    """Work of the jobs of the kind ``vocabulary``."""

    def __init__(self, parts: JobParts) -> None:
        self._database = parts.database
        self._word_forms = parts.word_forms
        self._uploads = Uploads(parts.database.directory)

    async def run(self, running: RunningJob) -> None:
        choice = _choice_of(running.options)
        await running.report(0.0, "reading", until=0.6)
        times: CardTimes | None = None
        if running.source.kind == "anki":
            read, times = await self._read_anki(running, choice)
        else:
            read = await running.run_detached(lambda: self._read_file(running, choice), name="words to import")
        await running.report(0.6, "looking words up", until=0.95)
        made = await vocabulary.marks_of(
            read, choice, self._database, running.profile, self._word_forms, running.checkpoint
        )
        await running.report(0.95, "marking")
        report: list[VocabularyReport] = []

        def write(store: Store) -> None:
            chosen = vocabulary.chosen_marks(store, running.profile, made.marks, read.source)
            if chosen.marks:
                marks = (*chosen.staying, *chosen.marks)  # of two for one word the later one holds
                store.word_states.mark(running.profile, marks, read.source)
            report.append(vocabulary.make_report(read, made, chosen))

        await running.finish(_MARKED, True, write)
        if times is not None and read.card_times is not None:
            times.save(read.card_times)
        await self._database.run(lambda store: self._uploads.discard(store, running.source))
        await running.succeed(vocabulary.sum_up(report[-1]))

    def _read_file(self, running: RunningJob, choice: VocabularyChoice) -> vocabulary.ReadVocabulary:
        path = self._uploads.path(running.source)
        name = path.name if running.source.kind == "upload" else ""
        read = vocabulary.read_file(path, self._database.directory, choice, running.checkpoint, name=name)
        named = running.options.get("source")
        return replace(read, source=named) if isinstance(named, str) and named else read

    async def _read_anki(
        self, running: RunningJob, choice: VocabularyChoice
    ) -> tuple[vocabulary.ReadVocabulary, CardTimes]:
        address = running.source.name
        times = CardTimes(self._database.directory, running.profile, address, choice)
        if running.options.get("anew") is True:
            await asyncio.to_thread(times.forget)
        last = await asyncio.to_thread(times.load)
        key_env = running.options.get(KEY_ENV)
        read = await vocabulary.read_anki(
            RunningAnki(address, key_env if isinstance(key_env, str) else ""),
            choice,
            running.checkpoint,
            known_times=last.card_times,
            days=last.days,
        )
        return read, times


def _choice_of(options: Mapping[str, object]) -> VocabularyChoice:
    """The choice of a job's options, as far as they say it."""
    kinds: dict[str, type[Any]] = {each.name: type(each.default) for each in fields(VocabularyChoice)} | {"first": int}
    given: dict[str, Any] = {name: options.get(name) for name in kinds}
    return VocabularyChoice(**{name: value for name, value in given.items() if isinstance(value, kinds[name])})
