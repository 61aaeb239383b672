"""CC-CEDICT and what is written like it (HanDeDict, CFDICT, CC-Canto): ``繁 简 [pin1 yin1] /sense/sense/``.

Source: https://cc-cedict.org/wiki/format:syntax; its second version has whole words in two brackets, ``[[tian1qi4]]``.
Comments begin with ``#``, and those with ``#!`` are fields. CC-Canto has Jyutping in braces behind the pinyin, which is
read over.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tui import bounds
from tui.dictionaries import fields
from tui.dictionaries.dictionary_file import DictionaryFile, Progress, open_unpacked
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, Sense

LINE = re.compile(
    r"(?P<hant>[^\s\[\]/]{1,300}) (?P<hans>[^\s\[\]/]{1,300}) \[{1,2}(?P<pinyin>[^\[\]]{0,500})\]{1,2} "
    r"(?:\{[^{}]{0,500}\} )?/(?P<senses>.+)/\s*\Z"
)
_FIELD = re.compile(r"#!\s*(\w{1,40})\s*=\s*(.{0,300})")
_WORD = re.compile(
    r"(?:(?P<hant>[^\s|\[\]/,;(（]{1,40})\|)?(?P<hans>[^\s|\[\]/,;(（]{1,40})"
    r"\[{1,2}(?P<pinyin>[A-Za-z0-9:,· ]{1,100})\]{1,2}"
)
"""A Chinese word within a sense, in one or both writings, with its pinyin: ``個|个[ge4]``."""
_POINTS_TO = re.compile(r"(?:(?:old |erhua |archaic |ancient |Taiwan |Japanese )?variant of|see|alternative form of) ")
_MEASURE_WORDS = "CL:"
_MAX_LINE_LENGTH = bounds.CEDICT.entry_bytes
"""Maximum bytes of a line, in which words with pinyin are looked for; the longest of CC-CEDICT has 1 500."""
_HEADER_LINES = 200
_SAMPLE_ROWS = 400
_LICENCES = (("by-sa/4.0", "CC BY-SA 4.0"), ("by-sa/3.0", "CC BY-SA 3.0"), ("by-sa/2.0", "CC BY-SA 2.0"))


class CedictFile(DictionaryFile):
    """A dictionary in CC-CEDICT's format that is open."""

    without_rows = ("has no line such as 天氣 天气 [tian1 qi4] /weather/", "check that it is CC-CEDICT")

    def __init__(self, path: Path, shown: str) -> None:
        super().__init__(shown)
        self._path = path
        self.info = self._described()

    def _read(self, progress: Progress) -> Iterator[DictionaryEntry | None]:
        for line in self._lines_of(self._path, progress):
            if line is None or (line.strip() and not line.startswith((b"#", b"\xef\xbb\xbf#"))):
                yield _entry(line)

    def _described(self) -> DictionaryInfo:
        comments: list[str] = []
        glosses: list[str] = []
        with open_unpacked(self._path, self._shown) as file:
            for line in islice(file.lines(), _HEADER_LINES + _SAMPLE_ROWS):
                text = fields.clean_line(_decode(line or b""), fields.MAX_NOTE_LENGTH)
                if text.startswith("#"):
                    comments.append(text)
                elif match := LINE.match(text):
                    glosses.append(match["senses"].replace("/", "\n"))
        named = {match[1]: match[2].strip() for each in comments if (match := _FIELD.match(each))}
        said = [each.lstrip("# ") for each in comments if not each.startswith("#!")]
        title = next(filter(None, said), "CC-CEDICT")
        licence = named.get("license", "") or next((each for each in said if "creativecommons.org" in each), "")
        publisher = fields.clean_line(named.get("publisher", ""))
        return DictionaryInfo(
            title=fields.clean_line(title),
            format="cedict",
            revision=fields.clean_line(named.get("date", "")),
            source_language="zh",
            target_language="en" if "CEDICT" in title else fields.guess_language_of(glosses),
            author=publisher,
            url=next((each for each in said if each.startswith("https://")), ""),
            description=fields.clean_text("\n".join(filter(None, said)), fields.MAX_NOTE_LENGTH),
            attribution=", ".join(filter(None, (fields.clean_line(title), publisher))),
            license=next((name for mark, name in _LICENCES if mark in licence), fields.clean_line(licence)),
        )


