"""Process that imports a dictionary: reads its file, and writes its rows where all dictionaries lie.

Millions of rows take minutes of Python. The process takes one request and answers how far it is, a few times a second,
and last what it came to. It can be killed at any time: a dictionary is seen once all of it is written.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from tui.errors import ImportRefused, LodeError
from tui.records.dictionaries import Dictionary
from tui.system import regular_file
from tui.system.python_process import PythonProcess, serve_requests

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
    from tui.dictionaries.file_search import list_parts
    from tui.dictionaries.formats import open_dictionary
    from tui.store.dictionaries.dictionary_store import DictionaryStore

    with open_dictionary(request.path, request.name) as file, closing(DictionaryStore.open(request.home)) as store:
        digest = _digest(list_parts(request.path), request.name)
        known = store.with_digest(digest)
        if known is not None:
            return ImportedDictionary(known, is_new=False)
        replaced = store.revisions_of(file.info)
        dictionary = store.add(file.info, file.rows(progress), file_name=request.name, digest=digest)
        return ImportedDictionary(dictionary, skipped=file.skipped, replaced=replaced)


def _digest(paths: tuple[Path, ...], name: str) -> str:
    digest = hashlib.sha256()
    try:
        for path in paths:
            with regular_file.opened(path) as file:
                while piece := regular_file.piece_of(file, _PIECE):
                    digest.update(piece)
    except OSError as error:
        raise ImportRefused(
            f"{name} cannot be read: {error.strerror or error}", hint="check that it is a file you may read"
        ) from error
    return digest.hexdigest()


class DictionaryProcess:
    """A process that imports one dictionary; raises ``OSError`` where none can be started."""

    def __init__(self, request: DictionaryRequest) -> None:
        self._process = PythonProcess(__name__)
        with suppress(OSError):  # it is dead: there will be no answer
            self._process.send(request)

    def next(self) -> float | ImportedDictionary:
        """The next answer. Blocks; raises ``LodeError`` as ``import_dictionary`` does, and for a process that died."""
        try:
            answer: Answer = self._process.read()
        except OSError:
            raise LodeError(
                "the process that read the dictionary was ended", hint="if there was too little memory, try it again"
            ) from None
        if isinstance(answer, LodeError):
            raise answer
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return answer

    def end(self) -> None:
        """End the process, whatever it is at. Blocks for a moment."""
        self._process.end()


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
