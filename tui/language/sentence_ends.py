"""Sentence ends inside a passage: full stops and their like, closing quotes and brackets, abbreviations, numbers.

The rules are our own, and ``tests/language/sentences/test_marked_sentences.py`` measures them: on marked sentences in
thirty languages no maintained library does better than they do. Its lists are in ``sentence_words.toml``.
"""

import re
from collections.abc import Iterator
from functools import cache

from tui.language.scripts import RANGES, is_spaceless, script_pattern
from tui.language.tags import base_language
from tui.language.word_lists import list_words, read_lists

_STOPS = ".!?…‼⁇⁈⁉‽؟\u037e"  # the last is Greek's question mark
_WIDE_STOPS = "。！？｡．।॥։۔።፧፨။។៕"
"""Stops behind which no space is needed."""
_OWN_STOPS = {"el": ";", "hy": ":"}
_ALL_STOPS = _STOPS + _WIDE_STOPS
_BRACKETS = ")]}）］〕】"
_CLOSING = dict(zip(_BRACKETS + "」』｣》〉”’", "([{（［〔【「『｢《〈“‘", strict=True))
"""Closing sign → its opening one, where each is only the one."""
CLOSERS = "\"'”’»›«‹“‘)]}」』）】〉》｣〕］"
"""Signs behind a full stop that belong to its sentence; German closes with “ and «."""
_WIDE_CLOSERS = CLOSERS.translate(dict.fromkeys(map(ord, "«‹“‘")))
OPENERS = "\"'“‘„‚«»‹›([{¿¡「『（【〈《｢〔［—–-•‣⁃·*"
_NO_BREAK = "\u00a0\u202f"
_NOTE = r"(?:\s?\[\d{1,3}\])*"
"""Numbers of notes, as encyclopedias have them behind their sentences."""
_CJK = "".join(RANGES[name] for name in ("Han", "Hiragana", "Katakana"))

_EMBEDDED_LONGEST = 100
"""Characters in which a bracket or quotation inside a sentence must close for the stops in it not to end that."""
_BEFORE = 40
"""Number of characters in which the word before a full stop is looked for."""
_TOKEN_BEFORE = re.compile(rf"[^\s(\[{{\"“„«‘'—–{_CJK}\u3000-\u303f\uff00-\uff0f-]*\Z")
_PARTS_BEFORE = re.compile(r"(?:[^\W\d_]{1,3}\.[ \u00a0\u202f]?){1,4}[^\W\d_]{1,4}\Z")
_ELLIPSIS = re.compile(r"…|\.\.+")
_NUMBER_BEFORE = re.compile(r"(?:\d|\b[IVXLСХІ]+)[ \u00a0\u202f]?\Z")
_DATE_BEFORE = re.compile(r"\d\.\s?\Z")
_WORD_BEFORE = re.compile(r"[^\s.,;!?…]+(?=[.…]+\Z)")
_PART = re.compile(r"[^\W\d_]{1,3}\.")
_INITIAL = re.compile(r"\s*[^\W\d_]\.(?:\s|-)")
_NUMBER = re.compile(r"\d|[IVXLC]{2,}\b|[VX]\b")
_ROMAN = re.compile(r"[IVX]+\Z")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WORD_BEHIND = re.compile(r"[^\s.,;!?…]+")
_NUMBERING_BEFORE = re.compile(r"([^\W\d_]+)\.?[ \u00a0\u202f]?\Z")
_NARROW = re.compile("[0-9A-Za-z０-９Ａ-Ｚａ-ｚ]")
_SPEECH_MARKS = "：:，,、﹕"

_ORDINALS = frozenset(("de", "da", "nb", "no", "nn", "fi", "cs", "sk", "hu", "hr", "sr"))
_ORDINALS |= frozenset(("bs", "sl", "pl", "lb", "et", "lv", "is", "tr"))
"""Languages that write ordinal numbers with a full stop ("am 3. Mai")."""
_NOUNS_HAVE_CAPITALS = frozenset(("de", "lb"))


