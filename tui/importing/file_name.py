"""File names: the ending, the language that stands before it, and a title for people."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import NamedTuple

from tui.language.folding import fold_accents
from tui.language.tags import base_language, is_known, language_names, normalise
from tui.language.word_lists import read_lists
from tui.text.sanitize import one_line

_MAX_NAME_LENGTH = 200
"""Maximum bytes of a file's name; file systems take 255."""
_MAX_ENDING_LENGTH = 16


@dataclass(frozen=True, slots=True)
class FileName:
    """Parts of a file's name: ``ending`` in lower case with its dot, or ""; ``languages`` are tags.

    They are none, one, or two of a file that has both. ``is_word`` tells that the tag is also an ordinary word,
    ``is_mark`` that it is "hi", which stands for Hindi or for the hearing-impaired.
    """

    ending: str
    languages: tuple[str, ...]
    title: str
    is_word: bool
    is_mark: bool

    @property
    def language(self) -> str | None:
        """The first of the languages."""
        return self.languages[0] if self.languages else None


def read_file_name(name: str) -> FileName:
    """Split a file's name, ``Der letzte Zug.de.srt`` say, into its parts: ".srt", "de" and "Der letzte Zug"."""
    path = PurePath(name)
    tag = _read_tag(path.stem)
    return FileName(path.suffix.lower(), tag.languages, _title(tag.before) or one_line(name), tag.is_word, tag.is_mark)


def make_displayable(name: str) -> str:
    """The name as text: what is none, bytes unknown to the file system's encoding, becomes U+FFFD."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("utf-8", "replace")
    return name


def make_safe_name(given: str) -> str:
    """Make a file's name out of what a stranger calls it: no directory, no control characters, of bearable length.

    Its ending stays, as it says how the file is to be read; "" where nothing is left.
    """
    last = one_line(given.replace("\\", "/").rsplit("/", 1)[-1]).strip().lstrip(".")
    path = PurePath(last)
    stem, ending = path.stem, path.suffix[:_MAX_ENDING_LENGTH]
    while len((stem + ending).encode("utf-8", "replace")) > _MAX_NAME_LENGTH:
        stem = stem[:-1]
    return (stem + ending).encode("utf-8", "replace").decode()


def _title(stem: str) -> str:
    """Title of a stem: underscores become spaces, and dots where it has no spaces and is no number or abbreviation."""
    shown = one_line(stem).replace("_", " ")
    if " " not in shown and re.search(r"[^\W\d_]{2}\.|\.[^\W\d_]{2}", shown):
        shown = shown.replace(".", " ")
    return " ".join(shown.split())


# Language tags in file names as people write them: ``film.pt-BR.srt``, ``film_ger.srt``, ``film [German].srt``.
#
# A tag is the last part of a name, in brackets, behind a dot, an underscore or a hyphen, or the whole name; words that
# say what kind of subtitle it is may stand beside it. A word behind a space is none: "The Office", "Johnny English".
# The lists are in ``file_names.toml``.

_CODE = r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|\d{3}))?"
_PAIR = re.compile(rf"({_CODE}|[^\W\d_]{{4,}}) ?[-_+&,/] ?({_CODE}|[^\W\d_]{{4,}})")
_BRACKETS = re.compile(r"(.*?)[\s._-]*[\[({]([^\[\](){}]{2,40})[\])}]", re.DOTALL)
_DOT = re.compile(r"(.+?)[\s._]*\.([^\s.]{2,40})", re.DOTALL)
_OTHER_SIGNS = (
    re.compile(r"(.+?)[\s._-]*[_-]\s?([^\W\d_]{2,3}[_-][^\W\d_]{2,4})", re.DOTALL),
    re.compile(r"(.+?)[\s._-]*[_-]\s?([^\W_]{2,30})", re.DOTALL),
)
"""Patterns of a name and its last part behind an underscore or hyphen, the longest first: ``pt-BR`` ends in ``BR``."""
_REGION_IN_BRACKETS = re.compile(r"(.+?)[\s._-]*[._-]\s?([^\W\d_]{4,20} ?\([^()]{4,20}\))", re.DOTALL)
_SITE = "YTS"
"""Site whose name, with a country's domain, ends the names of its films: ``YTS.LT`` is not Lithuanian."""
_SECOND_OF_A_KIND = re.compile(r"(.+\.[A-Za-z]{2,3}(?:-[A-Za-z]{2,4})?)\.\d")
"""``film.en.1.srt``, as players number them."""


class _Tag(NamedTuple):
    """Language tag of a file name, read off its end; ``before`` is the name without it and without the ending."""

    before: str
    languages: tuple[str, ...] = ()
    is_word: bool = False
    is_mark: bool = False


def _read_tag(stem: str) -> _Tag:
    """Read the tag at the end of a name without its ending; the whole name where it says nothing of the language."""
    rest, kinds = _without_kinds(stem)
    tag = _behind_sign(stem, rest)
    if tag is not None:
        return tag
    if "hi" in kinds:
        return _Tag(rest, ("hi",), is_mark=kinds.count("hi") == 1)
    if rest.lower() not in list_name_words("ordinary") and (found := _languages(rest)):
        return _Tag(stem, found)
    return _Tag(rest if list_name_words("certain_kinds").issuperset(kinds) else stem)


