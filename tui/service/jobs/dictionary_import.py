"""Import job of one dictionary: file → rows → the file of all dictionaries."""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import ImportRefused, StoreError
from tui.importing.file_name import make_displayable
from tui.service.incoming.uploads import Uploads
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.text.display import count_of, number

if TYPE_CHECKING:
    from tui.service.jobs.dictionary_process import ImportedDictionary

KIND = "dictionary"


class DictionaryImport:
    """Work of the jobs of the kind ``dictionary``; tried again, one begins anew."""

    def __init__(self, parts: JobParts) -> None:
        self._database = parts.database
        self._uploads = Uploads(parts.database.directory)

    async def run(self, running: RunningJob) -> None:
        try:
            imported = await self._import(running, self._uploads.path(running.source))
        except Exception:  # a cancelled task is none: Lode is closing then, and what is left goes with the next import
            await asyncio.to_thread(self._remove_leftovers)
            raise
        await asyncio.to_thread(self._remove_leftovers)
        await running.succeed(_said(imported), outcome="added" if imported.is_new else "same")
        await self._database.run(lambda store: self._uploads.discard(store, running.source))

    async def _import(self, running: RunningJob, path: Path) -> ImportedDictionary:
        from tui.service.jobs.dictionary_process import DictionaryProcess, DictionaryRequest, ImportedDictionary

        await running.report(0.0, "reading")
        try:
            request = DictionaryRequest(path, make_displayable(path.name), self._database.directory)
            process = await asyncio.to_thread(DictionaryProcess, request)
        except OSError as error:
            raise ImportRefused(
                f"no process can be started to read the dictionary: {error.strerror or error}", hint="try it again"
            ) from error
        try:
            while True:
                answer = await running.run_detached(process.next, name="dictionary process")
                if isinstance(answer, ImportedDictionary):
                    return answer
                await running.report(answer, "reading")
        finally:
            await asyncio.to_thread(process.end)

    def _remove_leftovers(self) -> None:
        """Remove what a process that was ended had written, and the revisions that are replaced."""
        from tui.store.dictionaries.dictionary_store import DictionaryStore

        # On a disk that is full or damaged it cannot be: the next import tries it again, and this one has said so.
        with suppress(StoreError), closing(DictionaryStore.open(self._database.directory)) as store:
            store.remove_leftovers()


def _said(imported: ImportedDictionary) -> str:
    dictionary = imported.dictionary
    if not imported.is_new:
        return f"{dictionary.title} · already there"
    parts = [dictionary.title, count_of(dictionary.entry_count, "entry", "entries")]
    if imported.replaced:
        revisions = ", ".join(each.revision for each in imported.replaced if each.revision)
        parts.append(f"in place of revision {revisions}" if revisions else "in place of the one before")
    if imported.skipped:
        parts.append(f"{number(imported.skipped)} not understood")
    return " · ".join(parts)