def find_sentence_spans(passage: str, language: str | None) -> Iterator[tuple[int, int]]:
    """The sentences of a passage as offsets, without the white space at their ends; takes time in its length."""
    base = base_language(language)
    start = 0
    first = _first_letter(passage, start)
    for match in _stop_pattern(base).finditer(passage):
        if match.end() < len(passage) and _ends_here(passage, match, start, first, base):
            yield strip_span(passage, start, match.end())
            start = match.end()
            first = _first_letter(passage, start)
    start, end = strip_span(passage, start, len(passage))
    if start < end:
        yield start, end


def ends_with_stop(text: str, language: str | None = None) -> bool:
    """Whether a text ends as sentences do: with a stop, and whatever closes behind it."""
    return _final_stop(_OWN_STOPS.get(base_language(language), "")).search(text[-20:].rstrip()) is not None


def strip_span(passage: str, start: int, end: int) -> tuple[int, int]:
    """The span of a passage without the white space at its ends."""
    while start < end and passage[start].isspace():
        start += 1
    while start < end and passage[end - 1].isspace():
        end -= 1
    return start, end


@cache
def _final_stop(own: str) -> re.Pattern[str]:
    return re.compile(rf"[{_ALL_STOPS}{own}](?:[{_NO_BREAK} ]?[{re.escape(CLOSERS)}])*\Z")


@cache
def _stop_pattern(base: str) -> re.Pattern[str]:
    closers, wide_closers = re.escape(CLOSERS), re.escape(_WIDE_CLOSERS)
    stops = _STOPS + _OWN_STOPS.get(base, "")
    # French has a space inside its quotation marks, and where nobody cared it is one that breaks.
    inner = f"[{_NO_BREAK} ]" if base == "fr" else f"[{_NO_BREAK}]"
    return re.compile(
        rf"(?P<wide>[{_WIDE_STOPS}][{_ALL_STOPS}]*)"
        rf"(?P<wide_closers>(?:[{wide_closers}]|‘‘)*(?:[{_ALL_STOPS}]+[{wide_closers}]*)*){_NOTE}"
        rf"|(?<=[{_CJK}])(?P<dense>[.!?]+)(?P<dense_closers>[{wide_closers}]*)(?=[{_CJK}“「『（《])"
        rf"|(?P<stop>[{stops}]+(?: [{stops}]+(?=\s|\Z))*)(?P<closers>(?:{inner}?[»›]|[{closers}])*){_NOTE}(?=\s|\Z)"
    )


def _first_letter(passage: str, start: int) -> int:
    """Offset of the first character of a sentence that is no space, opening quote or bracket."""
    while start < len(passage) and (passage[start].isspace() or passage[start] in OPENERS):
        start += 1
    return start


def _ends_here(passage: str, match: re.Match[str], start: int, first: int, base: str) -> bool:
    """Whether the stop ends the sentence that begins at ``start`` and has its first letter at ``first``."""
    if match["wide"] or match["dense"]:
        return _ends_dense(passage, match, start, first, base)
    if match.start() <= first:
        return False  # "... and then", "¿? What"
    if passage[match.start() - 1] in "[(" and match["closers"][:1] in ("]", ")"):
        return False  # "[...]"
    if match["closers"] and (speech := _speech(base)) and speech.match(passage, match.end(), match.end() + 80):
        return False
    rest = passage[match.end() : match.end() + 80].lstrip().lstrip(OPENERS).lstrip()
    if _ELLIPSIS.match(rest) and _ELLIPSIS.search(match["stop"]):
        return rest.lstrip(".… ")[:1].isupper()  # "I was going... ...to tell you"
    if rest[:1].islower() and _is_cased(passage, match.start()):
        return False
    if not match["closers"] and _is_inside(passage, start, match.end(), first, brackets_only=True):
        return False
    if match["stop"] != ".":
        return not _is_stammer(passage[max(first, match.end() - _BEFORE) : match.end()], rest)
    return not _is_abbreviation(passage, match, first, rest, base)


