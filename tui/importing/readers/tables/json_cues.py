"""Reader of JSON (.json, .jsonl) with cues: a list of objects that have times and text, under any of the usual names.

So write Whisper (``segments``), whisper.cpp (``transcription``, with ``offsets`` in milliseconds), OpenAI's
``verbose_json``, Transformers (``chunks``), Bilibili (``body``), TED, AssemblyAI, Deepgram, and Lode itself. Lists of
single words are passed over; of several lists with cues the first counts, as the others say the same once more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tui.importing.readers.ruby import marked
from tui.importing.readers.tables.columns import START, TEXT, Row, columns_of, cues_of, row_of
from tui.importing.readers.tables.json_objects import objects
from tui.records.transcripts import Cue
from tui.text.sanitize import one_line

_BEGINNING = re.compile(r"\s{0,1000}[\[{]\s{0,1000}[\"{\[]")
_SOME_TEXT = re.compile(rf"\"(?:{'|'.join(TEXT)})\"\s{{0,100}}:", re.IGNORECASE)
_SOME_START = re.compile(rf"\"(?:{'|'.join(START)})[\w -]{{0,12}}\"\s{{0,100}}:", re.IGNORECASE)
_LANGUAGE = re.compile(r"\"(?:language|lang|language_code)\"\s{0,100}:\s{0,100}\"([A-Za-z-]{2,35})\"")
_TITLE = re.compile(r"\"title\"\s{0,100}:\s{0,100}(\"(?:[^\"\\]|\\.){1,300}\")")
_HEAD_CHARACTERS = 50_000
_PASSED_OVER = frozenset(("words", "tokens", "chars", "word_segments", "comments"))
"""Names of lists of single words, and of what people wrote below a video."""


def is_json_cues(text: str) -> bool:
    """Whether this is JSON with objects that have a start and a text."""
    head = text[:_HEAD_CHARACTERS]
    return bool(_BEGINNING.match(head) and _SOME_TEXT.search(head) and _SOME_START.search(head))


def read_json_cues(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return cues_of(_rows(lines))


def json_language(text: str) -> str | None:
    """The language that the document names."""
    found = _LANGUAGE.search(text)
    return found[1] if found else None


def json_title(text: str) -> str | None:
    """The title that the document names before its cues."""
    found = _TITLE.search(text[:_HEAD_CHARACTERS])
    return str(json.loads(found[1], strict=False)) if found else None


def _rows(lines: Iterable[str]) -> Iterator[Row]:
    chosen: str | None = None
    for name, given in objects(lines):
        if name in _PASSED_OVER or (chosen is not None and name != chosen):
            continue
        row = _row(given)
        if row is not None and row.text and (name or row.start is not None):
            chosen = name
            yield row


def _row(given: dict[str, object]) -> Row | None:
    match given:
        case {"offsets": {"from": start, "to": end}}:  # whisper.cpp; its "timestamps" say the same as clocks
            given = {**given, "start_ms": start, "end_ms": end}
        case {"timestamp": [start, end]}:  # Transformers
            given = {**given, "start": start, "end": end}
    row = row_of(_with_readings(given), columns_of(given))
    match given.get("sounds"):
        case [str(), *_] as sounds if row is not None:  # Lode's own
            shown = tuple(one_line(sound)[:200] for sound in sounds[:100] if isinstance(sound, str))
            return replace(row, sounds=tuple(filter(None, shown)))
    return row


def _with_readings(given: dict[str, object]) -> dict[str, object]:
    """The object with the readings that Lode writes beside a text marked in it."""
    match given:
        case {"ruby": [{"start": int(), "end": int(), "text": str()}, *_] as readings, "text": str(text)}:
            found = [
                (start, end, reading)
                for each in readings[:1000]
                if isinstance(each, dict)
                and isinstance(start := each.get("start"), int)
                and isinstance(end := each.get("end"), int)
                and isinstance(reading := each.get("text"), str)
                and 0 <= start < end <= len(text)
            ]
            after = len(text)
            for start, end, reading in sorted(found, reverse=True):
                if end <= after:
                    text = text[:start] + marked(text[start:end], reading) + text[end:]
                    after = start
            return {**given, "text": text}
    return given
