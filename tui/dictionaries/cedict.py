"""CC-CEDICT and what is written like it (HanDeDict, CFDICT, CC-Canto): ``繁 简 [pin1 yin1] /sense/sense/``.

Source: https://cc-cedict.org/wiki/format:syntax; its second version has whole words in two brackets, ``[[tian1qi4]]``.
Comments begin with ``#``, and those with ``#!`` are fields. CC-Canto has Jyutping in braces behind the pinyin, which is
read over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tui import bounds
from tui.dictionaries.dictionary_file import (
    MAX_NOTE_LENGTH,
    MAX_SENSES,
    Progress,
    clean_line,
    clean_term,
    clean_text,
    drop_repetitions,
    guess_language_of,
    refused,
)
from tui.dictionaries.text_lines import UnpackedFile, read_lines, read_rows
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, DictionaryRow, Sense

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


class CedictFile:
    """A dictionary in CC-CEDICT's format that is open."""

    def __init__(self, path: Path, shown: str) -> None:
        self._path, self._shown = path, shown
        self.skipped = 0
        self.info = self._described()
        self._file: UnpackedFile | None = None

    def rows(self, progress: Progress) -> Iterator[DictionaryRow]:
        self._file = file = UnpackedFile(self._path, self._shown)
        made = 0
        for line in read_rows(file, self._shown, progress):
            if line is not None and (not line.strip() or line.startswith((b"#", b"\xef\xbb\xbf#"))):
                continue
            entry = _entry(line)
            if entry is None:
                self.skipped += 1
            else:
                made += 1
                yield entry
        if not made:
            raise refused(
                self._shown, "has no line such as 天氣 天气 [tian1 qi4] /weather/", "check that it is CC-CEDICT"
            )

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _described(self) -> DictionaryInfo:
        comments: list[str] = []
        glosses: list[str] = []
        file = UnpackedFile(self._path, self._shown)
        try:
            for line, _ in zip(read_lines(file), range(_HEADER_LINES + _SAMPLE_ROWS), strict=False):
                text = clean_line((line or b"").decode("utf-8", "replace").removeprefix("\ufeff"), MAX_NOTE_LENGTH)
                if text.startswith("#"):
                    comments.append(text)
                elif match := LINE.match(text):
                    glosses.append(match["senses"].replace("/", "\n"))
        finally:
            file.close()
        fields = {match[1]: match[2].strip() for each in comments if (match := _FIELD.match(each))}
        said = [each.lstrip("# ") for each in comments if not each.startswith("#!")]
        title = next(filter(None, said), "CC-CEDICT")
        licence = fields.get("license", "") or next((each for each in said if "creativecommons.org" in each), "")
        publisher = clean_line(fields.get("publisher", ""))
        return DictionaryInfo(
            title=clean_line(title),
            format="cedict",
            revision=clean_line(fields.get("date", "")),
            source_language="zh",
            target_language="en" if "CEDICT" in title else guess_language_of(glosses),
            author=publisher,
            url=next((each for each in said if each.startswith("https://")), ""),
            description=clean_text("\n".join(filter(None, said))[:MAX_NOTE_LENGTH]),
            attribution=", ".join(filter(None, (clean_line(title), publisher))),
            license=next((name for mark, name in _LICENCES if mark in licence), clean_line(licence)),
        )


