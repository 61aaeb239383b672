"""Language tags (BCP 47, RFC 5646: language, script, region) and the English names of languages.

The subtags are those of the IANA registry: ISO 639 languages, ISO 15924 scripts, ISO 3166 and UN M.49 regions.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from tui.language.folding import fold_accents

_ROWS = [line.split("\t") for line in Path(__file__).with_name("subtags.tsv").read_text("utf-8").split("\n")[:-1]]
"""Kind, subtag, codes of three letters (ISO 639-2, both where there are two, and 639-3) and English name of each."""


def _names(kind: str) -> dict[str, str]:
    return {subtag: name for of, subtag, _, name in _ROWS if of == kind}


_LANGUAGES, _SCRIPTS, _REGIONS = map(_names, ("language", "script", "region"))
_ENGLISH = {subtag: name for subtag, name in _LANGUAGES.items() if name}
_BY_NAME = {name.casefold(): code for code, name in _ENGLISH.items()}
_SHORTER = {code: subtag for _, subtag, codes, _ in _ROWS for code in codes.split()}
_RETIRED = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "sh": "sr"}
_REGION_HABITS = {"UK": "GB"}
_WITH_DETAILS = ("pt-BR", "zh-Hans", "zh-Hant")
"""Tags of a language's kinds that people name as such: what is written in one differs from the other."""
_LEAST_OF_A_NAME = 3
_TAG = re.compile(r"([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|[0-9]{3}))?\Z")


def normalise(code: str) -> str | None:
    """Normalise a tag to BCP 47's spelling ("PT-br" → "pt-BR", "ger" → "de"), None when it is no language tag.

    Language, script and region are understood; a language of three letters need not be one that has a name here.
    """
    match = _TAG.match(code.strip().replace("_", "-"))
    if match is None:
        return None
    language, script, region = match.group(1).lower(), match.group(2), match.group(3)
    language = _SHORTER.get(language, _RETIRED.get(language, language))
    if len(language) == 2 and language not in _LANGUAGES:
        return None
    parts = [language]
    if script is not None:
        if script.title() not in _SCRIPTS:
            return None
        parts.append(script.title())
    if region is not None:
        region = _REGION_HABITS.get(region.upper(), region.upper())
        if region not in _REGIONS and not region.isdecimal():
            return None
        parts.append(region)
    return "-".join(parts)


@lru_cache(256)
def language_tags(given: str) -> tuple[str, ...] | None:
    """Normalise one tag or two ("de+en", those of a text that has both); None when any is no language tag."""
    tags = [normalise(each) for each in re.split(r"[+,&]", given)]
    known = tuple(tag for tag in tags if tag is not None)
    return known if len(known) == len(tags) <= 2 and len(set(known)) == len(known) else None


def base_language(code: str | None) -> str:
    """The primary subtag in lower case, without script and region: "pt-BR" → "pt"; "" for none."""
    return code.replace("_", "-").split("-", 1)[0].lower() if code else ""


def is_known(code: str) -> bool:
    """Whether the language of this tag has a name here."""
    tag = normalise(code)
    return tag is not None and base_language(tag) in _ENGLISH


def language_name(code: str) -> str:
    """The English name: "de" → "German", "pt-BR" → "Portuguese (Brazil)"; the code itself where it is unknown."""
    tag = normalise(code)
    if tag is None:
        return code
    language, *more = tag.split("-")
    name = _ENGLISH.get(language)
    if name is None:
        return code
    details = [_SCRIPTS.get(part) or _REGIONS.get(part) or part for part in more]
    return f"{name} ({', '.join(details)})" if details else name


def find_tag(text: str) -> str | None:
    """The tag that a text is or names: "de", "German" and "german" for "de"; None for neither."""
    wanted = text.strip().casefold()
    details = (tag for tag in _WITH_DETAILS if language_name(tag).casefold() == wanted)
    return find_tag_of_name(text) or next(details, None) or normalise(text)


def find_tag_of_name(name: str) -> str | None:
    """The tag of a language by its English name in any case, None for what names no language."""
    return _BY_NAME.get(name.strip().casefold())


def language_of_locale(environ: Mapping[str, str]) -> str:
    """The language of the messages of a system, by its environment; English where it names none.

    ``LANGUAGE`` goes first, as in GNU's gettext, then what POSIX has ("de_DE.UTF-8@euro").
    """
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        tag = normalise(re.split(r"[.:@]", environ.get(name, ""))[0])
        if tag is None or not is_known(tag):
            continue
        language, *more = tag.split("-")
        if language == "zh":
            return "zh-Hant" if {"Hant", "TW", "HK", "MO"} & set(more) else "zh-Hans"
        return tag if tag in _WITH_DETAILS else language
    return "en"


def language_names() -> dict[str, str]:
    """The languages that have a name here: subtag → English name."""
    return dict(_ENGLISH)


def find_subtags(word: str) -> frozenset[str]:
    """The subtags that a word stands for: "ja" and "japan" for {"ja"}, "brazil" for {"BR"}.

    Names of languages, scripts and regions are known by the beginning of any of their words, from three letters on:
    fewer would stand for a dozen languages.
    """
    wanted = fold_accents(word)
    return frozenset(
        subtag
        for subtag, words in _called().items()
        if wanted == subtag.lower()
        or (len(wanted) >= _LEAST_OF_A_NAME and any(each.startswith(wanted) for each in words))
    )


@cache
def _called() -> dict[str, list[str]]:
    """The words of each subtag's name."""
    names = {**_ENGLISH, **_REGIONS, **_SCRIPTS}
    return {subtag: fold_accents(name).split() for subtag, name in names.items() if name}