def _decode(line: bytes) -> str:
    return line.decode("utf-8", "replace").removeprefix("\ufeff")


def _entry(line: bytes | None) -> DictionaryEntry | None:
    """The entry of a line: its simplified writing, with the traditional one as a form where that is another."""
    match = LINE.match(_decode(line)) if line is not None and len(line) <= _MAX_LINE_LENGTH else None
    if match is None or not (term := fields.clean_term(match["hans"])):
        return None
    senses: list[Sense] = []
    lemmas: list[str] = []
    for text in filter(None, map(str.strip, match["senses"].split("/")[: fields.MAX_SENSES])):
        if points := _POINTS_TO.match(text):
            pointed = text[points.end() :]
            if not _WORD.sub("", pointed).strip(" ,;."):  # else it goes on to say something of these words
                lemmas += (fields.clean_term(word["hans"]) for word in _WORD.finditer(pointed))
        shown = fields.clean_text(_WORD.sub(_with_reading, text))
        if text.startswith(_MEASURE_WORDS):
            shown = "measure word: " + shown.removeprefix(_MEASURE_WORDS).replace(",", ", ")
        glosses = (shown,) if "(" in shown else tuple(filter(None, map(str.strip, shown.split(";"))))
        if glosses:
            senses.append(Sense(glosses))
    if not senses:
        return None
    return DictionaryEntry(
        term=term,
        reading=fields.clean_term(add_tone_marks(match["pinyin"])),
        senses=tuple(senses),
        forms=fields.drop_repetitions((fields.clean_term(match["hant"]),), without=term),
        lemmas=fields.drop_repetitions(lemmas, without=term),
    )


def _with_reading(match: re.Match[str]) -> str:
    return f"{match['hans']}[{add_tone_marks(match['pinyin'])}]"


_SYLLABLE = re.compile(r"([A-Za-zÜü:Ê ê]{1,8})([1-5])\Z")
_SPELLED_WORD = re.compile(r"(?:[A-Za-zÜü:Êê]{1,8}[1-5]['-]?){2,30}\Z")
"""A whole word without spaces, as the second version of CC-CEDICT writes them: "tian1qi4"."""
_TONES = ("\u0304", "\u0301", "\u030c", "\u0300", "")
"""Marks of the tones, which combine with the letter before them."""
_VOWELS = "aeiouüê"


def add_tone_marks(numbered: str) -> str:
    """Write numbered syllables with tone marks as one word; what is no syllable (letters, commas) stands apart.

    A capital begins a word of its own, and an apostrophe parts a syllable that begins with a vowel: "Xī'ān".
    """
    words: list[str] = []
    joins = False
    for token in numbered.split():
        if _SPELLED_WORD.match(token):
            words.append(add_tone_marks(re.sub(r"([1-5])['-]?", r"\1 ", token)))
            joins = False
        elif match := _SYLLABLE.match(token):
            syllable = _marked(match[1].replace("u:", "ü").replace("U:", "Ü"), int(match[2]))
            if joins and not syllable[0].isupper():
                words[-1] += f"'{syllable}" if match[1][0] in "aeo" else syllable
            else:
                words.append(syllable)
            joins = True
        else:
            if words and token in ",，、;":
                words[-1] += token
            else:
                words.append(token)
            joins = False
    return " ".join(words)


def _marked(syllable: str, tone: int) -> str:
    """The syllable with its mark: on an a or e, on the o of ou, else on the last vowel."""
    if syllable in ("r", "R"):
        return syllable
    lower = syllable.lower()
    place = next((lower.index(each) for each in ("a", "e", "ou") if each in lower), -1)
    if place < 0:
        place = max((at for at, letter in enumerate(lower) if letter in _VOWELS), default=-1)
    if place < 0:
        place = next((at for at, letter in enumerate(lower) if letter in "mn"), -1)
    if place < 0:
        return syllable
    marked = syllable[: place + 1] + _TONES[tone - 1] + syllable[place + 1 :]
    return unicodedata.normalize("NFC", marked)
