"""Formats of files with words, recognised by their content: Anki's packages and collections; any text is a list."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tui.bounds import ANKI_COLLECTION, ANKI_PACKAGE, WORD_LIST, Bounds
from tui.errors import refused
from tui.importing.file_name import make_displayable
from tui.system import regular_file
from tui.vocabulary.vocabulary_file import Progress, VocabularyFile


@dataclass(frozen=True, slots=True)
class VocabularyFormatRow:
    """One format, told by the first bytes of a file; one without ``signatures`` is any other file."""

    name: str
    signatures: tuple[bytes, ...]
    bounds: Bounds


PACKAGE = VocabularyFormatRow("package", (b"PK\x03\x04", b"PK\x05\x06"), ANKI_PACKAGE)
COLLECTION = VocabularyFormatRow("collection", (b"SQLite format 3\0",), ANKI_COLLECTION)
LIST = VocabularyFormatRow("list", (), WORD_LIST)
FORMATS = (PACKAGE, COLLECTION, LIST)
_BEGINNING = 16


def ignore_progress(share: float) -> None:
    """Take the progress of a reading that nobody watches."""


@contextmanager
def open_vocabulary(
    path: Path,
    place: Path,
    *,
    name: str = "",
    encoding: str = "",
    language: str = "",
    progress: Progress = ignore_progress,
) -> Iterator[VocabularyFile]:
    """Open a file of words, whatever its format; ``name`` is that of the file where it is kept under another one.

    ``encoding`` and ``language`` say what is known of a text. What has to be unpacked or copied lies in ``place``
    meanwhile. Raises ``ImportRefused`` for all that has no words.
    """
    from tui.vocabulary.anki_collection import AnkiCollection
    from tui.vocabulary.word_list import WordList

    shown = make_displayable(name or path.name)
    try:
        with regular_file.open_file(path) as raw:
            beginning = regular_file.piece_of(raw, _BEGINNING)
        file: VocabularyFile
        found = next((each for each in FORMATS if beginning.startswith(each.signatures)), LIST)
        if found is LIST:
            file = WordList(path, shown, encoding, language)
        else:
            file = AnkiCollection(path, shown, place, is_package=found is PACKAGE, progress=progress)
    except OSError as error:
        raise refused(shown, f"cannot be read: {error.strerror or error}", "name a file that can be") from error
    try:
        yield file
    finally:
        file.close()
