"""Formats of files with words, recognised by their content: Anki's packages and collections; any text is a list."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tui import regular_file
from tui.errors import refused
from tui.importing.file_name import displayable
from tui.vocabulary.vocabulary_file import Progress, VocabularyFile

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


def ignore_progress(share: float) -> None:
    """Take the progress of a reading that nobody watches."""


@contextmanager
def opened_vocabulary(
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
    from tui.anki.collection_file import SQLITE_SIGNATURE
    from tui.vocabulary.readers.anki_collection import AnkiCollection
    from tui.vocabulary.readers.word_list import WordList

    shown = displayable(name or path.name)
    try:
        with regular_file.opened(path) as raw:
            beginning = regular_file.piece_of(raw, len(SQLITE_SIGNATURE))
        file: VocabularyFile
        if beginning.startswith(_ZIP):
            file = AnkiCollection(path, shown, place, is_package=True, progress=progress)
        elif beginning == SQLITE_SIGNATURE:
            file = AnkiCollection(path, shown, place, is_package=False, progress=progress)
        else:
            file = WordList(path, shown, encoding, language)
    except OSError as error:
        raise refused(shown, f"cannot be read: {error.strerror or error}", "name a file that can be") from error
    try:
        yield file
    finally:
        file.close()
