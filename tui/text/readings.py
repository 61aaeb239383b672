"""Readings of a cue: where each stands behind the characters that it reads, and how the focused words are read.

What the cue itself says (furigana that its file had) goes before what a segmenter makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tui.language.scripts import convert_to_hiragana
from tui.text.sanitize import laid_out, one_line

if TYPE_CHECKING:
    from tui.language.word import Word
    from tui.language.word_form import WordForm
    from tui.records.transcripts import Cue, Ruby

_READING = re.compile(r"\[[^\]]*\]")
_KANA = re.compile(r"[\u3041-\u309f\u30a1-\u30fc]")
_RUNS = re.compile(rf"{_KANA.pattern}+|[^{_KANA.pattern[1:]}+")


@dataclass(frozen=True, slots=True)
class PlacedReading:
    """Reading that stands behind the code point before ``offset``."""

    offset: int
    text: str


def bracketed(reading: PlacedReading) -> str:
    """A reading as it stands in a line, as Anki writes furigana."""
    return f"[{one_line(reading.text)}]"


def with_readings(cue: Cue, words: Sequence[Word]) -> str:
    """The text of a cue with the readings in it: 昨日[きのう]は."""
    shown = laid_out(cue.text)
    text, at = "", 0
    for reading in placed_readings(cue, shown, words):
        text += shown[at : reading.offset] + bracketed(reading)
        at = reading.offset
    return text + shown[at:]


def furigana(text: str, words: Sequence[Word]) -> str:
    """The text with readings of words in it as Anki writes them, a space before what is read: これは 昨日[きのう]の.

    "" where no word has a reading, and where brackets in the text itself would be taken for readings.
    """
    if "[" in text or not any(word.reading for word in words):
        return ""
    written, at = "", 0
    for word in words:
        if word.reading is not None:
            start, reading = _characters(word, word.reading)
            # Anki takes one space away, so that one that stands there already needs another.
            written += text[at:start] + (" " if start else "") + text[start : reading.offset] + bracketed(reading)
            at = reading.offset
    return written + text[at:]


def word_furigana(text: str, reading: str) -> str:
    """A word with its reading as Anki writes it, behind each run of characters: 取[と]り 引[ひ]き.

    "" where nothing has to be read, and where the reading is not of this form: たべる of 食べた.
    """
    from tui.language.word_form import has_characters

    if not reading or not has_characters(text) or any(mark in text for mark in "[… "):
        return ""
    written, left = "", reading
    runs = _RUNS.findall(text)
    for at, run in enumerate(runs):
        kana, rest = convert_to_hiragana(run), convert_to_hiragana(left)
        if _KANA.match(run):
            if not rest.startswith(kana):
                return ""
            written, left = written + run, left[len(run) :]
            continue
        is_last, before = at >= len(runs) - 2, convert_to_hiragana(runs[at + 1]) if at + 1 < len(runs) else ""
        end = (len(left) - len(before)) if is_last else rest.find(before, 1)
        if end < 1:
            return ""
        written, left = f"{written} {run}[{left[:end]}]", left[end:]
    return "" if left else written.lstrip()


def is_reading_of(written: str, text: str) -> bool:
    """Whether this is what ``furigana`` writes of a text: no longer once somebody has changed the text."""
    return bool(written) and _without_readings(written) == _without_readings(text)


def _without_readings(text: str) -> str:
    return "".join(_READING.sub("", laid_out(text)).split())


def placed_readings(cue: Cue, shown: str, words: Sequence[Word]) -> tuple[PlacedReading, ...]:
    """The readings of a cue with their places in its text as it is shown, in order; of 食べ only 食 has one."""
    ruby = _ruby(cue, shown)
    placed = [PlacedReading(each.end, each.text) for each in ruby]
    placed += [
        _characters(word, word.reading)[1]
        for word in words
        if word.reading is not None and not any(each.start < word.end and word.start < each.end for each in ruby)
    ]
    return tuple(sorted(placed, key=lambda each: each.offset))


def focused_form(cue: Cue, shown: str, words: Sequence[Word], language: str | None) -> WordForm:
    """Dictionary form and reading of words that stand side by side in a cue."""
    from tui.language.word_form import join_forms

    form = join_forms(words, language)
    if words and (reading := _read_by_ruby(_ruby(cue, shown), shown, words[0].start, words[-1].end)):
        return replace(form, reading=reading)
    return form


def _ruby(cue: Cue, shown: str) -> tuple[Ruby, ...]:
    """The cue's own readings, none where the text had to be changed before it could be shown."""
    return cue.ruby if len(shown) == len(cue.text) else ()


def _read_by_ruby(ruby: Sequence[Ruby], text: str, start: int, end: int) -> str | None:
    """The reading of a part of the text, None unless the ruby in it and its kana say all of it."""
    from tui.language.word_form import has_characters

    inside = [each for each in ruby if start <= each.start and each.end <= end]
    if not inside:
        return None
    reading, at = "", start
    for each in inside:
        reading += text[at : each.start] + each.text
        at = each.end
    reading += text[at:end]
    return None if has_characters(reading) else reading


def _characters(word: Word, reading: str) -> tuple[int, PlacedReading]:
    """Start of the word's characters, and the reading behind them, without the kana that it begins or ends with."""
    text = convert_to_hiragana(word.text)
    first, last = 0, 0
    while first < min(len(text), len(reading)) and _KANA.match(text[first]) and text[first] == reading[first]:
        first += 1
    room = min(len(text), len(reading)) - first
    while last < room and _KANA.match(text[-1 - last]) and text[-1 - last] == reading[-1 - last]:
        last += 1
    return word.start + first, PlacedReading(word.end - last, reading[first : len(reading) - last] or reading)
