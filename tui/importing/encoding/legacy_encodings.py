"""Legacy encodings: the usual ones for texts of a language, and their names for people.

Codecs are named as Python's ``codecs.lookup(…).name`` has them; which are usual stands in ``legacy_encodings.toml``.
"""

from functools import cache

from tui.language.scripts import languages_with_letters, list_letters
from tui.language.word_lists import read_lists

_LISTS = read_lists("legacy_encodings", __file__)
USUAL_ENCODINGS = {
    language: tuple(codecs.split()) for languages, codecs in _LISTS["usual"].items() for language in languages.split()
}
"""A language (Chinese: with its script) → its codecs, the most usual first; "cp1252" stands for Latin-1 too."""
_CONTAINED = {codec: whole for whole, codecs in _LISTS["contained"].items() for codec in codecs.split()}
"""Codecs that are used for the same languages as one of the table, mostly because they are a part of it."""


def list_usual_encodings(tag: str) -> tuple[str, ...]:
    """The codecs for a language tag: those of both scripts for a Chinese that says neither script nor region."""
    language, *more = tag.split("-")
    if language in ("zh", "yue"):
        traditional = language == "yue" or any(part in ("Hant", "TW", "HK", "MO") for part in more)
        simplified = any(part in ("Hans", "CN", "SG") for part in more)
        scripts = (["Hant"] if traditional else []) + (["Hans"] if simplified else []) or ["Hans", "Hant"]
        return tuple(codec for script in scripts for codec in USUAL_ENCODINGS[f"zh-{script}"])
    if "Latn" in more and language == "sr":
        language = "hr"  # the same letters
    return USUAL_ENCODINGS.get(language, ())


def find_containing(codec: str) -> str:
    """The codec of the table that is used in its place, itself where there is none."""
    return _CONTAINED.get(codec, codec)


@cache
def list_languages_of(codec: str) -> tuple[str, ...]:
    """The languages that the codec is used for, then the others whose letters it has."""
    if codec == "gb18030":  # the only one that holds every character; its kana are those of EUC-JP
        return ("zh-Hans", *(language for language in USUAL_ENCODINGS if language not in ("zh-Hans", "ja")))
    like = find_containing(codec)
    usual = [language for language, codecs in USUAL_ENCODINGS.items() if like in codecs]
    return tuple(dict.fromkeys([*usual, *(each for each in languages_with_letters() if _holds(codec, each))]))


def _holds(codec: str, language: str) -> bool:
    """Whether the codec has most letters of the language: the rarest are those of loan words."""
    letters = {letter for letter in list_letters(language) or () if not letter.isupper()}
    return 2 * len("".join(letters).encode(codec, "ignore").decode(codec)) > len(letters)


def is_usual(codec: str, language: str) -> bool:
    """Whether texts of the language (a key of ``USUAL_ENCODINGS``) are found in the codec or one containing it."""
    return find_containing(codec) in USUAL_ENCODINGS.get(language, ())


@cache
def list_all_encodings() -> tuple[str, ...]:
    """Every codec of the table once, in its order."""
    return tuple(dict.fromkeys(codec for usual in USUAL_ENCODINGS.values() for codec in usual))