def _is_cased(passage: str, end: int) -> bool:
    """Whether the letter before a stop is of a script with capitals, so that a small one behind it tells something."""
    while end > 0 and not passage[end - 1].isalnum() and passage[end - 1] in CLOSERS + _NO_BREAK + " ":
        end -= 1
    last = passage[end - 1 : end]
    return not last.isalpha() or last.lower() != last.upper()


def _is_stammer(sentence: str, rest: str) -> bool:
    """Whether a hesitation repeats its word: "maybe… Maybe not"."""
    before, after = _WORD_BEFORE.search(sentence), _WORD_BEHIND.match(rest)
    if before is None or after is None:
        return False
    said, again = before.group().lower(), after.group().lower()
    return again == said or (is_spaceless(said) and again.startswith(said))


# Stops of scripts in which no space is needed behind them.


def _ends_dense(passage: str, match: re.Match[str], start: int, first: int, base: str) -> bool:
    end = match.end()
    behind = match["wide_closers"] or match["dense_closers"] or ""
    closers = behind.rstrip(_ALL_STOPS)
    if not closers:
        if match["wide"] == "．" and _NARROW.match(passage, match.start() - 1) and _NARROW.match(passage, end):
            return False
        return match.start() > first and not _is_inside(passage, start, match.start(), first)
    if closers != behind:
        return True
    closer = closers[-1]
    opener = passage.rfind(_CLOSING.get(closer, closer), max(start, end - 4 * _EMBEDDED_LONGEST), match.start())
    speech = _speech(base) or _speech("ja")
    if speech is not None and speech.match(passage, end, end + 80):
        return False
    return opener < first or (closer not in _BRACKETS and _is_speech(passage, opener))


def _is_speech(passage: str, opener: int) -> bool:
    """Whether a quotation is announced by a colon or a comma; one that is not is a part of its sentence."""
    return passage[max(0, opener - 3) : opener].rstrip()[-1:] in _SPEECH_MARKS


def _is_inside(passage: str, start: int, place: int, first: int, *, brackets_only: bool = False) -> bool:
    """Whether a place is inside a bracket, or a quotation that is a part of its sentence, which soon closes."""
    begin = max(start, place - _EMBEDDED_LONGEST)
    for closer in _BRACKETS if brackets_only else _CLOSING:
        opened = passage.rfind(_CLOSING[closer], begin, place)
        if opened > first and passage.find(closer, opened, place) < 0:
            is_part = closer in _BRACKETS or not _is_speech(passage, opened)
            if is_part and passage.find(closer, place, place + _EMBEDDED_LONGEST) >= 0:
                return True
    return False


# The full stop.


def _is_abbreviation(passage: str, match: re.Match[str], first: int, rest: str, base: str) -> bool:
    """Whether the full stop belongs to what stands before it: an abbreviation, an initial, an ordinal number."""
    place = match.start()
    before = passage[max(first, place - _BEFORE) : place]
    token = found.group() if (found := _TOKEN_BEFORE.search(before)) else ""
    ahead = before[: len(before) - len(token)]
    is_first = place - len(token) <= first
    if script_pattern("Thai", "Lao").match(before[-1:]) and not match["closers"]:
        return True  # their sentences end without one
    if passage[match.end()] in _NO_BREAK and not match["closers"] and len(token) <= 4:
        return True
    parts = _PARTS_BEFORE.search(before)
    pieces = "".join(parts.group().split()).lower().split(".") if parts else [""]
    # The abbreviation, and each of its ends: "dr.h.c", "h.c", "c".
    written = {token.lower(), *(".".join(pieces[number:]) for number in range(len(pieces)))}
    if written & list_sentence_words("maybe_last", base):
        return not _may_begin(rest, base, names=bool(written & list_sentence_words("before_names", base)))
    if token.isdecimal():
        return _is_ordinal(token, ahead, rest, base, is_first=is_first)
    if base in _ORDINALS and _ROMAN.match(token) and rest[:1].isupper():
        return True
    return _is_short(token, written, ahead, rest, base, is_first=is_first)


