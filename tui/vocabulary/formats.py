"""Formats of files with words, recognised by their content: Anki's packages and collections; any text is a list."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tui.bounds import ANKI_COLLECTION, ANKI_PACKAGE, WORD_LIST, Bounds
from tui.errors import refused
from tui.importing.file_name import make_displayable
from tui.system import regular_file
from tui.vocabulary.anki_collection import AnkiCollection
from tui.vocabulary.vocabulary_file import Progress
from tui.vocabulary.word_list import WordList

VocabularyFile = WordList | AnkiCollection
"""A file of words that is open. All methods block, and raise ``ImportRefused`` for a file that is broken.

``skipped`` counts the rows and notes so far that have no word, or whose state says nothing that is understood;
``words`` raises ``InvalidInput`` for what is chosen and not there.
"""


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


@contextmanager
def open_vocabulary(
    path: Path,
    place: Path,
    *,
    name: str = "",
    encoding: str = "",
    language: str = "",
    progress: Progress = lambda share: None,
) -> Iterator[VocabularyFile]:
    """Open a file of words, whatever its format; ``name`` is that of the file where it is kept under another one.

    ``encoding`` and ``language`` say what is known of a text. What has to be unpacked or copied lies in ``place``
    meanwhile. Raises ``ImportRefused`` for all that has no words.
    """
    shown = make_displayable(name or path.name)
    try:
        with regular_file.open_file(path) as raw:
            beginning = regular_file.piece_of(raw, _BEGINNING)
        found = next((each for each in FORMATS if beginning.startswith(each.signatures)), LIST)
        file: VocabularyFile
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
