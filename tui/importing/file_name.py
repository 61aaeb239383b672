"""File names: the ending, the language that stands before it, and a title for people."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import PurePath

from tui.language.tags import is_known, normalise
from tui.text.sanitize import one_line

_KINDS_OF_SUBTITLES = frozenset(("forced", "sdh", "cc", "hi", "full", "orig", "default", "foreign", "auto"))
"""Words that players and download tools put beside the language: ``film.en.sdh.srt``."""
_ORDINARY_WORDS = ("am", "as", "be", "da", "de", "el", "en", "es", "he", "in", "is", "it", "la", "my", "no", "or", "so")
"""Language codes that are also words, which a title may end in: only small letters count as a language here."""


_LONGEST_NAME = 200
"""Maximum bytes of a file's name; file systems take 255."""
_LONGEST_ENDING = 16


@dataclass(frozen=True, slots=True)
class FileName:
    """Parts of a file's name: ``ending`` in lower case with its dot, or ""; ``language`` a tag or None."""

    ending: str
    language: str | None
    title: str


def read_file_name(name: str) -> FileName:
    """Split a file's name, ``Der letzte Zug.de.srt`` say, into its parts: ".srt", "de" and "Der letzte Zug"."""
    path = PurePath(name)
    ending = path.suffix.lower()
    parts = path.stem.split(".")
    language = None
    at = len(parts)
    while at > 1 and parts[at - 1].lower() in _KINDS_OF_SUBTITLES:
        at -= 1
    if at > 1 and (language := _language(parts[at - 1])):
        parts = parts[: at - 1]
    return FileName(ending, language, _title(".".join(parts)) or one_line(name))


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


def _language(part: str) -> str | None:
    part = part.removesuffix("-orig")  # YouTube's mark for what was really spoken
    tag = normalise(part)
    if (
        tag is None
        or part != part.strip()
        or not is_known(tag)
        or (part.lower() in _ORDINARY_WORDS and not part.islower())
    ):
        return None
    return tag


def _title(stem: str) -> str:
    """Title of a stem: underscores become spaces, and dots where it has no spaces and is no number or abbreviation."""
    shown = one_line(stem).replace("_", " ")
    if " " not in shown and re.search(r"[^\W\d_]{2}\.|\.[^\W\d_]{2}", shown):
        shown = shown.replace(".", " ")
    return " ".join(shown.split())
