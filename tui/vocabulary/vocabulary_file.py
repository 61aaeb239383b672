"""Words of a file that is open: what bounds and cleans them, and how their reading is told of."""

import re
import unicodedata
from collections.abc import Callable

from tui import bounds
from tui.errors import ImportRefused, refused
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
