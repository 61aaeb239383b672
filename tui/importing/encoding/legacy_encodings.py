"""Legacy encodings: the usual ones for texts of a language, and their names for people.

Codecs are named as Python's ``codecs.lookup(…).name`` has them. Sources: the WHATWG Encoding Standard's defaults by
locale, and what subtitle sites hold beside them (DOS and Macintosh code pages, ISO 8859).
"""

from functools import cache

from tui.language.scripts import languages_with_letters, list_letters

_WESTERN = ("cp1252", "iso8859-15", "cp850", "mac-roman")
_CENTRAL = ("cp1250", "iso8859-2", "cp852", "mac-latin2")
_CYRILLIC = ("cp1251", "koi8-r", "cp866", "iso8859-5", "mac-cyrillic")
_BALTIC = ("cp1257", "iso8859-13", "cp775", "iso8859-4")
_TURKISH = ("cp1254", "cp857", "mac-turkish")
_ARABIC = ("cp1256", "iso8859-6", "cp864")

USUAL_ENCODINGS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "nn", "no", "fi", "ca", "gl"), _WESTERN),
    **dict.fromkeys(("en", "is", "fo", "ga", "af", "sq", "id", "ms"), _WESTERN),
    "cy": ("iso8859-14", *_WESTERN),
    **dict.fromkeys(("pl", "cs", "sk", "hu", "hr", "bs", "sl"), _CENTRAL),
    "ro": (*_CENTRAL, "iso8859-16"),
    **dict.fromkeys(("ru", "bg", "be", "mk"), _CYRILLIC),
    "uk": ("cp1251", "koi8-u", "cp1125", "iso8859-5", "mac-cyrillic"),
    "sr": ("cp1251", "cp1250", "iso8859-5", "cp855", "iso8859-2"),
    "kk": ("kz1048", "ptcp154"),
    "el": ("cp1253", "iso8859-7", "cp737", "cp869", "mac-greek"),
    **dict.fromkeys(("tr", "az"), _TURKISH),
    **dict.fromkeys(("lt", "lv", "et"), _BALTIC),
    **dict.fromkeys(("he", "yi"), ("cp1255", "iso8859-8", "cp862")),
    "ar": (*_ARABIC, "cp720", "mac-arabic"),
    "fa": (*_ARABIC, "mac-farsi"),
    "ur": _ARABIC,
    "th": ("cp874",),
    "vi": ("cp1258",),
    **dict.fromkeys(("eo", "mt"), ("iso8859-3",)),
    "ja": ("cp932", "euc_jp", "iso2022_jp"),
    "zh-Hans": ("gb18030", "hz"),
    "zh-Hant": ("big5", "cp950", "big5hkscs"),
    "ko": ("cp949", "johab", "iso2022_kr"),
}
"""A language (Chinese: with its script) → its codecs, the most usual first; "cp1252" stands for Latin-1 too."""

_CONTAINED = {
    **dict.fromkeys(("gbk", "gb2312"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift_jis_2004", "shift_jisx0213"), "cp932"),
    **dict.fromkeys(("euc_jis_2004", "euc_jisx0213"), "euc_jp"),
    **dict.fromkeys(
        ("iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_3", "iso2022_jp_ext"), "iso2022_jp"
    ),
    **dict.fromkeys(("tis-620", "iso8859-11"), "cp874"),
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
}
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
        return _CENTRAL
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
