"""Transcriptions of a piece of sound, and how the answers of servers are read as such.

They are those of OpenAI's ``POST /v1/audio/transcriptions`` and of all that answer alike: ``verbose_json`` with
segments and words (OpenAI's whisper-1, Groq, speaches, vLLM, LocalAI), words that stand in their segments
(whisper.cpp), segments without anything else (Mistral), or a text alone (OpenAI's ``gpt-…-transcribe``). Servers send
numbers as texts, NaN, ends before starts, and null for a list: what cannot be believed is left out, and a text never.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tui import bounds
from tui.text.sanitize import without_controls

_MAX_TEXT = 100_000
"""Maximum characters of a piece's text, ten times as many as are said in five minutes of the fastest speech."""
_MAX_ROWS = bounds.TRANSCRIPTION.entries
"""Segments or words of a piece that are looked at."""
_LOOSE_MS = 500
"""How far outside its piece, or a word outside its segment, a time may lie and still be meant."""
_MAX_LANGUAGE = 40
"""Characters of a language's name."""


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A word as it stands in its segment, with the signs around it; times are milliseconds of the piece."""

    text: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text; its times are None where the model gives none. ``words`` are empty where it has none."""

    text: str
    start_ms: int | None = None
    end_ms: int | None = None
    words: tuple[HeardWord, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """Transcription of a piece, in the order of time; ``language`` is "" where the model does not say it."""

    segments: tuple[Segment, ...] = ()
    language: str = ""

    @property
    def text(self) -> str:
        return " ".join(each.text for each in self.segments)

    @property
    def has_times(self) -> bool:
        return all(each.start_ms is not None for each in self.segments)


def read_answer(value: Any, duration_ms: int) -> Heard:
    """Read a server's answer, decoded JSON, for a piece of so many milliseconds.

    Raises ``ValueError`` for what is no transcription.
    """
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        raise ValueError("no transcription")
    text, rows = value.get("text"), value.get("segments")
    if not isinstance(text, str) and not isinstance(rows, list):
        raise ValueError("no transcription")
    languages = (value.get("language"), *_list(value.get("languages")))
    language = next((said for each in languages if (said := _clean(each))), "")
    segments = list(_read_segments(rows, duration_ms))
    whole = _clean(text) if isinstance(text, str) else ""
    words = list(_read_words(value.get("words"), 0, duration_ms))
    if whole and len(_letters(" ".join(each.text for each in segments))) < len(_letters(whole)) // 2:
        segments = [Segment(whole)]  # segments that lack most of what was said are worth less than the text
    if words and not any(each.words for each in segments):
        segments = _with_words(segments, words, duration_ms)
    return Heard(tuple(segments), language if len(language) <= _MAX_LANGUAGE else "")


def _read_segments(rows: Any, duration_ms: int) -> Iterator[Segment]:
    last = length = 0
    for row in _rows(rows):
        text = _clean(row.get("text"))
        length += len(text)
        if not text or length > _MAX_TEXT:
            continue
        start, end = _milliseconds(row.get("start"), duration_ms), _milliseconds(row.get("end"), duration_ms)
        is_told = start is not None and end is not None and start < end and start >= last - _LOOSE_MS
        if not is_told or start is None or end is None or last >= duration_ms:
            yield Segment(text)
            continue
        start = max(start, last)
        last = end = max(end, start + 1)
        words = tuple(_read_words(row.get("words"), start, end))
        yield Segment(text, start, end, words if _are_of(words, text) else ())


def _read_words(rows: Any, begin_ms: int, end_ms: int) -> Iterator[HeardWord]:
    """Read the words of the stretch between two moments."""
    last = begin_ms
    for row in _rows(rows):
        text = row.get("word", row.get("text"))
        start, end = _milliseconds(row.get("start"), end_ms), _milliseconds(row.get("end"), end_ms)
        if not isinstance(text, str) or start is None or end is None or start < last - _LOOSE_MS:
            continue
        start = max(start, last)
        last = end = max(end, start)
        if (said := without_controls(text)).strip():
            yield HeardWord(said, start, end)


def _rows(rows: Any) -> Iterator[dict[str, Any]]:
    yield from (row for row in _list(rows) if isinstance(row, dict))


def _list(values: Any) -> list[Any]:
    return values[:_MAX_ROWS] if isinstance(values, list) else []


def _milliseconds(value: Any, duration_ms: int) -> int | None:
    """A time of the piece in milliseconds, of seconds as a number or as a text; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(seconds) or not -_LOOSE_MS <= seconds * 1000 <= duration_ms + _LOOSE_MS * 4:
        return None
    return min(max(0, round(seconds * 1000)), duration_ms)


def _clean(text: Any) -> str:
    return " ".join(without_controls(text).split())[:_MAX_TEXT] if isinstance(text, str) else ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _are_of(words: Iterable[HeardWord], text: str) -> bool:
    """Whether these are the words of the text."""
    return _letters("".join(each.text for each in words)) == _letters(text)


def _with_words(segments: Sequence[Segment], words: Sequence[HeardWord], duration_ms: int) -> list[Segment]:
    """The segments with their words, which stand beside them in one list.

    As they are where these are others, or said at another time.
    """
    found, at, last = list[Segment](), 0, 0
    for segment in segments:
        wanted, said, first = _letters(segment.text), "", at
        while at < len(words) and len(said) < len(wanted):
            said += _letters(words[at].text)
            at += 1
        while at < len(words) and not _letters(words[at].text):  # a sign that is a word of its own
            at += 1
        if said != wanted or first == at:
            return list(segments)
        own = tuple(words[first:at])
        start = max(last, own[0].start_ms if segment.start_ms is None else segment.start_ms)
        end = max(start + 1, own[-1].end_ms if segment.end_ms is None else segment.end_ms)
        if own[0].start_ms < start - _LOOSE_MS or own[-1].start_ms > end + _LOOSE_MS or end > duration_ms:
            return list(segments)
        last = end
        found.append(replace(segment, start_ms=start, end_ms=end, words=own))
    return found


# Inventions: models repeat themselves without end, and fill silence with what subtitles often end with.

_RATIO = 2.4
"""Compression ratio from which on a text repeats itself: Whisper's own threshold (openai/whisper, transcribe.py)."""
_LONG = 60
"""Characters from which on that ratio says something."""
_REPEATED = 4
"""Times that the same line comes one after the other until it is a loop: a song's refrain comes three times."""


def is_loop(text: str) -> bool:
    """Whether a text says the same again and again."""
    data = text.encode()
    return len(data) >= _LONG and len(data) / len(zlib.compress(data)) > _RATIO


def find_repeated(texts: Sequence[str]) -> set[int]:
    """The places of lines that come too often one after the other, but for the first of them."""
    found: set[int] = set()
    first = 0
    for at in range(1, len(texts) + 1):
        if at == len(texts) or not _letters(texts[at]) or _letters(texts[at]) != _letters(texts[first]):
            if at - first >= _REPEATED:
                found.update(range(first + 1, at))
            first = at
    return found