def _behind_sign(stem: str, rest: str) -> _Tag | None:
    if (region := _REGION_IN_BRACKETS.fullmatch(rest)) and (named := find_named_language(region[2])):
        return _tag(stem, region[1], (named,))
    if (bracketed := _BRACKETS.fullmatch(rest)) and (found := _languages(bracketed[2], may_be_upper=True)):
        return _tag(stem, bracketed[1], found)
    if dotted := _DOT.fullmatch(rest):
        before, part = dotted.groups()
        is_site = before.endswith(_SITE)
        if not is_site and (found := _languages(part, may_be_upper=not before.isupper())):
            return _tag(stem, before, found, is_word=part.lower() in list_name_words("ordinary"))
    for pattern in _OTHER_SIGNS:
        if other := pattern.fullmatch(rest):
            before, part = other.groups()
            parts = re.split(r"[_-]", part.lower())
            words = list_name_words("ordinary").intersection(parts)
            ends_title = any(len(word) > 2 for word in words) or not list_name_words("english").isdisjoint(parts)
            if not ends_title and (found := _languages(part)):
                return _tag(stem, before, found, is_word=bool(words))
    return None


def _tag(stem: str, before: str, languages: tuple[str, ...], *, is_word: bool = False) -> _Tag:
    """Make the tag; its ``before`` is the whole name where that would be but a number: ``2_English.srt``."""
    title, _ = _without_kinds(before)
    return _Tag(title if title.strip() and not title.isdecimal() else stem, languages, is_word)


def _without_kinds(stem: str) -> tuple[str, list[str]]:
    """The name without the kinds of subtitle that it ends in, and those; something is always left."""
    kinds: list[str] = []
    while True:
        for pattern in (_BRACKETS, _DOT, _OTHER_SIGNS[1]):
            match = pattern.fullmatch(stem)
            kind = match[2].lower().replace(" ", "-") if match is not None and match[1] else ""
            if match is not None and kind in list_name_words("kinds_of_subtitles"):
                kinds.append(kind)
                stem = match[1]
                break
        else:
            numbered = _SECOND_OF_A_KIND.fullmatch(stem)
            if numbered is None:
                return stem, kinds
            stem = numbered[1]


def _languages(part: str, *, may_be_upper: bool = False) -> tuple[str, ...]:
    """The languages that a part of a name stands for, none where it is something else."""
    part = part.strip().removesuffix("-orig")  # YouTube's mark for what was really spoken
    part = re.sub(r"^([a-z]{2,3})-(?=\1\b)", "", part)  # and its en-en-US: English from American English
    lower = part.lower()
    if lower in list_name_words("ordinary") and not (part.islower() or (may_be_upper and part.isupper())):
        return ()
    if habit := _meant().get(lower):
        return habit
    if tag := find_named_language(part) or (None if _is_pair(part) else _known_tag(part)):
        return (tag,)
    pair = _PAIR.fullmatch(part)
    first, second = (None, None) if pair is None else (_one(pair[1]), _one(pair[2]))
    if first is None or second is None:
        return ()
    return (first, second) if base_language(first) != base_language(second) else (first,)


def _one(part: str) -> str | None:
    """The language of one half of a pair."""
    if (habit := _meant().get(part.lower())) is not None:
        return habit[0] if len(habit) == 1 else None
    return find_named_language(part) or _known_tag(part)


def _known_tag(part: str) -> str | None:
    tag = normalise(part)
    return tag if tag is not None and is_known(tag) else None


def _is_pair(part: str) -> bool:
    """Whether what could be a language and a region is two languages: ``ru-es``, but ``pt-BR`` and ``de-DE``."""
    match = re.fullmatch(r"([A-Za-z]{2,3})[-_]([A-Za-z]{2})", part)
    first, second = (_one(match[1]), match[2].lower()) if match is not None else (None, "")
    if first is None or (second not in _lists()["countries"].values() and not is_known(second)):
        return False
    is_locale = second == base_language(first) or f"{base_language(first)}-{second.upper()}" in list_name_words(
        "locales"
    )
    return not is_locale and base_language(_one(second)) != base_language(first)


def find_named_language(part: str) -> str | None:
    """The tag of a language that is called by its name: "German", "Deutsch", "Brazilian Portuguese"."""
    return _names().get(" ".join(re.findall(r"\w+", fold_accents(part.replace("_", " ")))))


@cache
def list_name_words(kind: str) -> frozenset[str]:
    """The words of a kind that files and directories are called by, as ``file_names.toml`` has them."""
    return frozenset(_lists()["words"][kind].split())


@cache
def _meant() -> dict[str, tuple[str, ...]]:
    """Codes → the languages that people mean by them."""
    meant = (*_lists()["habits"].items(), *_lists()["countries"].items())
    return {code: tuple(tags.split()) for tags, codes in meant for code in codes.split()}


@cache
def _names() -> dict[str, str]:
    names = {fold_accents(name): tag for tag, name in language_names().items()}
    return names | {fold_accents(name): tag for tag, its in _lists()["names"].items() for name in its.split(", ")}


def _lists() -> Mapping[str, Mapping[str, str]]:
    return read_lists("file_names", __file__)
