"""File names: the ending, the language that stands before it, and a title for people."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import PurePath

from tui.importing.name_tag import read_name_tag
from tui.text.sanitize import one_line

_LONGEST_NAME = 200
"""Maximum bytes of a file's name; file systems take 255."""
_LONGEST_ENDING = 16


@dataclass(frozen=True, slots=True)
class FileName:
    """Parts of a file's name: ``ending`` in lower case with its dot, or ""; ``languages`` are tags.

    They are none, one, or two of a file that has both. ``is_word`` tells that the tag is also an ordinary word,
    ``is_mark`` that it is "hi", which stands for Hindi or for the hearing-impaired.
    """

    ending: str
    languages: tuple[str, ...]
    title: str
    is_word: bool = False
    is_mark: bool = False

    @property
    def language(self) -> str | None:
        """The first of the languages."""
        return self.languages[0] if self.languages else None


def read_file_name(name: str) -> FileName:
    """Split a file's name, ``Der letzte Zug.de.srt`` say, into its parts: ".srt", "de" and "Der letzte Zug"."""
    path = PurePath(name)
    tag = read_name_tag(path.stem)
    title = _title(tag.before) or one_line(name)
    return FileName(path.suffix.lower(), tag.languages, title, tag.is_word, tag.is_mark)


def is_text(name: str) -> bool:
    """Whether the name can be encoded: bytes unknown to the file system's encoding are surrogates in it."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def displayable(name: str) -> str:
    """The name as text: what is none becomes U+FFFD."""
    return name if is_text(name) else os.fsencode(name).decode("utf-8", "replace")


def safe_name(given: str) -> str:
    """Make a file's name out of what a stranger calls it: no directory, no control characters, of bearable length.

    Its ending stays, as it says how the file is to be read; "" where nothing is left.
    """
    last = one_line(given.replace("\\", "/").rsplit("/", 1)[-1]).strip().lstrip(".")
    path = PurePath(last)
    stem, ending = path.stem, path.suffix[:_LONGEST_ENDING]
    while len((stem + ending).encode("utf-8", "replace")) > _LONGEST_NAME:
        stem = stem[:-1]
    return (stem + ending).encode("utf-8", "replace").decode()


def _title(stem: str) -> str:
    """Title of a stem: underscores become spaces, and dots where it has no spaces and is no number or abbreviation."""
    shown = one_line(stem).replace("_", " ")
    if " " not in shown and re.search(r"[^\W\d_]{2}\.|\.[^\W\d_]{2}", shown):
        shown = shown.replace(".", " ")
    return " ".join(shown.split())