def _is_ordinal(token: str, ahead: str, rest: str, base: str, *, is_first: bool) -> bool:
    """Whether the full stop behind a number belongs to it: "1." of a list, "3. Mai", "2026. 11. 22."."""
    if is_first:
        return True
    if base in ("ko", "hu") and (rest[:1].isdecimal() or _DATE_BEFORE.search(ahead)):
        return True
    if base not in _ORDINALS or len(token) > 2 or (rest[:1].isupper() and base not in _NOUNS_HAVE_CAPITALS):
        return False
    word = numbering[1].lower() if (numbering := _NUMBERING_BEFORE.search(ahead)) else ""
    return not (word in list_sentence_words("before_numbers", base) or word.endswith("str") or _may_begin(rest, base))


def _is_short(token: str, written: set[str], ahead: str, rest: str, base: str, *, is_first: bool) -> bool:
    """Whether a word with a full stop is short for another one, or for a name."""
    word = token.lower()
    if rest[:1].isupper() and _NUMBER_BEFORE.search(ahead) and word in list_sentence_words("behind_numbers", base):
        return False
    if _NUMBER.match(rest) and (word in list_sentence_words("before_numbers", base) or _is_unit(token, ahead)):
        return True
    if base == "en" and word == "st" and ahead.rstrip()[-1:].isalpha() and _is_name(ahead):
        return not rest[:1].isupper()  # "Fleet St."
    if base == "de" and word.endswith("str") and word != "str":
        return not _may_begin(rest, base)
    if written & list_sentence_words("never_last", base):
        return True
    if len(token) <= 2 and token[:1].isalpha() and not token[:1].islower() and _INITIAL.match(rest):
        return not (base == "en" and word == "i")
    acronym, _, last = token.rpartition(".")
    if acronym and _may_begin(rest, base, names=True):
        return False
    if len(last) != 1 or not _is_initial(last) or (base == "en" and token == "I") or ahead.endswith('"'):
        return False
    return not last.islower() or _PART.match(rest) is not None  # small ones are words too: "è", "y", "я"


def _is_unit(token: str, ahead: str) -> bool:
    """Whether it is short for a unit of the number before it: "5 ft. 3 in."."""
    return len(token) <= 3 and token.islower() and _NUMBER_BEFORE.search(ahead) is not None


def _is_initial(letter: str) -> bool:
    """Whether one letter may stand for a name; a syllable of Korean is a word."""
    return letter.isalpha() and (letter.lower() != letter.upper() or "\u0590" <= letter <= "\u06ff")


def _is_name(ahead: str) -> bool:
    """Whether the last word begins with a capital and is not the first one."""
    words = ahead.split()
    return len(words) > 1 and words[-1][:1].isupper()


def _may_begin(rest: str, base: str, *, names: bool = False) -> bool:
    """Whether what follows may begin a sentence; where capitals say little it must be a word that often does."""
    if not rest[:1].isupper() and rest[:1].lower() != rest[:1].upper():
        return False
    if not names and base not in _NOUNS_HAVE_CAPITALS:
        return True
    openings = list_sentence_words("openings", "de" if base == "lb" else base)
    return (word := _FIRST_WORD.match(rest)) is not None and word.group().lower() in openings


def list_sentence_words(kind: str, base: str) -> frozenset[str]:
    """A list of ``sentence_words.toml`` for a language, with what counts in any."""
    return list_words(kind, base, "sentence_words")


@cache
def _speech(base: str) -> re.Pattern[str] | None:
    pattern = read_lists("sentence_words")["speech"].get(base)
    return None if pattern is None else re.compile(pattern)
