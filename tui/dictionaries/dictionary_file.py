"""A dictionary's file that is open: its info, its rows, and what bounds them.

A row that is not as its format has it is skipped and counted; a file that is broken is refused, so that nothing half of
it is kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from tui import bounds
from tui.errors import ImportRefused
from tui.language.detection import guess_language
from tui.language.tags import find_tag_of_name, is_known, normalise
from tui.records.dictionaries import DictionaryInfo, DictionaryRow, Example
from tui.text.sanitize import laid_out, one_line

Progress = Callable[[float], None]
"""Called with the share of the file that is read (0 to 1), many times a second; what it raises ends the reading."""

ROWS_A_STEP = 250
"""Rows between two calls of ``Progress``."""
MAX_ROWS = bounds.YOMITAN.entries
"""Maximum rows of a dictionary: English in Wiktionary has 1.5 million."""
MAX_MEMBERS = bounds.DICTIONARY_MEMBERS
"""Maximum members of a ZIP file; dictionaries with pictures have up to 100 000."""
MAX_SENT_SIZE = bounds.DICTIONARY_SENT.bytes_in
"""Maximum bytes of a file that is sent to a server; English in Wiktionary, packed, has a third of that."""
MAX_ROW_LENGTH = bounds.YOMITAN.entry_bytes
"""Maximum bytes of a row; "set" with all its senses and translations in Wiktionary has one million."""
MAX_TERM_LENGTH = 300
"""Maximum characters of a term, form or reading; whole sentences are terms in some."""
MAX_TEXT_LENGTH = 20_000
"""Maximum characters of a gloss or an example, those after are cut off."""
MAX_LABEL_LENGTH = 200
"""Maximum characters of a tag and of what a dictionary says of itself in one line; longer ones are cut off."""
MAX_NOTE_LENGTH = 4_000
"""Maximum characters of a description or an attribution."""
MAX_SENSES = 300
MAX_EXAMPLES = 30
MAX_FORMS = 300
"""Maximum forms of a term, and of the terms that it points to: a verb of Georgian or Arabic has 200."""
MAX_LABELS = 40


class DictionaryFile(Protocol):
    """A dictionary's file that is open. All methods block."""

    @property
    def info(self) -> DictionaryInfo: ...

    @property
    def skipped(self) -> int:
        """The rows so far that could not be understood, or that say nothing."""

    def rows(self, progress: Progress) -> Iterator[DictionaryRow]:
        """Read the rows, once, in the order of the file; raises ``ImportRefused`` for a file that is broken."""

    def close(self) -> None: ...


def show_name(name: str) -> str:
    """The name of a file as it can be shown: bytes that are no text become U+FFFD."""
    return one_line(os.fsencode(name).decode("utf-8", "replace"))


def refused(shown: str, reason: str, hint: str = "check that it was downloaded whole") -> ImportRefused:
    """Error of a file that cannot be read as a dictionary; ``reason`` goes on where its name ended ("is damaged")."""
    return ImportRefused(f"{shown} {reason}", hint=hint)


def too_many_rows(shown: str, most: int = MAX_ROWS) -> ImportRefused:
    return refused(shown, f"holds more than {most:,} rows", "check that it is the dictionary you meant")


def clean_text(text: str) -> str:
    """A text of a dictionary, sanitised and bounded; its line ends stay."""
    text = text[:MAX_TEXT_LENGTH].strip()
    return text if text.isprintable() else laid_out(text).strip()


def clean_line(text: str, longest: int = MAX_LABEL_LENGTH) -> str:
    """A term, tag or name, sanitised, bounded and in one line."""
    if len(text) > longest:
        text = text[:longest]
    return text.strip() if text.isprintable() else one_line(text)


def clean_term(text: str) -> str:
    """A term, form or reading, in one line; "" for one that is longer than any, since half of it would be wrong."""
    return clean_line(text, MAX_TERM_LENGTH) if len(text) <= MAX_TERM_LENGTH else ""


def drop_repetitions(texts: Iterable[str], most: int = MAX_LABELS, *, without: str = "") -> tuple[str, ...]:
    """The texts without repetitions, in their order; no empty ones, and none that is ``without``."""
    found = dict.fromkeys(texts)
    found.pop("", None)
    found.pop(without, None)
    return tuple(found)[:most]


def make_example(text: str, translation: str = "") -> Example | None:
    """An example of these texts, None where the first is blank."""
    text = clean_text(text)
    return Example(text, clean_text(translation)) if text else None


_CODES = re.compile(r"(?<![^\W_])(?=([a-z]{2,3})-([a-z]{2,3})(?![^\W_]))")
_FROM_TO = re.compile(r"([^\W\d_]+)\s?[-\u2013\u2192]\s?([^\W\d_]+)")


def find_tag(code: str) -> str | None:
    """The tag of a code that a file gives, None for none and for "mul", "und" and what else is no language."""
    tag = normalise(code) if code else None
    return None if tag in ("mul", "und", "zxx") else tag


def find_pair_in_title(title: str) -> tuple[str, str] | None:
    """The languages that a title names, "Spanish-English FreeDict Dictionary" say; None where it names no two."""
    for match in _FROM_TO.finditer(title[:200]):
        source, target = find_tag_of_name(match[1]), find_tag_of_name(match[2])
        if source and target:
            return source, target
    return None


def find_pair_in_name(name: str) -> tuple[str, str] | None:
    """The languages whose codes stand in a name: "freedict-deu-eng", "wty-de-en"; None where no two do."""
    for match in _CODES.finditer(name[:200].lower()):
        source, target = find_tag(match[1]), find_tag(match[2])
        if source and target and is_known(source) and is_known(target):
            return source, target
    return None


def guess_language_of(texts: Iterable[str]) -> str | None:
    """Guess the language of terms or explanations; None where it is not clear."""
    return guess_language("\n".join(texts))


_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole character
    rb"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\."
)


def drop_half_characters(data: bytes) -> bytes:
    """The JSON with U+FFFD in the place of half a character, so that its row is not lost for it."""
    return _ESCAPE.sub(lambda match: rb"\ufffd" if match["half"] else match[0], data)
