"""Formats of files with words, recognised by their content, what a file of words has when it is open, and its bounds.

Anki's packages and collections are told by their first bytes; any text is a list.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tui import bounds
from tui.bounds import Bounds
from tui.errors import ImportRefused, refused
from tui.importing.file_name import make_displayable
from tui.records.vocabulary import VocabularyChoice, VocabularyFormat, VocabularyOffer, VocabularyWord
from tui.system import regular_file
from tui.text.sanitize import one_line

Progress = Callable[[float], None]
"""Called with the share of the file that is read (0 to 1), many times a second; what it raises ends the reading."""

ROWS_A_STEP = 500
"""Rows between two calls of ``Progress``."""
MAX_ROWS = bounds.WORD_LIST.entries
"""Maximum words of a source, and cards of a collection: the largest frequency lists have a million."""
MAX_WORD_LENGTH = 300
"""Maximum characters of a word or a reading; what is longer is no word."""
MAX_FIELD_LENGTH = bounds.WORD_LIST.entry_bytes
"""Maximum characters that are looked at of a field of a note."""
MAX_OFFERED = 2_000
"""Maximum note types and decks that are read."""
SAMPLES = 5
MAX_SAMPLE_LENGTH = 80
_NOT_IN_A_NAME = re.compile(r"[\W_\d]+")


class VocabularyFile(Protocol):
    """A file of words that is open. All methods block, and raise ``ImportRefused`` for a file that is broken."""

    @property
    def format(self) -> VocabularyFormat: ...

    @property
    def skipped(self) -> int:
        """The rows and notes so far that have no word, or whose state says nothing that is understood."""

    def offer(self) -> VocabularyOffer: ...

    def words(self, choice: VocabularyChoice, progress: Progress) -> Iterator[VocabularyWord]:
        """Read the words, in the order of the file; raises ``InvalidInput`` for what is chosen and not there."""

    def close(self) -> None: ...


def too_many_rows(shown: str) -> ImportRefused:
    return refused(shown, f"holds more than {MAX_ROWS:,} words", "check that it is the list you meant")


def clean_word(text: str) -> str:
    """A word or reading in one line; "" for one that is longer than any."""
    clean = text.strip() if text.isprintable() else one_line(text)
    return clean if len(clean) <= MAX_WORD_LENGTH else ""


def simplify_name(name: str) -> str:
    """The name of a field or a column in small letters, without spaces, signs and digits."""
    return _NOT_IN_A_NAME.sub("", unicodedata.normalize("NFC", name).lower())


def cut_sample(text: str) -> str:
    """A text as a sample of its field: one line, cut off where it is long."""
    line = one_line(text[: 4 * MAX_SAMPLE_LENGTH])
    return line if len(line) <= MAX_SAMPLE_LENGTH else line[: MAX_SAMPLE_LENGTH - 1] + "…"


@dataclass(frozen=True, slots=True)
class VocabularyFormatRow:
    """One format, told by the first bytes of a file; one without ``signatures`` is any other file."""

    name: str
    signatures: tuple[bytes, ...]
    bounds: Bounds


PACKAGE = VocabularyFormatRow("package", (b"PK\x03\x04", b"PK\x05\x06"), bounds.ANKI_PACKAGE)
COLLECTION = VocabularyFormatRow("collection", (b"SQLite format 3\0",), bounds.ANKI_COLLECTION)
LIST = VocabularyFormatRow("list", (), bounds.WORD_LIST)
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
