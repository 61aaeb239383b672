"""Mojibake detection: how well a decoded text reads, or whether its bytes are in another encoding.

A wrong encoding leaves traces: control characters, signs inside words, capitals behind small letters, two alphabets in
one word, letters that the language does not have, and hardly any of its commonest words.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from tui.language.detection import common_words
from tui.language.scripts import RANGES, list_common_characters, list_letters, script_pattern

_MARKUP = re.compile(r"<[^<>\n]{1,300}>|\{[^{}\n]{1,300}\}")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ALPHABETS = ("Latin", "Greek", "Cyrillic", "Armenian", "Hebrew", "Arabic", "Georgian", "Thai")
_CASED = "".join(RANGES[name] for name in _ALPHABETS[:-1])
_CJK = "".join(RANGES[name] for name in ("Han", "Hiragana", "Katakana", "Hangul"))
_WORD = re.compile(r"[^\W\d_]\w*(?:['’][^\W\d_]+)*")
_INSIDE = re.compile(rf"(?<=[{_CASED}])[^\x00-\x7f](?=[{_CASED}])")
_INNER = "'’‘´ʼ·‐‑–—―…/־׳״\u00ad\u200b\u200c\u200d\u200e\u200f\xa0\u202f\u2009"
"""Signs between two letters of an alphabet that are no letters."""
_BESIDE = re.compile(rf"[¹³¶¦¬÷¸¨¯](?=[{_CASED}])|(?<=[{_CASED}])[¶¦¬±½¼¾÷¸¨¯]")
"""Signs that stand before or behind a word, but apart from it."""
_NEXT_LINE = "\x85"
"""A control that counts as white space, and is what an ellipsis becomes in a wrong encoding."""
_ORDINARY = frozenset("♪♫♬♩★☆●○■□◆◇▲△▼▽→←↑↓↔⇒※°©®™№€£¥−×÷²³½¼¾±")
_STRAY_MARK = re.compile(
    r"(?:^|[\s\d.,!?])[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]", re.MULTILINE
)
_END_INSIDE = re.compile("[ךםןףץ][א-ת]|ς[α-ωά-ώ]")
"""Letters that only end a word, in front of another."""
_LATIN_AROUND = re.compile(f"[A-Za-z][{_CJK}]{{1,2}}[a-z]")
_SCRIPTS = {
    "ja": ("Han", "Hiragana", "Katakana"),
    "zh-Hans": ("Han",),
    "zh-Hant": ("Han",),
    "ko": ("Hangul", "Han"),
    "th": ("Thai",),
    **dict.fromkeys(("he", "yi"), ("Hebrew",)),
    **dict.fromkeys(("ar", "fa", "ur"), ("Arabic",)),
}
"""Scripts of languages whose letters need not be told apart."""
_MARKED_LATIN = frozenset(map(chr, range(0xC0, 0x250)))
_MAX_MARKED_SHARE = 0.5
"""Largest share of letters with marks in a text in Latin letters; in Czech it is a quarter. Vietnamese has more."""
_WHOLE, _MARKED, _UNKNOWN = 0.25, 0.15, 0.1
"""The share of commonest words in running text, and among its words with letters beyond ASCII; what a language without
a list of them gets."""
_FEWEST_WORDS = 8
"""Minimum words to divide by: one common word in a text of two says less than one in eight."""
_COMMON_HAN, _COMMON_HIRAGANA, _COMMON_THAI = 0.35, 0.3, 0.25


@dataclass(frozen=True, slots=True)
class Plausibility:
    """The score of a text read as ``language``, a key of ``USUAL_ENCODINGS``.

    ``fit`` is how many of the characters beyond ASCII stand where such ones stand (0 to 1), ``words`` how much of what
    its commonest words should be there is there (0 to 1).
    """

    language: str
    fit: float
    words: float

    @property
    def score(self) -> float:
        """Sum of both, from 0 to 2."""
        return self.fit + self.words


class Reading:
    """A decoded text of at most some thousand characters, made ready to be judged in several languages.

    Only what is beyond ASCII is judged: the rest is the same in nearly every encoding.
    """

    def __init__(self, text: str) -> None:
        plain = unicodedata.normalize("NFC", _MARKUP.sub(" ", text))
        words = _WORD.findall(plain)
        self._plain = plain
        self._beyond = Counter(char for char in plain if char > "\x7f" and (not char.isspace() or char == _NEXT_LINE))
        self._letters = {char: n for char, n in self._beyond.items() if char.isalpha()}
        self.letters = sum(self._letters.values())
        """Number of letters beyond ASCII."""
        self._plain_letters = sum(map(len, words)) - self.letters
        self._tokens = Counter(word.replace("’", "'").lower() for word in words)
        self._marked = sum(n for token, n in self._tokens.items() if not token.isascii())
        garbage = sum(n for char, n in self._beyond.items() if _is_garbage(char)) + len(_CONTROLS.findall(plain))
        self.has_garbage = garbage > 0
        """Whether the text has controls or characters that are none."""
        self._disturbed = 4 * garbage + 2 * _oddities(plain, words, self._beyond)
        self.characters = sum(self._beyond.values()) + garbage
        """Number of characters that are judged: those beyond ASCII, and controls."""
        self.is_ascii = not self._beyond and not garbage

    @property
    def soundness(self) -> float:
        """The share of those characters that stand where such ones stand in any language at all (0 to 1)."""
        return 1.0 - min(1.0, self._disturbed / max(1, self.characters))

    def best(self, languages: Iterable[str]) -> Plausibility:
        """Judge the text in these languages; gives the best, the first of equals, or one without a language."""
        judged = (self.judge(language) for language in languages)
        return max(judged, key=lambda each: each.score, default=Plausibility("", self.soundness, 0.0))

    def judge(self, language: str) -> Plausibility:
        if self.is_ascii:
            return Plausibility(language, 1.0, 1.0)
        wrong = (self._disturbed + self._foreign(language)) / max(1, self.characters)
        return Plausibility(language, 1.0 - min(1.0, wrong + self._excess(language)), self._common(language))

    def _foreign(self, language: str) -> int:
        """Count the letters that are none of the language's."""
        own = list_letters(language)
        if own is not None:
            return sum(n for char, n in self._letters.items() if char not in own)
        foreign = self.letters - self._count(*_SCRIPTS[language])
        if language == "ko":  # Chinese characters are rare by now
            return foreign + max(0, self._count("Han") - self.letters // 10)
        if language == "ja":  # letters of half width stand in for others, they do not go with them
            half = sum(n for char, n in self._letters.items() if "\uff66" <= char <= "\uff9f")
            return foreign + max(0, half - self._count("Hiragana"))
        return foreign

    def _excess(self, language: str) -> float:
        """The penalty of a text in Latin letters that nearly all have marks."""
        own = list_letters(language)
        if own is None or language == "vi" or self.letters < 8 or not own & _MARKED_LATIN:
            return 0.0
        return max(0.0, self.letters / (self.letters + self._plain_letters) - _MAX_MARKED_SHARE) * 3

    def _count(self, *scripts: str) -> int:
        own = script_pattern(*scripts)
        return sum(n for char, n in self._letters.items() if own.match(char))

    def _common(self, language: str) -> float:
        letters = max(_FEWEST_WORDS, self.letters)
        if characters := list_common_characters(language):
            return min(1.0, sum(self._letters.get(char, 0) for char in characters) / letters / _COMMON_HAN)
        if language == "ja":
            return min(1.0, self._count("Hiragana") / letters / _COMMON_HIRAGANA)
        if language == "th":
            return min(1.0, sum(map(len, _thai_words().findall(self._plain))) / letters / _COMMON_THAI)
        ascii_words, others = _commonest(language)
        if not others and not ascii_words:
            return _UNKNOWN
        common = sum(self._tokens[word] for word in others)
        marked = common / max(_FEWEST_WORDS, self._marked)
        if not ascii_words:
            return min(1.0, marked / _WHOLE)
        whole = (common + sum(self._tokens[word] for word in ascii_words)) / max(_FEWEST_WORDS, self._tokens.total())
        return 0.5 * min(1.0, whole / _WHOLE) + 0.5 * min(1.0, marked / _MARKED)


def _oddities(plain: str, words: list[str], beyond: Counter[str]) -> int:
    """Count the characters beyond ASCII that stand where none stands in any language."""
    odd = sum(sum(char > "\x7f" for char in word) for word in words if not word.isascii() and _is_disturbed(word))
    odd += sum(_is_no_letter(char) for char in _INSIDE.findall(plain))
    odd += sum(n for char, n in beyond.items() if _is_strange(char))
    return odd + len(_BESIDE.findall(plain)) + len(_STRAY_MARK.findall(plain))


@cache
def _is_garbage(char: str) -> bool:
    """Whether it is a control, of private use, not assigned, or what stands for bytes that do not fit."""
    return char == "\ufffd" or unicodedata.category(char) in ("Cc", "Co", "Cn", "Cs")


@cache
def _is_strange(char: str) -> bool:
    """Whether it is a sign that subtitles do not have: box drawing, most of mathematics, loose accents."""
    return char not in _ORDINARY and (
        unicodedata.category(char) in ("Sm", "Sk", "No", "Sc", "Me") or "\u2500" <= char <= "\u259f"
    )


@cache
def _is_no_letter(char: str) -> bool:
    return not char.isalpha() and char not in _INNER and unicodedata.category(char)[0] != "M"


def _is_disturbed(word: str) -> bool:
    """Whether the word mixes alphabets, has a capital behind a small letter, or one that ends words inside."""
    if sum(script_pattern(name).search(word) is not None for name in _ALPHABETS) > 1:
        return True
    if _END_INSIDE.search(word) or _LATIN_AROUND.search(word):
        return True
    return any(a.islower() and b.isupper() and not (a.isascii() and b.isascii()) for a, b in pairwise(word))


@cache
def _commonest(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """The commonest words in ASCII letters, and the others."""
    words = common_words().get(language, ())
    return frozenset(filter(str.isascii, words)), frozenset(word for word in words if not word.isascii())


@cache
def _thai_words() -> re.Pattern[str]:
    return re.compile("|".join(sorted(common_words()["th"], key=len, reverse=True)))