def _entry(line: bytes | None) -> DictionaryEntry | None:
    """The entry of a line: its simplified writing, with the traditional one as a form where that is another."""
    if line is None or len(line) > _MAX_LINE_LENGTH:
        return None
    match = LINE.match(line.decode("utf-8", "replace").removeprefix("\ufeff"))
    term = clean_term(match["hans"]) if match else ""
    if match is None or not term:
        return None
    traditional = clean_term(match["hant"])
    senses: list[Sense] = []
    lemmas: list[str] = []
    for part in match["senses"].split("/")[:MAX_SENSES]:
        text = part.strip()
        if not text:
            continue
        if points := _POINTS_TO.match(text):
            lemmas += _only_words(text[points.end() :])
        shown = clean_text(_WORD.sub(_with_reading, text))
        if text.startswith(_MEASURE_WORDS):
            shown = "measure word: " + shown.removeprefix(_MEASURE_WORDS).replace(",", ", ")
        glosses = (shown,) if "(" in shown else tuple(filter(None, map(str.strip, shown.split(";"))))
        if glosses:
            senses.append(Sense(glosses))
    if not senses:
        return None
    return DictionaryEntry(
        term=term,
        reading=clean_term(add_tone_marks(match["pinyin"])),
        senses=tuple(senses),
        forms=(traditional,) if traditional and traditional != term else (),
        lemmas=drop_repetitions(lemmas, without=term),
    )


def _only_words(text: str) -> list[str]:
    """The words that a text is all made of, "見|见[jian4]"; none where it goes on to say something of them."""
    rest = _WORD.sub("", text)
    return [clean_term(match["hans"]) for match in _WORD.finditer(text)] if not rest.strip(" ,;.") else []


def _with_reading(match: re.Match[str]) -> str:
    return f"{match['hans']}[{add_tone_marks(match['pinyin'])}]"


_SYLLABLE = re.compile(r"([A-Za-zÜü:Ê ê]{1,8})([1-5])\Z")
_SPELLED_WORD = re.compile(r"(?:[A-Za-zÜü:Êê]{1,8}[1-5]['-]?){2,30}\Z")
"""A whole word without spaces, as the second version of CC-CEDICT writes them: "tian1qi4"."""
_MARKS = {
    "a": "āáǎàa",
    "e": "ēéěèe",
    "i": "īíǐìi",
    "o": "ōóǒòo",
    "u": "ūúǔùu",
    "ü": "ǖǘǚǜü",
    "ê": ("ê̄", "ế", "ê̌", "ề", "ê"),
    "m": ("m̄", "ḿ", "m̌", "m̀", "m"),
    "n": ("n̄", "ń", "ň", "ǹ", "n"),
}
_VOWELS = "aeiouüê"


def add_tone_marks(numbered: str) -> str:
    """Write numbered syllables with tone marks as one word; what is no syllable (letters, commas) stands apart.

    A capital begins a word of its own, and an apostrophe parts a syllable that begins with a vowel: "Xī'ān".
    """
    text = ""
    joins = False
    for token in numbered.split():
        if _SPELLED_WORD.match(token):
            word = add_tone_marks(re.sub(r"([1-5])['-]?", r"\1 ", token))
            text += f" {word}" if text else word
            joins = False
            continue
        match = _SYLLABLE.match(token)
        if match is None:
            text += token if not text or token in ",，、;" else f" {token}"
            joins = False
            continue
        syllable = _marked(match[1].replace("u:", "ü").replace("U:", "Ü"), int(match[2]))
        if not joins or syllable[0].isupper():
            text += f" {syllable}" if text else syllable
        else:
            text += f"'{syllable}" if match[1][0] in "aeo" else syllable
        joins = True
    return text


def _marked(syllable: str, tone: int) -> str:
    """The syllable with its mark: on an a or e, on the o of ou, else on the last vowel."""
    if syllable in ("r", "R"):
        return syllable
    lower = syllable.lower()
    place = next((lower.index(each) for each in ("a", "e", "ou") if each in lower), -1)
    if place < 0:
        place = max((at for at, letter in enumerate(lower) if letter in _VOWELS), default=-1)
    if place < 0:
        place = next((at for at, letter in enumerate(lower) if letter in _MARKS), -1)
    if place < 0:
        return syllable
    mark = _of_tone(lower[place], tone)
    return syllable[:place] + (mark.upper() if syllable[place].isupper() else mark) + syllable[place + 1 :]


def _of_tone(letter: str, tone: int) -> str:
    """The letter with the mark of the tone; some have no character for both."""
    return _MARKS[letter][tone - 1]
