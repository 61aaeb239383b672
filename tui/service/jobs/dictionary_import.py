"""Import job of one dictionary: file → rows → the file of all dictionaries, in a process of its own.

Millions of rows take minutes of Python. The process takes one request and answers how far it is, a few times a second,
and last what it came to. It can be killed at any time: a dictionary is seen once all of it is written.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from tui.dictionaries.file_search import list_parts
from tui.dictionaries.formats import open_dictionary
from tui.errors import ImportRefused, LodeError, StoreError, unreadable
from tui.importing.file_name import make_displayable
from tui.records.dictionaries import Dictionary
from tui.service.incoming import Uploads
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.store.dictionaries.dictionary_store import DictionaryStore
from tui.system import regular_file
from tui.system.python_process import PythonProcess, serve_requests
from tui.text.display import count_of, number


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


_TELL_SECONDS = 0.2
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class DictionaryRequest:
    """A dictionary's file, the name that it is shown under, and the data directory that it is for."""

    path: Path
    name: str
    home: Path


@dataclass(frozen=True, slots=True)
class ImportedDictionary:
    """Outcome of an import: ``is_new`` is False where the library had this very file.

    ``skipped`` rows could not be understood; ``replaced`` are revisions in whose place it is.
    """

    dictionary: Dictionary
    is_new: bool = True
    skipped: int = 0
    replaced: tuple[Dictionary, ...] = ()


Answer = float | ImportedDictionary | LodeError | str
"""Share that is done, then the outcome: the last one is a fault that nobody expected."""


def import_dictionary(request: DictionaryRequest, progress: Callable[[float], None]) -> ImportedDictionary:
    """Import a dictionary. Blocks; raises ``LodeError``, and what ``progress`` raises: then nothing of it stays."""
    with open_dictionary(request.path, request.name) as file, closing(DictionaryStore.open(request.home)) as store:
        digest = _digest(list_parts(request.path), request.name)
        if (known := store.with_digest(digest)) is not None:
            return ImportedDictionary(known, is_new=False)
        replaced = store.revisions_of(file.info)
        dictionary = store.add(file.info, file.rows(progress), file_name=request.name, digest=digest)
        return ImportedDictionary(dictionary, skipped=file.skipped, replaced=replaced)


def _digest(paths: tuple[Path, ...], name: str) -> str:
    digest = hashlib.sha256()
    try:
        for path in paths:
            with regular_file.open_file(path) as file:
                while piece := regular_file.piece_of(file, _PIECE):
                    digest.update(piece)
    except OSError as error:
        raise unreadable(name, error) from error
    return digest.hexdigest()


class DictionaryProcess(PythonProcess):
    """A process that imports one dictionary; raises ``OSError`` where none can be started."""

    def __init__(self, request: DictionaryRequest) -> None:
        super().__init__(__name__)
        with suppress(OSError):  # it is dead: there will be no answer
            self.send(request)

    def next(self) -> float | ImportedDictionary:
        """The next answer. Blocks; raises ``LodeError`` as ``import_dictionary`` does, and for a process that died."""
        try:
            answer: Answer = self.read()
        except OSError:
            raise LodeError(
                "the process that read the dictionary was ended", hint="if there was too little memory, try it again"
            ) from None
        if isinstance(answer, LodeError):
            raise answer
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return answer


def serve() -> None:
    """Do the import that is asked for on standard input; the work of the process."""
    for request, answer in serve_requests():
        try:
            answer(import_dictionary(request, _at_intervals(answer)))
        except LodeError as error:
            answer(error)
        except Exception as error:  # noqa: BLE001 - the edge of a process: whoever asked says what it was
            answer(f"{type(error).__name__}: {error}")


def _at_intervals(tell: Callable[[float], None]) -> Callable[[float], None]:
    told = 0.0

    def progress(share: float) -> None:
        nonlocal told
        if time.monotonic() - told >= _TELL_SECONDS:
            told = time.monotonic()
            tell(share)

    return progress
